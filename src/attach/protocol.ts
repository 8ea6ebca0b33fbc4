import { z } from 'zod';
import { alarmNames } from '../model/alarm-samples.ts';
import { signalNames, type SignalName, type SignalNews, type SignalTarget } from '../model/signals.ts';
import { readLine, writeLine } from '../recording/json-line.ts';
import { limits } from '../recording/limits.ts';
import { savedShape } from '../recording/saved-shape.ts';
import * as is from '../recording/shape.ts';
import type { SavedState } from '../model/saved-state.ts';

/**
 * What a watch says to a screen that attaches to it: lines, each a message or a Sample as a recording has it. First the header, then
 * a keyframe, then every Sample that the watch keeps; a fresh keyframe begins them anew. docs/watch.md has the words.
 */
export const protocolVersion = 1;

/** Begins each line that is no Sample. */
const mark = '{"attach":';

/** Of both sides, in characters. A watch says keyframes; a screen only asks. */
export const lineLimits = { fromWatch: limits.line.value, fromScreen: 64 * 1024 } as const;

/** Of one answer to `read`, in bytes. */
export const mostRead = 256 * 1024;

/** Who watches what. */
export interface WatchHeader {
  readonly protocol: number;
  readonly traintop: string;
  readonly name: string;
  readonly machine: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly target: string;
  readonly wrap?: string;
  readonly demo: boolean;
  readonly speed?: number;
  readonly intervalMs: number;
  readonly readOnly: boolean;
}

/** How the recording fares, in the words of the screen's controls. */
export interface WatchRecording {
  readonly is: 'on' | 'off' | 'failed';
  readonly reason?: string;
  readonly short?: string;
  readonly warning?: string;
}

/** What changes about a watch, told again and again: its time too. */
export interface WatchNews {
  /** By the clock of its Samples. */
  readonly now: number;
  readonly recording: WatchRecording;
  /** Of the recording, once it is made. */
  readonly folder?: string;
  /** How its alarms are told away from screens, a sentence each. */
  readonly ways: readonly string[];
}

/** A line of the watch that is no Sample. */
export type Message =
  | { readonly attach: 'watch'; readonly header: WatchHeader }
  | { readonly attach: 'keyframe'; readonly state: SavedState }
  | { readonly attach: 'about'; readonly about: WatchNews }
  | { readonly attach: 'answer'; readonly id: number; readonly value?: unknown; readonly failure?: string }
  | { readonly attach: 'news'; readonly id: number; readonly news: SignalNews }
  | { readonly attach: 'end'; readonly reason: string };

const header = is.object<WatchHeader>({
  ...{ protocol: is.number, traintop: is.text, name: is.text, machine: is.text, pid: is.number },
  ...{ startedAt: is.moment, target: is.text, wrap: is.optional(is.text), demo: is.flag },
  ...{ speed: is.optional(is.number), intervalMs: is.interval, readOnly: is.flag },
});

const recording = is.object<WatchRecording>({
  is: is.oneOf({ on: true, off: true, failed: true }),
  ...{ reason: is.optional(is.text), short: is.optional(is.text), warning: is.optional(is.text) },
});

const about = is.object<WatchNews>({
  ...{ now: is.moment, recording, folder: is.optional(is.text), ways: is.list(is.text) },
});

const news = is.object<SignalNews>({
  text: is.text,
  tone: is.oneOf({ plain: true, warn: true, bad: true, ok: true }),
  goesOn: is.flag,
});

/** A message as its line. */
export function writeMessage(message: Message): string {
  return writeLine(message);
}

/** What a line says that is no Sample; undefined: it is one. Throws a Misfit, or JSON.parse's error. */
export function readMessage(line: string): Message | undefined {
  if (!line.startsWith(mark)) return undefined;
  const said = readLine(line);
  const id = () => is.number(said['id']);
  switch (said['attach']) {
    case 'watch':
      return { attach: 'watch', header: header(said['header']) };
    case 'keyframe':
      return { attach: 'keyframe', state: savedShape(said['state']) };
    case 'about':
      return { attach: 'about', about: about(said['about']) };
    case 'answer': {
      const failure = said['failure'] === undefined ? {} : { failure: is.text(said['failure']) };
      return { attach: 'answer', id: id(), value: said['value'], ...failure };
    }
    case 'news':
      return { attach: 'news', id: id(), news: news(said['news']) };
    case 'end':
      return { attach: 'end', reason: is.text(said['reason']) };
    default:
      throw new is.Misfit('a message is of another kind');
  }
}

