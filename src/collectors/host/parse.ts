import type { HostSample, Sample } from '../../model/samples.ts';
import type { Context, Parser } from '../collector.ts';
import { createCost, type Cost } from './cost.ts';
import { createLooks } from './looks.ts';
import { measure } from './measure.ts';

/** What one tick's answer says, as it stands there. */
export interface Reading {
  up?: number;
  readonly values: Map<string, readonly number[]>;
  readonly memoryKb: Map<string, number>;
  readonly pressurePercent: Map<string, number>;
  /** Sectors read, sectors written, ms busy. */
  readonly disks: Map<string, readonly number[]>;
  /** Bytes read, bytes written. */
  readonly io: Map<string, readonly number[]>;
  cpuset?: string;
}

/** A parser that says which slow look comes with a tick. */
export interface HostParser extends Parser {
  /** Behind the tick, or nothing. */
  wish(context: Pick<Context, 'run' | 'options'>): string;
}

/** Reads what awk.ts prints: a frame of `key value...` lines ended by `.`; rates need two frames. Slow looks (looks.ts) stand between frames. */
export function createHostParser({ host, facts, ownPid }: Pick<Context, 'host' | 'facts' | 'ownPid'>): HostParser {
  const looks = createLooks({ host, facts });
  let tickedAt = 0;
  const cost = createCost(facts.clockTicks);
  let rejected = 0;
  let reading = empty();
  let before: Reading | undefined;

  function end(receivedAt: number): readonly Sample[] {
    const now = reading;
    reading = empty();
    const seconds = now.up !== undefined && before?.up !== undefined ? now.up - before.up : undefined;
    const sample: HostSample = {
      kind: 'host',
      host,
      source: 'host',
      time: now.up === undefined ? receivedAt : Math.round(facts.bootTime + now.up * 1000),
      receivedAt,
      ...measure(now, seconds !== undefined && seconds > 0 ? before : undefined, seconds ?? 0),
      ...withOwn(cost.frame(now.up), ownPid),
    };
    before = now;
    return [sample];
  }

  return {
    push(line, receivedAt) {
      if (line === '.') return end(receivedAt);
      if (looks.takes(line)) {
        const found = looks.push(line, receivedAt);
        if (!found) rejected++;
        return found ?? [];
      }
      if (line !== '' && !takeLine(line, reading, cost)) rejected++;
      return [];
    },
    silence(now) {
      tickedAt = now;
      return looks.late(now);
    },
    wish: (context) => looks.wish(context, tickedAt),
    get rejected() {
      return rejected;
    },
  };
}

function withOwn(cost: Partial<HostSample>, ownPid: number | undefined): Partial<HostSample> {
  return ownPid === undefined ? cost : { ...cost, costPids: [...(cost.costPids ?? []), ownPid] };
}

function empty(): Reading {
  return { values: new Map(), memoryKb: new Map(), pressurePercent: new Map(), disks: new Map(), io: new Map() };
}

/** How many numbers a line of plain numbers must have at least. */
const plain: ReadonlyMap<string, number> = new Map([
  ['load', 3],
  ['cpu', 4],
  ['cores', 1],
  ['quota', 2],
  ['memlimit', 1],
]);

/** False for a line that is none of awk.ts. */
function takeLine(line: string, reading: Reading, cost: Cost): boolean {
  const [key = '', ...rest] = line.trim().split(/ +/);
  if (key === 'cpuset' && /^[\d,-]+$/.test(rest[0] ?? '')) {
    reading.cpuset = rest[0] as string;
    return true;
  }
  const least = plain.get(key);
  const named = key === 'mem' || key === 'psi' || key === 'disk' || key === 'io';
  const numbers = (named ? rest.slice(1) : rest).map(Number);
  if (numbers.length === 0 || !numbers.every((value) => Number.isFinite(value) && value >= 0)) return false;
  const [first = 0] = numbers;
  const name = rest[0] ?? '';
  if (least !== undefined) {
    if (numbers.length < least) return false;
    reading.values.set(key, numbers);
  } else if (key === 'up') reading.up = first;
  else if (key === 'mem') reading.memoryKb.set(name, first);
  else if (key === 'psi') reading.pressurePercent.set(name, first);
  else if (key === 'disk' && numbers.length === 3) reading.disks.set(name, numbers);
  else if (key === 'io' && numbers.length === 2) reading.io.set(name, numbers);
  else if (key === 'gone') cost.gone(first);
  else if (key === 'cost' && numbers.length === 5) {
    const [pid = 0, parentPid = 0, startTicks = 0, ticks = 0, kilobytes = 0] = numbers;
    cost.seen(pid, { parentPid, startTicks, ticks, bytes: kilobytes * 1024 });
  } else return false;
  return true;
}
