import type { NvidiaFacts } from '../facts.ts';
import type { Run } from '../run.ts';
import type { EventSample, KernelLine, KernelSample, LogLine, Sample } from '../samples.ts';
import { isSameLine } from '../space-samples.ts';
import { event, reasonText, type Finder } from './found.ts';
import { createLimiter, heldText } from './limiter.ts';

/** Xids that the kernel or a log has told, so that each is an event once. */
export interface ToldXids {
  tell(what: ToldXid): void;
  has(what: ToldXid): boolean;
}

/** A fault of a GPU, as a line tells it. */
export interface ToldXid {
  readonly xid: number;
  readonly time: number;
  /** Absent: the line has none. */
  readonly address?: string | undefined;
}

/** Logs are stamped by whole seconds at best, and the kernel's by the time of boot. */
const sameXidMs = 60_000;
const mostTold = 64;
const often = { burst: 8, everyMs: 120_000 };

/** Of one host. */
export function createToldXids(): ToldXids {
  let all: readonly ToldXid[] = [];
  return {
    tell(what) {
      all = [...all, what].slice(-mostTold);
    },
    has: ({ xid, time, address }) =>
      all.some(
        (each) =>
          each.xid === xid &&
          Math.abs(each.time - time) < sameXidMs &&
          (address === undefined || each.address === undefined || isSameAddress(address, each.address)),
      ),
  };
}

/** The Xid that a line of a log tells of. */
export function xidOf({ event: told, time }: LogLine): ToldXid | undefined {
  const { xid, bus } = (told?.kind === 'xid' && told.details) || {};
  if (typeof xid !== 'number') return undefined;
  return { xid, time, ...(typeof bus === 'string' && { address: bus }) };
}

/**
 * What the kernel's log tells of the host's GPUs and of processes that it killed, since the watch began. In a container that log is the host's: an Xid of a
 * GPU that is not seen there is none of the run's, and no event.
 */
export function createKernelFinder(xids: ToldXids): Finder {
  const limiters = { xid: createLimiter(often), 'oom-kill': createLimiter(often) };
  let beganAt: number | undefined;
  let seen: readonly KernelLine[] = [];
  let nvidia: NvidiaFacts | undefined;
  const indices = new Map<string, number>();
  let run: Run | undefined;

  function ofLine(sample: KernelSample, line: KernelLine): readonly EventSample[] {
    if (seen.some((each) => isSameLine(each, line))) return [];
    seen = [...seen, line].slice(-mostTold);
    if (line.time < (beganAt ?? 0)) return [];
    const text = line.what === 'xid' ? xidText(line) : killText(line, run);
    if (text === undefined) return [];
    const passed = limiters[line.what].pass(sample.receivedAt);
    if (!passed) return [];
    const [kind, many] = line.what === 'xid' ? (['gpu error', 'Xids'] as const) : (['oom kill', 'kills'] as const);
    return [event(sample, kind, reasonText(text) + heldText(passed, many), line.time)];
  }

  function xidText({ xid, address, text, time, pid }: KernelLine): string | undefined {
    if (xid === undefined) return undefined;
    const whose = whoseIs(address);
    if (whose === undefined || xids.has({ xid, time, address })) return undefined;
    xids.tell({ xid, time, address });
    const said = text.replace(/^NVRM: Xid \([^)]*\): \d+,? ?/, '').replace(/^pid=[^,]*, (?:name=[^,]*, )?/, '');
    return `Xid ${xid} of ${whose}${pid === undefined ? '' : `, PID ${pid}`}: ${said || 'no more is said'}`;
  }

  /** Undefined: of no GPU that is seen here. */
  function whoseIs(address: string | undefined): string | undefined {
    if (address === undefined) return 'a GPU';
    const places = Object.entries(nvidia?.places ?? {});
    const uuid = places.find(([, place]) => isSameAddress(place.address, address))?.[0];
    const index = uuid === undefined ? undefined : indices.get(uuid);
    if (index !== undefined) return `GPU ${index} (${address})`;
    // Where the place of each is known, it is another's.
    const areAllKnown = nvidia !== undefined && places.length >= nvidia.gpuCount;
    return uuid === undefined && areAllKnown ? undefined : `the GPU at ${address}`;
  }

  return {
    find(sample: Sample) {
      beganAt ??= sample.time;
      if (sample.kind === 'facts') nvidia = sample.facts.nvidia ?? nvidia;
      // Of a GPU that is gone its index is known from before.
      if (sample.kind === 'gpus') sample.uuid.forEach((uuid, row) => indices.set(uuid, sample.index[row] ?? row));
      if (sample.kind === 'run' && sample.run) run = sample.run;
      return sample.kind === 'kernel' ? sample.lines.flatMap((line) => ofLine(sample, line)) : [];
    },
  };
}

function killText({ pid, text }: KernelLine, run: Run | undefined): string {
  const name = /process \d+ \(([^)]{1,40})\)/i.exec(text)?.[1];
  const who = `PID ${pid}${name === undefined ? '' : ` (${name})`}`;
  const isOfRun = run?.processes.some((process) => process.pid === pid) ?? false;
  const why = /memory cgroup/i.test(text) ? 'the limit of its cgroup was reached' : 'the host was out of memory';
  return `the kernel killed ${who}${isOfRun ? ' of the run' : ''}: ${why}`;
}

/** `0000:18:00.0`, `00000000:18:00.0` and `0000:18:00` are one: domain, bus and device. */
function isSameAddress(a: string, b: string): boolean {
  const parts = (text: string) => text.toLowerCase().replace(/\.\d$/, '').split(':');
  const [one, other] = [parts(a), parts(b)];
  const short = Math.min(one.length, other.length);
  return (
    short >= 2 &&
    one.slice(-short).every((part, i) => parseInt(part, 16) === parseInt(other.slice(-short)[i] ?? '', 16))
  );
}
