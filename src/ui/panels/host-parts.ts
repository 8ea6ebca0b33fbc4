import { seriesName } from '../../model/history.ts';
import type { HostSample } from '../../model/samples.ts';
import { bar } from '../parts/bar.ts';
import { absent, formatBytesShort, formatFixed, formatPercent } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { named } from '../parts/meter.ts';
import { slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import { flow } from '../parts/table.ts';
import { drawnAt } from '../use-store.ts';
import { roomLine } from './host-room.ts';
import type { PanelInput } from './panel.ts';

/** The host's meters, the most telling first: a low panel shows the first ones. */
export function hostMeters(input: PanelInput, host: HostSample): readonly Line[] {
  const { width } = input;
  const meter = Math.max(0, Math.min(20, Math.floor(width / 4)));
  const label = (text: string): Segment => ({ text: text.padEnd(6), tone: 'title' });
  const cores = host.coreLimit ?? host.cores;
  const room = roomLine(input.state.disks, width);
  return [
    flow(
      [
        [
          label('CPU'),
          ...bar([{ share: share(host.busyPercent), tone: 'series1' }], meter),
          { text: ` ${formatPercent(host.busyPercent).padStart(4)}` },
        ],
        busyGraph(input, Math.max(0, Math.min(30, width - meter - 50))),
        named('load', loads(host, cores)),
        named('of', cores === undefined ? absent : `${formatFixed(cores, Number.isInteger(cores) ? 0 : 1)} cores`),
        named('I/O wait', padded(percent1(host.ioWaitPercent), 5), above(host.ioWaitPercent, 10)),
      ],
      width,
    ),
    flow(
      [[label('MEM'), ...memory(host, meter)], named('swap', padded(formatBytesShort(host.swapUsedBytes), 5))],
      width,
    ),
    ...(room?.isUrgent ? [room.line] : []),
    flow(
      [
        [
          label('WAITS'),
          ...named('cpu', padded(percent1(host.cpuPressurePercent), 5), above(host.cpuPressurePercent, 20)),
        ],
        named('memory', padded(percent1(host.memoryPressurePercent), 5), above(host.memoryPressurePercent, 5)),
        named('I/O', padded(percent1(host.ioPressurePercent), 5), above(host.ioPressurePercent, 20)),
        [{ text: 'share of the last 10 s', tone: 'dim' }],
      ],
      width,
    ),
    flow(
      [
        [label('DISK'), ...named('read', rate(host.diskReadBytesPerSecond))],
        named('write', rate(host.diskWriteBytesPerSecond)),
        named('busiest disk', padded(formatPercent(host.diskBusyPercent), 4), above(host.diskBusyPercent, 90)),
      ],
      width,
    ),
    flow(
      [
        [label('RUN'), ...named('read', rate(host.runReadBytesPerSecond))],
        named('write', rate(host.runWriteBytesPerSecond)),
      ],
      width,
    ),
    ...(room && !room.isUrgent ? [room.line] : []),
    flow(
      [
        [
          label('COST'),
          ...named(
            'traintop',
            padded(
              host.costCpuPercent === undefined ? absent : `${formatFixed(host.costCpuPercent, 1)}% of a core`,
              15,
            ),
          ),
        ],
        [{ text: padded(formatBytesShort(host.costMemoryBytes), 5) }],
        host.costProcesses === undefined ? [] : [{ text: `${host.costProcesses} processes` }],
      ],
      width,
    ),
  ];
}

function busyGraph({ history, state, intervalMs }: PanelInput, width: number): Line {
  if (width < 8) return [];
  const values = slotsOf(history.get(seriesName.hostBusy), {
    to: drawnAt(state),
    slotMs: intervalMs,
    count: width * slotsPerCell,
  });
  return [{ text: spark({ values, rows: 1, minimum: 0, maximum: 100 })[0] ?? '', tone: 'series1' }];
}

/** The cgroup's limit is what the run hits first. */
function memory(host: HostSample, width: number): Line {
  const total = host.memoryLimitBytes ?? host.memoryTotalBytes;
  const fromHost =
    host.memoryTotalBytes !== undefined && host.memoryAvailableBytes !== undefined
      ? host.memoryTotalBytes - host.memoryAvailableBytes
      : undefined;
  const used = host.memoryLimitBytes === undefined ? (fromHost ?? host.memoryUsedBytes) : host.memoryUsedBytes;
  const part = used === undefined || !total ? undefined : used / total;
  return [
    ...bar([{ share: part, tone: (part ?? 0) > 0.95 ? 'bad' : 'series2' }], width),
    {
      text: ` ${formatPercent(part === undefined ? undefined : part * 100).padStart(4)}`,
      tone: (part ?? 0) > 0.95 ? 'bad' : 'plain',
    },
    {
      text: ` ${padded(formatBytesShort(used), 5)} of ${formatBytesShort(total)}${host.memoryLimitBytes === undefined ? '' : ' (limit)'}`,
    },
  ];
}

function loads({ load1, load5, load15 }: HostSample, cores: number | undefined): string {
  return [load1, load5, load15].map((load) => padded(formatFixed(load, 1), (cores ?? 0) >= 100 ? 5 : 4)).join(' ');
}

function rate(bytesPerSecond: number | undefined): string {
  return padded(bytesPerSecond === undefined ? absent : `${formatBytesShort(bytesPerSecond)}/s`, 7);
}

function percent1(value: number | undefined): string {
  return value === undefined ? absent : `${formatFixed(value, 1)}%`;
}

function above(value: number | undefined, limit: number): Tone {
  return value !== undefined && value >= limit ? 'warn' : 'plain';
}

function share(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}

/** Changing digits do not move what follows. */
function padded(text: string, width: number): string {
  return text.padStart(width);
}