const id = z.int().nonnegative();
const pid = z
  .int()
  .positive()
  .max(2 ** 31);
const about_ = { alarm: z.enum(alarmNames), about: z.string().max(500).optional() };
const captureId = z.string().regex(/^[\w-]{1,80}$/);

/** What a screen asks of a watch: each with an `id` of its own, by which it is answered. */
const askSchema = z.discriminatedUnion('ask', [
  z.object({
    ...{ id, ask: z.literal('capture'), capture: captureId },
    request: z.object({
      what: z.enum(['dump', 'native', 'many', 'record', 'gil']),
      pids: z.array(pid).max(4096),
      seconds: z.number().positive().max(3600).optional(),
      rate: z.number().positive().max(1000).optional(),
      rounds: z.int().positive().max(1000).optional(),
      everySeconds: z.number().positive().max(3600).optional(),
      blocking: z.boolean().optional(),
    }),
  }),
  z.object({ id, ask: z.literal('cancelCapture'), capture: captureId }),
  z.object({ id, ask: z.literal('acknowledge'), alarm: z.string().max(500).optional() }),
  z.object({ id, ask: z.literal('mute'), ...about_, forMs: z.number().positive().optional() }),
  z.object({ id, ask: z.literal('unmute'), ...about_ }),
  z.object({ id, ask: z.literal('mark'), text: z.string().max(2000), time: z.number().optional() }),
  z.object({ id, ask: z.literal('interval'), ms: z.number() }),
  z.object({ id, ask: z.literal('connectNow') }),
  z.object({ id, ask: z.literal('lookForRuns') }),
  z.object({ id, ask: z.literal('chooseRun'), pid }),
  z.object({ id, ask: z.literal('look'), pid }),
  /** To the process that the answer to that `look` told of: nothing else is ever sent. */
  z.object({ id, ask: z.literal('send'), look: z.int(), signal: z.enum(signalNames as [SignalName, ...SignalName[]]) }),
  z.object({ id, ask: z.literal('files') }),
  z.object({ id, ask: z.literal('size'), file: z.string().max(255) }),
  z.object({
    ...{ id, ask: z.literal('read'), file: z.string().max(255) },
    ...{ offset: z.int().nonnegative(), length: z.int().positive().max(mostRead) },
  }),
]);

/** One of them. */
export type Ask = z.output<typeof askSchema>;

/** The same without its `id`. */
export type AskBody = Ask extends infer Each ? (Each extends Ask ? Omit<Each, 'id'> : never) : never;

/** What a screen's line asks; undefined: nothing that is known. */
export function readAsk(line: string): Ask | undefined {
  try {
    return askSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** A process to signal, as JSON has it: masks are texts. */
export function writeTarget(target: SignalTarget): object {
  return { ...target, ...Object.fromEntries(masks.map((name) => [name, String(target[name])])) };
}

const masks = ['ignored', 'caught', 'blocked', 'pending'] as const;

const mask: is.Shape<bigint> = (value) => {
  if (typeof value !== 'string' || !/^\d{1,40}$/.test(value)) throw new is.Misfit('a mask is none');
  return BigInt(value);
};

/** The same, read. Throws a Misfit. */
export const readTarget = is.object<SignalTarget>({
  ...{ pid: is.number, comm: is.text, commandLine: is.text, startTicks: is.text, startedAt: is.moment },
  ...{ state: is.text, ignored: mask, caught: mask, blocked: mask, pending: mask, children: is.number },
  ...{ init: is.optional(is.oneOf({ own: true, inner: true })), refused: is.optional(is.text) },
});
