import type { Machine } from '../machine.ts';
import type { DemoMount, HostEffect } from '../scenario.ts';
import type { Stage } from '../shell.ts';
import { occurrences } from '../span.ts';

/** A healthy file system of the demo host. */
interface Healthy {
  readonly device: string;
  readonly totalBytes: number;
  readonly availableBytes: number;
  readonly totalInodes: number;
  readonly freeInodes: number;
}

const disks: Readonly<Record<DemoMount, Healthy>> = {
  '/': {
    ...{ device: '/dev/nvme1n1p2', totalBytes: 440e9, availableBytes: 212e9 },
    ...{ totalInodes: 29_300_736, freeInodes: 26_104_118 },
  },
  '/workspace': {
    ...{ device: '/dev/nvme0n1', totalBytes: 28e12, availableBytes: 9.4e12 },
    ...{ totalInodes: 1_875_397_632, freeInodes: 1_702_884_310 },
  },
};
const shmBytes = 1056 * 2 ** 30;
const shmFiles = 128 * 1024 * 1024;

/** Where a figure of the host is: its healthy value, and what the effects make of it. */
export function levelOf(
  machine: Machine,
  up: number,
  healthy: number,
  of: (effect: HostEffect) => number | undefined,
): number {
  return machine.effects(up).reduce((level, { effect, strength }) => {
    const target = effect.host && of(effect.host);
    return target === undefined ? level : level + (target - level) * strength;
  }, healthy);
}

/** The slow looks of the source `host` (collectors/host/look-script.ts), by what stands behind the tick's second `|`. */
export function playLooks({ machine, clock, print }: Pick<Stage, 'machine' | 'clock' | 'print'>) {
  let told = -Infinity;
  return (look: string) => {
    const up = machine.uptime(clock.now());
    const [, number = '', how = '', words = ''] = /^(\d+) (\S+) \S+(.*)$/s.exec(look) ?? [];
    const paths = Array.from(words.matchAll(/'([^']*)'/g), ([, path = '']) => path);
    const lines = how === 'dmesg' ? kernelLines(machine, up).filter((line) => line.up > told) : [];
    told = lines.at(-1)?.up ?? told;
    print(
      [
        `=look ${number}`,
        ...paths.map((path, i) => `=df ${i + 1} k ${dfRow(machine, up, path, 'k')}`),
        ...paths.map((path, i) => `=df ${i + 1} i ${dfRow(machine, up, path, 'i')}`),
        ...lines.map(({ up: stamp, text }) => `=kernel [${stamp.toFixed(6)}] ${text}`),
        ...['0m0.000s 0m0.000s', '0m0.000s 0m0.000s', '=.', ''],
      ].join('\n'),
    );
  };
}

function dfRow(machine: Machine, up: number, path: string, of: 'k' | 'i'): string {
  const level = (healthy: number, effect: (host: HostEffect) => number | undefined) =>
    Math.round(Math.max(0, levelOf(machine, up, healthy, effect)));
  const row = (device: string, total: number, left: number, mount: string) => {
    const used = Math.max(0, total - left);
    return `${device} ${total} ${used} ${left} ${Math.ceil((100 * used) / total)}% ${mount}`;
  };
  if (path === '/dev/shm') {
    if (of === 'i') return row('tmpfs', shmFiles, shmFiles - 212, path);
    const used = Math.min(
      shmBytes,
      level(6 * 2 ** 30, (host) => host.shmUsedBytes),
    );
    return row('tmpfs', shmBytes / 1024, Math.round((shmBytes - used) / 1024), path);
  }
  const mount: DemoMount = path.startsWith('/workspace') ? '/workspace' : '/';
  const { device, totalBytes, availableBytes, totalInodes, freeInodes } = disks[mount];
  if (of === 'i')
    return row(
      device,
      totalInodes,
      level(freeInodes, (host) => host.diskFreeInodes?.[mount]),
      mount,
    );
  const left = level(availableBytes, (host) => host.diskAvailable?.[mount]);
  return row(device, Math.round(totalBytes / 1024), Math.round(left / 1024), mount);
}

const mostLines = 20;

/** What the kernel has said until then, oldest first. */
function kernelLines(machine: Machine, up: number) {
  const at = up - machine.startUp;
  return (machine.scenario.kernel ?? [])
    .flatMap(({ at: from, every, lines }) =>
      Array.from(occurrences({ from, ...(every !== undefined && { every }) }, at + 1e-9)).flatMap(({ from: when }) =>
        lines.map((text, i) => ({ up: machine.startUp + when + i / 1000, text })),
      ),
    )
    .sort((a, b) => a.up - b.up)
    .slice(-mostLines)
    .map(({ up: stamp, text }) => ({
      up: stamp,
      text: text.replaceAll('{pid}', String((machine.run(stamp) ?? machine.run(stamp - 10))?.plan.pid ?? 1)),
    }));
}
