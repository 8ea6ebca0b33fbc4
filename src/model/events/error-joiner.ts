import type { EventKind, EventSample, LogEvent, LogEventKind, LogLine, LogSample, Sample } from '../samples.ts';
import { event, reasonText, span } from './found.ts';
import { createLimiter, heldText } from './limiter.ts';

/** Makes one event of the lines of one error, and of errors that repeat. */
export interface ErrorJoiner {
  /** A line of level `error`. */
  add(sample: LogSample, line: LogLine): void;
  /** The events at the end of a Sample. */
  take(sample: LogSample): readonly EventSample[];
  /** Those of an error whose end did not come. */
  late(sample: Sample): readonly EventSample[];
}

/** Error lines within this time of an event belong to it: a traceback, all ranks' tracebacks, a shutdown. */
const joinMs = 10_000;
/** A traceback's last line says what it was; so long it is waited for. */
const endMs = 2000;
/** The same error again is no news for so long. */
const repeatMs = 600_000;
const mostTold = 50;

/** When an error was seen last, and when its event was made. */
export interface ToldError {
  readonly seenAt: number;
  readonly toldAt: number;
}

/** A joiner for one log; `told`: the newest errors of all logs. Another one may have the same text (a file beside the standard output). */
export function createErrorJoiner(
  often: { readonly burst: number; readonly everyMs: number },
  told: Map<string, ToldError>,
): ErrorJoiner {
  const limiter = createLimiter(often);
  let toldAt = -Infinity;
  let toldWeight = 0;
  /** The first line of an error that is not told yet. */
  let open: { readonly sample: LogSample; readonly line: LogLine; best: LogLine } | undefined;

  function tell(): readonly EventSample[] {
    if (!open) return [];
    const { sample, best, line } = open;
    const now = sample.receivedAt;
    open = undefined;
    const text = textOf(best);
    const key = keyOf(best, text);
    const before = told.get(key);
    // Where the clock was set back it is news.
    const again = before && now >= before.seenAt && now - before.seenAt < repeatMs ? before : undefined;
    told.delete(key);
    told.set(key, { seenAt: now, toldAt: again?.toldAt ?? now });
    const [oldest] = told.keys();
    if (told.size > mostTold && oldest !== undefined) told.delete(oldest);
    if (again) {
      // What else belongs to it was joined to it where it was told.
      if (again.toldAt > toldAt) [toldAt, toldWeight] = [again.toldAt, weightOf(best)];
      return [];
    }
    toldAt = now;
    toldWeight = weightOf(best);
    const passed = limiter.pass(now);
    return passed ? [event(sample, kindOf(best), reasonText(text) + heldText(passed, 'errors'), line.time)] : [];
  }

  return {
    add(sample, line) {
      if (open) {
        if (weightOf(line) > weightOf(open.best)) open.best = line;
        return;
      }
      const since = sample.receivedAt - toldAt;
      if (since >= 0 && since < joinMs && (weightOf(line) < cause || toldWeight >= cause)) return;
      open = { sample, line, best: line };
    },
    take: () => (open && isTraceback(open.best) ? [] : tell()),
    late: (sample) => (open && Math.abs(sample.receivedAt - open.sample.receivedAt) >= endMs ? tell() : []),
  };
}

/** Of several lines of one error the one of most weight says what it was. */
const cause = 4;

function weightOf(line: LogLine): number {
  const kind = line.event?.kind;
  if (kind !== undefined && kinds[kind] !== undefined && kind !== 'rank_exit') return cause;
  if (isTraceback(line)) return 1;
  return isException(line) ? 3 : 2;
}

/** Causes that have a kind of their own. */
const kinds: Readonly<Partial<Record<LogEventKind, EventKind>>> = {
  cuda_oom: 'out of memory',
  host_oom: 'out of memory',
  nccl_timeout: 'NCCL timeout',
  xid: 'gpu error',
  gpu_lost: 'gpu error',
  slurm_time_limit: 'job cancelled',
  slurm_cancelled: 'job cancelled',
  rank_exit: 'rank exit',
};

function kindOf({ event: told }: LogLine): EventKind {
  return (told && kinds[told.kind]) ?? 'log error';
}

/** What is one error wherever it stands: all ranks tell of a collective that one of them did not come to. */
function keyOf({ event: told }: LogLine, text: string): string {
  if (told?.kind === 'nccl_timeout') return told.kind;
  return text.replace(/\d+(?:\.\d+)?|0x[\da-f]+/gi, '#').slice(0, 200);
}

/** Marks of torchrun, that the same line in a rank's own log has not: `[default0]:[rank0]: `. */
const launcher = /^(?:\[(?:default|rank)\d+\]:\s*)+/;

/** A traceback may know its exception, though the line of it did not come. */
function textOf({ text, event: told }: LogLine): string {
  if (told?.kind === 'nccl_timeout' && told.details?.['op'] !== undefined) return collectiveText(told.details);
  const { exception, message } = told?.kind === 'traceback' ? (told.details ?? {}) : {};
  if (exception === undefined) return text.trim().replace(launcher, '');
  return message === undefined ? String(exception) : `${exception}: ${message}`;
}

/** `ALLREDUCE 901 of rank 0 gave up after 20 s` */
function collectiveText({ op, seq, rank, ranMs }: NonNullable<LogEvent['details']>): string {
  const whose = rank === undefined ? '' : ` of rank ${rank}`;
  const after = typeof ranMs === 'number' ? ` gave up after ${span(ranMs)}` : ' gave up';
  return `${op}${seq === undefined ? '' : ` ${seq}`}${whose}${after}`;
}

function isTraceback({ text }: LogLine): boolean {
  return text.includes('Traceback (most recent call last)');
}

/** `torch.OutOfMemoryError: CUDA out of memory` */
function isException({ text }: LogLine): boolean {
  return /(?:^|[\s.:])[A-Z]\w*(?:Error|Exception|Exit|Interrupt)(?::|$)/.test(text);
}
