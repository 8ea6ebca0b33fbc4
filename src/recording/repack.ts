import { constants, createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { chunksOf, type ByteSource } from './byte-source.ts';
import { cuts, limits } from './limits.ts';
import { packMember } from './member.ts';
import { RecordingFault } from './recording-fault.ts';

interface Init {
  readonly path: string;
  readonly source: ByteSource;
  readonly isGzip: boolean;
}

/** A member's lines are no more than so many, with so many characters. */
const memberCharacters = 1024 * 1024;
const memberLines = 10_000;

/**
 * A recording that somebody unpacked, and perhaps changed with jq and packed again: its lines, in members. It is read through once,
 * with bounds on all that it could be. Rejects with a RecordingFault. A cut end gives what came before it.
 */
export async function repack({ path, source, isGzip }: Init): Promise<Buffer> {
  const packer = createPacker();
  /** Of a line whose end has not come. */
  let begun: string[] = [];
  let begunLength = 0;
  let total = 0;
  let refused: RecordingFault | undefined;

  function take(text: string) {
    total += text.length;
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      packer.add(begun.length === 0 ? line : begun.join('') + line);
      begun = [];
      begunLength = 0;
    }
    begun.push(rest);
    begunLength += rest.length;
    if (begunLength > limits.line.value)
      refused = new RecordingFault(`${path} has a line that does not end: ${noEnd}.`);
    if (total > limits.plain.value) refused = new RecordingFault(`${path} has more lines than ${tooLong}.`);
    return !refused;
  }

  async function takeAll(texts: AsyncIterable<string>) {
    for await (const text of texts) if (!take(text)) return;
  }

  const bytes = chunksOf(source);
  try {
    // A pack that was cut ends where it was cut.
    if (isGzip) await pipeline(bytes, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), decode, takeAll);
    else await pipeline(bytes, decode, takeAll);
  } catch (error) {
    if (packer.isEmpty()) throw error;
  }
  if (refused) throw refused;
  const last = begun.join('');
  if (last !== '') packer.add(last);
  return packer.end();
}

const noEnd = 'it was not written by traintop';
const tooLong = 'can be read of one that was packed anew: keep the files that traintop wrote';

async function* decode(chunks: AsyncIterable<Buffer>) {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
}

function createPacker() {
  const members: Buffer[] = [];
  let lines: string[] = [];
  let size = 0;
  let from: number | undefined;
  let to = 0;
  let has = { keyframe: false, event: false, minute: false };

  function pack() {
    if (lines.length === 0) return;
    members.push(
      packMember(lines.map((line) => `${line}\n`).join(''), { from: from ?? to, to: Math.max(to, from ?? to), ...has }),
    );
    lines = [];
    size = 0;
    from = undefined;
    has = { keyframe: false, event: false, minute: false };
  }

  return {
    isEmpty: () => members.length === 0 && lines.length === 0,
    add(line: string) {
      const kind = /^\{"kind":"(\w{1,20})"/.exec(line)?.[1];
      const time = timeOf(kind, line);
      const isLate = time !== undefined && from !== undefined && Math.abs(time - from) >= cuts.memberMs;
      if (
        isLate ||
        size > memberCharacters ||
        lines.length >= memberLines ||
        (kind === 'keyframe' && from !== undefined)
      )
        pack();
      lines.push(line);
      size += line.length;
      if (time !== undefined) {
        to = from === undefined ? time : Math.max(to, time);
        from = Math.min(from ?? time, time);
      }
      has.keyframe ||= kind === 'keyframe';
      has.event ||= kind === 'event' || kind === 'mark' || kind === 'alarm';
      has.minute ||= kind === 'minute';
    },
    end() {
      pack();
      return Buffer.concat(members);
    },
  };
}

/** Of a Sample, or of a keyframe: it stands near the line's beginning. */
function timeOf(kind: string | undefined, line: string): number | undefined {
  if (kind === undefined || kind === 'minute') return undefined;
  const name = kind === 'keyframe' ? 'time' : kind === 'header' ? 'startedAt' : 'receivedAt';
  const found = new RegExp(`"${name}":(\\d{1,15})\\b`).exec(line.slice(0, 2000))?.[1];
  return found === undefined ? undefined : Number(found);
}
