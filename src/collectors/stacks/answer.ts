import { gunzipSync } from 'node:zlib';
import { safeText } from '../../model/text.ts';
import type { StreamEnd } from '../stream.ts';
import { keepRight, type Rights } from './permission.ts';
import { marks } from './script.ts';

/** What came of one run of py-spy (several, of `many`) under the guard. Absent is what was not told. */
export interface SpyAnswer {
  /** Absent: no py-spy was found. */
  readonly tool?: string;
  /** Another user's, which was not run. */
  readonly skipped?: string;
  /** Where none was found. */
  readonly looked: readonly string[];
  /** PATH there, when none was found. */
  readonly path?: string;
  /** What decides whether the process may be read; told when py-spy failed. */
  readonly rights: Rights;
  readonly version?: string;
  /** One a run, in order. */
  readonly outputs: readonly SpyOutput[];
  /** Why native frames could not be had, where a plain dump came instead. */
  readonly plainBecause?: string;
  /** What a record said, made safe. */
  readonly progress: readonly string[];
  /** Seconds that a record took there, or from the first of many dumps to the last. */
  readonly tookSeconds?: number;
  /** A record ended well, and its file is not there. */
  readonly noFile: boolean;
  /** It was ended before its time. */
  readonly over: boolean;
  readonly timedOut: boolean;
  /** The process's state after it: absent when it is gone, or nothing was told. */
  readonly state?: string;
  /** It was left stopped: it still is, or was sent SIGCONT. */
  readonly left?: 'stopped' | 'resumed';
  /** What the process runs; told when py-spy failed. */
  readonly executable?: string;
  /** The host has no setsid, or no folder that can be written to. */
  readonly missing?: 'setsid' | 'folder';
  /** The guard came to its end. */
  readonly whole: boolean;
  /** What the shell itself printed, when it did not. */
  readonly shellText: string;
  /** The link or the channel, when there was none. */
  readonly fault?: string;
}

/** One run's standard output, raw (a parser makes it safe), its exit status and what it said on standard error, made safe. */
export interface SpyOutput {
  readonly text: string;
  /** Absent: it was cut. */
  readonly code?: number;
  readonly errorText: string;
}

/** What is known while it goes on. */
export interface Heard {
  /** Dumps that came, with their ends. */
  readonly outputs: number;
  /** What a record says, made safe. */
  readonly said?: string;
}

/** Takes the guard's lines. */
export interface AnswerReader {
  /** Gives what is known, when this line changed it. */
  push(line: string): Heard | undefined;
  timedOut(): void;
  end(end: StreamEnd): SpyAnswer;
  fail(fault: string): SpyAnswer;
}

/** Of a host that does not stop printing the beginning is enough; a dump of a thousand threads is a third of it. */
const mostCharacters = 32 * 1024 * 1024;
const mostProgress = 200;
const mostOutputs = 10_000;
const mostLooked = 20;

/** An answer of which nothing has come. */
export function createAnswer(): AnswerReader {
  const said = new Map<string, string>();
  const outputs: { text: string[]; packed: boolean; code?: number; errors: string[] }[] = [];
  const plain: string[] = [];
  const progress: string[] = [];
  const uptimes: number[] = [];
  const looked: string[] = [];
  const rights = new Map<string, string>();
  let into: string[] | undefined;
  let size = 0;
  let timedOut = false;

  function push(line: string): Heard | undefined {
    const mark = line.startsWith('@py-spy ') ? Object.values(marks).find((each) => line.startsWith(each)) : undefined;
    if (mark === undefined) {
      size += line.length;
      if (size <= mostCharacters) into?.push(line);
      return undefined;
    }
    const value = safeText(line.slice(mark.length)).trim();
    if (mark === marks.progress) {
      // The last word tells what was found.
      progress.splice(mostProgress - 1, progress.length < mostProgress ? 0 : 1, value);
      return { outputs: outputs.length, said: value };
    }
    into = undefined;
    if (mark === marks.output || mark === marks.packed) {
      const output = { text: (into = []), packed: mark === marks.packed, errors: [] };
      if (outputs.length < mostOutputs) outputs.push(output);
    } else if (mark === marks.plain) into = plain;
    else if (mark === marks.error) {
      const last = outputs.at(-1);
      if (last && /^\d+$/.test(value)) last.code = Number(value);
      into = last?.errors;
      return { outputs: outputs.length };
    } else if (mark === marks.uptime) uptimes.splice(1, 1, Number.parseFloat(value));
    else if (mark === marks.looked) looked.push(...(looked.length < mostLooked ? [value] : []));
    else if (mark === marks.right) keepRight(rights, value);
    else said.set(mark, value);
    return undefined;
  }

  const text = (lines: readonly string[]) => lines.map(safeText).join('\n').trim();
  const one = (mark: string) => said.get(mark) || undefined;

  function answer(more: Pick<SpyAnswer, 'whole' | 'shellText' | 'fault'>): SpyAnswer {
    const version = /\d[\w.]*/.exec(one(marks.version) ?? '')?.[0];
    const left = said.has(marks.stopped) ? 'stopped' : said.has(marks.resumed) ? 'resumed' : undefined;
    const missing = said.has(marks.noSetsid) ? 'setsid' : said.has(marks.noFolder) ? 'folder' : undefined;
    const [began = NaN, ended = NaN] = uptimes;
    const [tool, skipped, state, executable] = [marks.tool, marks.skipped, marks.state, marks.executable].map(one);
    const path = one(marks.path);
    return {
      ...(tool !== undefined && { tool }),
      ...(skipped !== undefined && { skipped }),
      looked: [...new Set(looked)],
      ...(path !== undefined && { path }),
      rights,
      ...(version !== undefined && { version }),
      outputs: outputs.map(({ text: lines, packed, code, errors }) => ({
        // Not before it is read: a hundred dumps are small only while they are packed.
        get text() {
          return packed ? unpack(lines) : lines.join('\n');
        },
        ...(code !== undefined && { code }),
        errorText: text(errors),
      })),
      ...(plain.length > 0 && { plainBecause: text(plain) }),
      progress,
      ...(ended >= began && { tookSeconds: Math.round((ended - began) * 100) / 100 }),
      noFile: said.has(marks.noFile),
      over: said.has(marks.over),
      timedOut,
      ...(state !== undefined && { state }),
      ...(left !== undefined && { left }),
      ...(executable !== undefined && { executable }),
      ...(missing !== undefined && { missing }),
      ...more,
    };
  }

  return {
    push,
    timedOut: () => void (timedOut = true),
    end: ({ bodyCode, errorText }) =>
      answer({ whole: bodyCode !== undefined, shellText: bodyCode === undefined ? safeText(errorText.trim()) : '' }),
    fail: (fault) => answer({ whole: false, shellText: '', fault }),
  };
}

/** What was cut is nothing: it has no exit status either. */
function unpack(lines: readonly string[]): string {
  try {
    return gunzipSync(Buffer.from(lines.join(''), 'base64'), { maxOutputLength: mostCharacters }).toString('utf8');
  } catch {
    return '';
  }
}
