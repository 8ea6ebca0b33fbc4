import type { DisksSample, HostSample } from '../../samples.ts';
import { nothing, standing, type Finding, type MakeCondition } from '../condition.ts';
import { bytes, figure, span } from '../words.ts';

/** What is asked every half minute may come late. */
const staleMs = 120_000;
/** More than that is room for a night, whatever share it is. */
const plenty = { threshold: 50e9, clear: 60e9 };
/** It fills up: the room is gone within this time at the speed of the last minutes. */
const soonMs = 30 * 60_000;
const trendMs = 10 * 60_000;
const shortestTrendMs = 4 * 60_000;
/** Below it a trend is no danger yet: checkpoints come and go. */
const trendShare = 25;
/** Above it a trend that rang is over at once. */
const calmShare = 30;
const mostMounts = 16;
const mostLooks = 24;

interface Mount {
  readonly name: string;
  uses: string[];
  at: number;
  total: number;
  available: number;
  inodes: number;
  /** When it was last found to fill up soon. */
  soonAt: number;
  /** Oldest first. */
  looks: { readonly at: number; readonly available: number }[];
  /** As of the last look at it, which is every half minute. */
  found: Finding | undefined;
}

/** Memory, /dev/shm and disks that are nearly full. */
export const space: MakeCondition = (ruleOf) => {
  let host: HostSample | undefined;
  const mounts = new Map<string, Mount>();

  function takeDisks(sample: DisksSample) {
    const { path, use, mount: points, receivedAt: at } = sample;
    const taken = new Set<string>();
    for (let row = 0; row < path.length; row++) {
      const name = use[row] === 'shm' ? (path[row] ?? '') : (points[row] ?? path[row] ?? '');
      const total = sample.totalBytes[row] ?? NaN;
      const available = sample.availableBytes[row] ?? NaN;
      let mount = mounts.get(name);
      if (!mount && mounts.size < mostMounts)
        mounts.set(
          name,
          (mount = {
            name,
            uses: [],
            at,
            total,
            available,
            inodes: NaN,
            soonAt: -Infinity,
            looks: [],
            found: undefined,
          }),
        );
      if (!mount) continue;
      if (!taken.has(name)) mount.uses = [];
      const word = use[row] ?? '';
      if (!mount.uses.includes(word)) mount.uses.push(word);
      if (taken.has(name)) continue;
      taken.add(name);
      [mount.at, mount.total, mount.available, mount.found] = [at, total, available, undefined];
      mount.inodes = (100 * (sample.freeInodes[row] ?? NaN)) / (sample.totalInodes[row] ?? NaN);
      if (!Number.isNaN(available))
        mount.looks = [...mount.looks.slice(1 - mostLooks), { at, available }].filter(
          (look) => at - look.at <= trendMs && look.at <= at,
        );
    }
  }

  function memory({
    memoryLimitBytes,
    memoryUsedBytes,
    memoryTotalBytes,
    memoryAvailableBytes,
  }: HostSample): Finding | undefined {
    const rule = ruleOf('memory-full');
    const ofLimit =
      memoryLimitBytes && memoryUsedBytes !== undefined
        ? { total: memoryLimitBytes, left: Math.max(0, memoryLimitBytes - memoryUsedBytes) }
        : undefined;
    const ofHost =
      memoryTotalBytes && memoryAvailableBytes !== undefined
        ? { total: memoryTotalBytes, left: memoryAvailableBytes }
        : undefined;
    const share = (of: typeof ofHost) => (of ? (100 * of.left) / of.total : Infinity);
    const isLimit = share(ofLimit) <= share(ofHost);
    const least = isLimit ? ofLimit : ofHost;
    if (!least) return undefined;
    const value = share(least);
    return {
      ...{ alarm: 'memory-full', is: standing(value, rule), value, border: rule.threshold, unit: '%' },
      text: () =>
        `${bytes(least.left)} of the ${bytes(least.total)} of memory ${isLimit ? "that the run's cgroup may use" : 'of the host'} are left: ${figure(value)} % (border ${figure(rule.threshold)} %).`,
    };
  }

  function shm({ name, total, available }: Mount): Finding {
    const rule = ruleOf('shm-full');
    const value = (100 * available) / total;
    return {
      ...{ alarm: 'shm-full', about: name, is: standing(value, rule), value, border: rule.threshold, unit: '%' },
      text: () =>
        `${bytes(available)} of the ${bytes(total)} of ${name} are left: ${figure(value)} % (border ${figure(rule.threshold)} %); a loader that writes beyond its end dies of SIGBUS.`,
    };
  }

  function disk(mount: Mount): Finding {
    const rule = ruleOf('disk-full');
    const { name, total, available, inodes, uses } = mount;
    const value = (100 * available) / total;
    const untilMs = untilFull(mount);
    const [byBytes, byRoom] = [standing(value, rule), standing(available, plenty)];
    const byFiles = Number.isNaN(inodes)
      ? 'over'
      : standing(inodes, { threshold: rule.threshold / 5, clear: rule.clear / 5 });
    const isSoon = untilMs !== undefined && untilMs <= soonMs && value <= trendShare;
    const isBeyond = (byBytes === 'beyond' && byRoom === 'beyond') || byFiles === 'beyond' || isSoon;
    if (isSoon) mount.soonAt = mount.at;
    // Checkpoints fill it by leaps: between two of them it does not fill up.
    const isCalm = mount.at - mount.soonAt > trendMs || value > calmShare;
    const isOver = (byBytes === 'over' || byRoom === 'over') && byFiles === 'over' && isCalm;
    const files = byFiles === 'beyond';
    const until =
      untilMs === undefined || untilMs > 24 * 3_600_000
        ? ''
        : `; at the speed of the last minutes it is full in ${span(untilMs)}`;
    return {
      ...{ alarm: 'disk-full', about: name, is: isBeyond ? 'beyond' : isOver ? 'over' : 'between' },
      ...{ value: files ? inodes : value, border: files ? rule.threshold / 5 : rule.threshold, unit: '%' },
      text: () =>
        files
          ? `${figure(inodes)} % of the files (inodes) that ${name} (${usesText(uses)}) can hold are left (border ${figure(rule.threshold / 5)} %).`
          : `${bytes(available)} of the ${bytes(total)} of ${name} (${usesText(uses)}) are left: ${figure(value)} % (border ${figure(rule.threshold)} %)${until}.`,
    };
  }

  return {
    take(sample) {
      if (sample.kind === 'host') host = sample;
      else if (sample.kind === 'disks') takeDisks(sample);
    },
    read(now) {
      const found: Finding[] = [];
      const ofMemory = host && now - host.receivedAt < staleMs ? memory(host) : undefined;
      if (ofMemory) found.push(ofMemory);
      for (const mount of mounts.values()) {
        if (now - mount.at > staleMs || !(mount.total > 0) || Number.isNaN(mount.available)) continue;
        found.push((mount.found ??= mount.uses.includes('shm') ? shm(mount) : disk(mount)));
      }
      const heard = found.filter(({ alarm }) => !ruleOf(alarm).off);
      return heard.length > 0 ? heard : nothing;
    },
    forgetRun() {},
  };
};

/** When nothing is left at the speed of the last minutes, in ms; undefined: it does not fill up, or not for long enough. */
function untilFull({ looks }: Mount): number | undefined {
  const [first, last] = [looks[0], looks.at(-1)];
  if (!first || !last || last.at - first.at < shortestTrendMs) return undefined;
  // One checkpoint is no trend: both halves must fall.
  const middle = looks[looks.length >> 1] ?? first;
  const [early, late] = [
    (first.available - middle.available) / (middle.at - first.at),
    (middle.available - last.available) / (last.at - middle.at),
  ];
  const speed = Math.min(early, late);
  return speed > 0 ? last.available / speed : undefined;
}

const words: Readonly<Record<string, string>> = {
  run: 'folder of the run',
  log: 'its log',
  checkpoints: 'its checkpoints',
  tmp: '/tmp',
};

const usesText = (uses: readonly string[]) => uses.map((use) => words[use] ?? use).join(', ');
