import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { mostTime } from '../model/moment.ts';
import { limits } from './limits.ts';

/**
 * A recording is a chain of gzip members (RFC 1952), each some seconds of lines. The extra field of each member's header (2.3.1.1),
 * subfield `tt`, says how long the member is and what is in it, so that a reader hops from one to the next without opening any.
 */
export interface MemberHead {
  /** Bytes of the member, its header and trailer included. */
  readonly length: number;
  /** receivedAt of its first and last line, epoch ms. */
  readonly from: number;
  readonly to: number;
  /** It begins with a keyframe (behind the header, in a file's first). */
  readonly keyframe: boolean;
  /** An event, a mark or an alarm that begins to ring is inside. */
  readonly event: boolean;
  /** Minutes of history are inside. */
  readonly minute?: boolean;
}

const flags = { keyframe: 1, event: 2, minute: 4 } as const;
/** Of the subfield: length (uint32), from and to (float64), flags (byte), CRC-32 of those; little-endian. */
const fieldLength = 25;
const fieldAt = 16;
const crcAt = fieldAt + fieldLength - 4;
/** Of the gzip header with our extra field. */
export const headLength = fieldAt + fieldLength;
/** What every member begins with: magic, deflate, FEXTRA. */
export const memberMagic = Buffer.from([0x1f, 0x8b, 8, 4]);
/** Length and CRC-32 of the text. */
const tailLength = 8;

/** The lines (each with its end) as one member. */
export function packMember(text: string, { from, to, ...has }: Omit<MemberHead, 'length'>): Buffer {
  const body = Buffer.from(text);
  // An hour of the demo with 300 threads: 3.5 MB at level 1, 3.2 MB at 6, 3.2 MB at 9.
  const packed = deflateRawSync(body, { level: 6 });
  const length = headLength + packed.length + tailLength;
  const head = Buffer.alloc(headLength);
  memberMagic.copy(head);
  head[9] = 255; // no certain system
  head.writeUInt16LE(4 + fieldLength, 10);
  head.write('tt', 12, 'latin1');
  head.writeUInt16LE(fieldLength, 14);
  head.writeUInt32LE(length, fieldAt);
  head.writeDoubleLE(from, fieldAt + 4);
  head.writeDoubleLE(to, fieldAt + 12);
  head[fieldAt + 20] =
    (has.keyframe ? flags.keyframe : 0) | (has.event ? flags.event : 0) | (has.minute ? flags.minute : 0);
  head.writeUInt32LE(crc32(head.subarray(fieldAt, crcAt)), crcAt);
  const tail = Buffer.alloc(tailLength);
  tail.writeUInt32LE(crc32(body), 0);
  tail.writeUInt32LE(body.length >>> 0, 4);
  return Buffer.concat([head, packed, tail]);
}

/** Reads a member's header; undefined when these bytes are none of ours, or not as they were written. */
export function readHead(bytes: Buffer): Required<MemberHead> | undefined {
  if (bytes.length < headLength || !bytes.subarray(0, 4).equals(memberMagic)) return undefined;
  if (bytes.toString('latin1', 12, 14) !== 'tt' || bytes.readUInt16LE(14) !== fieldLength) return undefined;
  if (bytes.readUInt32LE(crcAt) !== crc32(bytes.subarray(fieldAt, crcAt))) return undefined;
  const [length, from, to] = [bytes.readUInt32LE(16), bytes.readDoubleLE(20), bytes.readDoubleLE(28)];
  if (length <= headLength + tailLength || length > limits.memberBytes.value) return undefined;
  if (!(Math.abs(from) <= mostTime && Math.abs(to) <= mostTime && from <= to)) return undefined;
  const has = bytes[36] ?? 0;
  return {
    ...{ length, from, to },
    keyframe: (has & flags.keyframe) !== 0,
    event: (has & flags.event) !== 0,
    minute: (has & flags.minute) !== 0,
  };
}

/** The lines of a member; bytes behind it are not looked at. Throws when it is not as it was written, or too large. */
export function unpackMember(bytes: Buffer): readonly string[] {
  const packed = bytes.subarray(headLength);
  const { buffer: body, engine } = inflateRawSync(packed, {
    maxOutputLength: limits.memberText.value,
    info: true,
  }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  const tail = packed.subarray(engine.bytesWritten, engine.bytesWritten + tailLength);
  if (tail.length < tailLength || tail.readUInt32LE(0) !== crc32(body))
    throw new Error('a member is not as it was written');
  const lines = body.toString().split('\n', limits.memberLines.value + 2);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > limits.memberLines.value) throw new Error('a member has more lines than traintop writes');
  return lines;
}
