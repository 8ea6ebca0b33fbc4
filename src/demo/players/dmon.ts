import type { DemoCounters } from '../gpu-counters.ts';
import type { DemoGpu } from '../gpu.ts';
import type { Stage } from '../shell.ts';

/** What `nvidia-smi dmon --gpm-metrics` calls a metric, by its number, and its value. */
const gpmColumns: ReadonlyMap<number, { readonly name: string; readonly of: (counters: DemoCounters) => number }> =
  new Map([
    [2, { name: 'smutil', of: ({ smActive }) => smActive }],
    [3, { name: 'smocc', of: ({ smOccupancy }) => smOccupancy }],
    [5, { name: 'mmaact', of: ({ tensor }) => tensor }],
    [10, { name: 'dram', of: ({ dram }) => dram }],
    [20, { name: 'pcitx', of: ({ pcieTxMib }) => pcieTxMib }],
    [21, { name: 'pcirx', of: ({ pcieRxMib }) => pcieRxMib }],
    [60, { name: 'nvlrx', of: ({ nvlinkMib }) => nvlinkMib }],
    [61, { name: 'nvltx', of: ({ nvlinkMib }) => nvlinkMib }],
  ]);

/** What the source's script has of `dmon --gpm-metrics`: three quick rounds, told when the third is there, then the slow ones. Each tells the round before its own, so the first two have no values. */
export function playDmon({ machine, clock, body, print, every, after }: Stage): void {
  const metrics = /--gpm-metrics=([\d,]+)/.exec(body)?.[1]?.split(',').map(Number);
  const seconds = Number(/; dmon -d (\d+)/.exec(body)?.[1]);
  if (!metrics || !(seconds > 0)) return;
  const up = () => machine.uptime(clock.now());
  const counted = (round: number) => machine.gpuCounters(up() - round, round);
  const rows = (counters?: readonly DemoCounters[]) =>
    machine.gpus(up()).map((gpu, i) => dmonRow(gpu, counters?.[i], metrics));
  const say = (lines: readonly string[]) => print(lines.map((line) => `gpm ${line}\n`).join(''));
  after(2000, () => {
    say([...dmonHeader(metrics), ...rows(), ...rows(), ...rows(counted(1))]);
    say([...dmonHeader(metrics), ...rows()]);
    let rounds = 1;
    every(seconds * 1000, () => say(rows(++rounds > 2 ? counted(seconds) : undefined)));
  });
}

/** The two lines above the rows of `dmon -s m`. */
function dmonHeader(metrics: readonly number[]): readonly string[] {
  const names = metrics.flatMap((number) => gpmColumns.get(number)?.name ?? []);
  return [
    `# gpu     fb   bar1   ccpm ${names.map((name) => name.padStart(10)).join(' ')} `,
    `# Idx     MB     MB     MB ${names.map((name) => (/^(pci|nvl)/.test(name) ? 'GPM:MiB/s' : 'GPM:%').padStart(10)).join(' ')} `,
  ];
}

/** One GPU's row; without counters those of the first rounds. */
function dmonRow(gpu: DemoGpu, counters: DemoCounters | undefined, metrics: readonly number[]): string {
  const values = metrics.flatMap((number) => {
    const column = gpmColumns.get(number);
    return column ? [counters ? String(Math.round(column.of(counters))) : '-'] : [];
  });
  const memory = [gpu.memoryUsedMib, gpu.memoryUsedMib + 1, 0];
  return `${String(gpu.index).padStart(5)} ${memory.map((mib) => String(mib).padStart(6)).join(' ')} ${values.map((value) => value.padStart(10)).join(' ')} `;
}
