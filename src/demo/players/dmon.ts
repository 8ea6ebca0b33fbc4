import type { DemoCounters } from '../gpu-counters.ts';
import type { DemoGpu } from '../gpu.ts';
import type { Stage } from '../shell.ts';
import { nvmlFault } from './gpu.ts';

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

/** What the source's script has of `dmon --gpm-metrics`: bursts of three rounds, told when the third is there, and a pause. Each tells the round before its own, so the first two have no values. */
export function playDmon({ machine, clock, body, print, every, after }: Stage): void {
  const metrics = /--gpm-metrics=([\d,]+)/.exec(body)?.[1]?.split(',').map(Number);
  const [, step, rounds, pause] = (/ dmon .*-d (\d+) -c (\d+)[^]*?; sleep (\d+)/.exec(body) ?? []).map(Number);
  if (!metrics || !step || !rounds || !pause) return;
  const up = () => machine.uptime(clock.now());
  const rows = (counters?: readonly DemoCounters[]) =>
    machine.gpus(up()).flatMap((gpu, i) => (gpu.lost ? [] : dmonRow(gpu, counters?.[i], metrics)));
  const burst = () => {
    if (nvmlFault(machine, up()) !== undefined) return;
    const lines = [...dmonHeader(metrics), ...rows(), ...rows(), ...rows(machine.gpuCounters(up() - step, step))];
    print(lines.map((line) => `gpm ${line}\n`).join(''));
  };
  after((rounds - 1) * step * 1000, () => {
    burst();
    every((rounds * step + pause) * 1000, burst);
  });
}

/** The two lines above the rows of `dmon -s u`. */
function dmonHeader(metrics: readonly number[]): readonly string[] {
  const names = metrics.flatMap((number) => gpmColumns.get(number)?.name ?? []);
  return [
    `# gpu     sm    mem    enc    dec    jpg    ofa ${names.map((name) => name.padStart(10)).join(' ')} `,
    `# Idx      %      %      %      %      %      % ${names.map((name) => (/^(pci|nvl)/.test(name) ? 'GPM:MiB/s' : 'GPM:%').padStart(10)).join(' ')} `,
  ];
}

/** One GPU's row; without counters those of the first rounds. */
function dmonRow(gpu: DemoGpu, counters: DemoCounters | undefined, metrics: readonly number[]): string {
  const values = metrics.flatMap((number) => {
    const column = gpmColumns.get(number);
    return column ? [counters ? String(Math.round(column.of(counters))) : '-'] : [];
  });
  const uses = [gpu.utilization, gpu.memoryUtilization, 0, 0, 0, 0].map(Math.round);
  return `${String(gpu.index).padStart(5)} ${uses.map((percent) => String(percent).padStart(6)).join(' ')} ${values.map((value) => value.padStart(10)).join(' ')} `;
}
