import type { KernelSample, Sample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { Context } from '../collector.ts';
import { quote } from '../quote.ts';
import { disksSample, readDfLine, type Room } from './disks.ts';
import { foldersOf, type Folder } from './folders.ts';
import { readKernelLine } from './kernel-lines.ts';

/** Says which slow look a tick begins (look-script.ts), and reads what it found. */
export interface Looks {
  /** What stands behind the tick's second `|`, with it; empty: no look is due. */
  wish(context: Pick<Context, 'run' | 'options'>, now: number): string;
  /** Whether the line is of a look. */
  takes(line: string): boolean;
  /** A line that it takes; undefined: it cannot be read. */
  push(line: string, receivedAt: number): readonly Sample[] | undefined;
  /** What is known because no answer came. */
  late(now: number): readonly Sample[];
}

const everyMs = 30_000;
/** df of one path: then its file system hangs, and it is not asked again before that df has ended. */
const aloneMs = 10_000;
/**
 * Of a core, what reading the kernel's log may take: dmesg takes 3 µs a record (util-linux 2.38, /dev/kmsg), journalctl some 50 ms. A whole look is 6 to
 * 7 ms of CPU, most of it the start of five programs.
 */
const kernelShare = 0.0001;
const mostKernelMs = 600_000;
/** Of one look: its script sends twenty. */
const mostKernelLines = 20;
const dayMs = 86_400_000;

type KernelReader = 'dmesg' | 'journalctl';

/** A look that is not answered yet. */
interface Asked {
  readonly number: number;
  readonly paths: readonly string[];
  readonly at: number;
}

/**
 * All folders are asked for at once. Where that gives no answer, or not a line a path, each is asked for alone, and those that give none are left out
 * from then on: the others must not be without values for the one that hangs.
 */
export function createLooks({ host, facts }: Pick<Context, 'host' | 'facts'>): Looks {
  let number = 0;
  let folders: readonly Folder[] = [];
  let asked: Asked | undefined;
  let alone: readonly string[] = [];
  let roundAt = -Infinity;
  let watched: number | undefined;
  let unsaid = false;
  const rooms = new Map<string, Room>();
  const hung = new Set<string>();
  /** Of looks whose df may still end. */
  const flights = new Map<number, Asked>();
  let reader: KernelReader | undefined = 'dmesg';
  let kernelAt = -Infinity;
  let kernelPaceMs = everyMs;
  let isKernelTold = false;
  let refused = '';
  let answer: { readonly asked: Asked | undefined; isOdd: boolean; kernel: string[]; cpu: string } | undefined;

  const head = (receivedAt: number) => ({ host, source: 'host', time: receivedAt, receivedAt });

  function ask(paths: readonly string[], now: number, rootPid: number | undefined): string {
    const how = reader !== undefined && now - kernelAt >= kernelPaceMs ? reader : '-';
    if (how !== '-') kernelAt = now;
    asked = { number: ++number, paths, at: now };
    flights.set(number, asked);
    const [oldest] = flights.keys();
    if (flights.size > 8 && oldest !== undefined) flights.delete(oldest);
    return `|${number} ${how} ${rootPid ?? "''"}${paths.map((path) => ` ${quote(path)}`).join('')}`;
  }

  /** What was asked gives no answer in its time. */
  function giveUp(now: number) {
    if (!asked || now - asked.at < (asked.paths.length > 1 ? everyMs : aloneMs)) return;
    const [first] = asked.paths;
    if (asked.paths.length > 1) alone = asked.paths;
    else if (first !== undefined) {
      hung.add(first);
      unsaid = true;
    }
    asked = undefined;
  }

  function disks(receivedAt: number): readonly Sample[] {
    unsaid = false;
    return [disksSample(head(receivedAt), folders, (path) => (hung.has(path) ? undefined : rooms.get(path)))];
  }

  function kernel({ kernel: lines, cpu }: NonNullable<typeof answer>, receivedAt: number): readonly Sample[] {
    kernelPaceMs = Math.min(mostKernelMs, Math.max(everyMs, cpuMs(cpu) / kernelShare));
    const failure = lines.find((line) => /^(?:dmesg|journalctl): /.test(line));
    if (failure !== undefined) {
      if (reader === 'dmesg') {
        [reader, refused] = ['journalctl', failure];
        kernelAt = roundAt = -Infinity;
        return [];
      }
      reader = undefined;
      return [{ kind: 'kernel', ...head(receivedAt), lines: [], unread: unreadText(refused) }];
    }
    const read = lines
      .flatMap((line) => readKernelLine(line, facts.bootTime) ?? [])
      .filter(({ time }) => receivedAt - time < dayMs)
      .map((each) => ({ ...each, time: Math.min(each.time, receivedAt) }));
    if (read.length === 0 && isKernelTold) return [];
    isKernelTold = true;
    return [{ kind: 'kernel', ...head(receivedAt), lines: read } satisfies KernelSample];
  }

  function end(receivedAt: number): readonly Sample[] {
    const whole = answer;
    answer = undefined;
    if (!whole?.asked) return [];
    const { asked: of, isOdd } = whole;
    const isNewest = of.number === asked?.number;
    flights.delete(of.number);
    if (isNewest) asked = undefined;
    if (isOdd && of.paths.length > 1) alone = of.paths;
    else for (const path of of.paths) hung.delete(path);
    const told = kernelAt === of.at ? kernel(whole, receivedAt) : [];
    return alone.length > 0 || of.paths.length === 0 ? told : [...disks(receivedAt), ...told];
  }

  return {
    wish(context, now) {
      const before = folders;
      folders = foldersOf(context);
      for (const path of [...rooms.keys(), ...hung]) {
        if (folders.some((each) => each.path === path)) continue;
        rooms.delete(path);
        hung.delete(path);
      }
      const rootPid = context.run?.rootPid;
      // The kernel may say why it ended.
      if (rootPid === undefined && watched !== undefined) roundAt = kernelAt = -Infinity;
      watched = rootPid;
      if (asked) return '';
      const [next, ...rest] = alone;
      if (next !== undefined) {
        alone = rest;
        rooms.delete(next);
        return ask([next], now, rootPid);
      }
      const isNew = folders.some(({ path }) => !before.some((each) => each.path === path));
      if (!isNew && now - roundAt < everyMs) return '';
      roundAt = now;
      rooms.clear();
      return ask(
        folders.flatMap(({ path }) => (hung.has(path) ? [] : [path])),
        now,
        rootPid,
      );
    },
    takes: (line) => line.startsWith('=') || /^\d+m[\d.]+s \d+m[\d.]+s$/.test(line),
    push(line, receivedAt) {
      if (line.startsWith('=look ')) {
        answer = { asked: flights.get(Number(line.slice(6))), isOdd: false, kernel: [], cpu: '' };
        return [];
      }
      if (line === '=.') return end(receivedAt);
      if (!answer) return undefined;
      if (line === '=odd') answer.isOdd = true;
      else if (line.startsWith('=kernel '))
        answer.kernel = [...answer.kernel.slice(1 - mostKernelLines), line.slice(8)];
      else if (line.startsWith('=df ')) {
        const [, index, option = '', said = ''] = /^=df (\d+) ([ki]) (.*)$/.exec(line) ?? [];
        const path = answer.asked?.paths[Number(index) - 1];
        const room = readDfLine(option, said);
        if (!answer.asked || path === undefined || !room) return undefined;
        rooms.set(path, { ...rooms.get(path), ...room });
      } else if (line.startsWith('=')) return undefined;
      else answer.cpu = line;
      return [];
    },
    late(now) {
      giveUp(now);
      return unsaid && alone.length === 0 ? disks(now) : [];
    },
  };
}

/** The second line of `times` is of the programs: `0m0.010s 0m0.000s`, in hundredths. */
function cpuMs(line: string): number {
  return Array.from(line.matchAll(/(\d+)m([\d.]+)s/g)).reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds),
    0,
  );
}

const unreadText = (refused: string) =>
  `The kernel's log may not be read on this host (${safeText(refused).slice(0, 160)}): Xid lines and OOM kills are not seen; root may, and who may read the journal.`;
