import type { GpusSample, LogSample, SourceSample, ThreadsSample } from '../../src/model/samples.ts';

/** When the tests' samples begin. */
export const start = 1_000_000;

export const head = (time: number, source: string) => ({ host: 'h', source, time, receivedAt: time });

export const gpus = (time: number, utilization: number | null): GpusSample => ({
  kind: 'gpus',
  ...head(time, 'gpu'),
  uuid: ['GPU-a'],
  index: [0],
  name: ['H200'],
  utilizationPercent: [utilization],
});

export const threads = (time: number, percents: readonly number[]): ThreadsSample => ({
  kind: 'threads',
  ...head(time, 'threads'),
  reader: 'proc',
  pid: percents.map(() => 1),
  tid: percents.map((_, i) => i + 1),
  comm: percents.map(() => 'python3'),
  state: percents.map(() => 'S'),
  core: percents.map(() => 0),
  cpuPercent: percents,
  userPercent: percents,
  systemPercent: percents.map(() => 0),
  runQueuePercent: percents.map(() => 0),
});

export const source = (time: number, status: SourceSample['status']): SourceSample => ({
  kind: 'source',
  ...head(time, 'gpu'),
  status,
});

export const log = (time: number, texts: readonly string[]): LogSample => ({
  kind: 'log',
  ...head(time, 'log'),
  path: '/x.log',
  format: 'generic',
  lines: texts.map((text) => ({ text, time })),
});
