import { createManualClock } from '../src/clock.ts';
import type { Sample } from '../src/model/samples.ts';
import { createStore } from '../src/model/store.ts';

const start = Date.UTC(2026, 5, 12);
const everySeconds = 5;
const daySeconds = 86_400;
const threads = 300;
const active = 60;
const gpus = 8;

/** `days` of frames into a store alone: 8 GPUs, 300 threads that are others after each hour, a log. `onDay` is called after each. */
export async function storeDays(days: number, onDay: () => Promise<void>): Promise<void> {
  const clock = createManualClock(start);
  const store = createStore(clock, everySeconds * 1000);
  for (let second = everySeconds; second <= days * daySeconds; second += everySeconds) {
    clock.advance(everySeconds * 1000);
    for (const sample of frame(clock.now(), second)) store.push(sample);
    // As a recorder does.
    if (second % 60 === 0) store.history.takeMinutes();
    if (second % daySeconds === 0) await onDay();
  }
  store.stop();
}

function frame(time: number, second: number): readonly Sample[] {
  const head = (source: string) => ({ host: 'gpu7', source, time, receivedAt: time });
  const each = Array.from({ length: gpus }, (_, i) => i);
  const wave = (mean: number) => each.map((i) => mean * (1 + 0.1 * Math.sin(second / 50 + i)));
  const rows = Array.from({ length: threads }, (_, i) => i);
  const hour = Math.floor(second / 3600);
  const percents = rows.map((i) => (i < active ? 20 + ((second + i) % 60) : 0));
  return [
    {
      kind: 'gpus',
      ...head('gpu'),
      uuid: each.map((i) => `GPU-${i}`),
      index: each,
      name: each.map(() => 'NVIDIA H200'),
      utilizationPercent: wave(90),
      memoryUsedBytes: wave(120e9),
      powerWatts: wave(600),
      temperatureCelsius: wave(60),
      smClockMhz: wave(1900),
    },
    {
      kind: 'threads',
      ...head('threads'),
      reader: 'proc',
      pid: rows.map(() => 1000 + hour),
      tid: rows.map((i) => 2000 + hour * threads + i),
      comm: rows.map((i) => `worker-${i}`),
      state: rows.map(() => 'S'),
      core: rows.map((i) => i % 64),
      cpuPercent: percents,
      userPercent: percents,
      systemPercent: rows.map(() => 0),
      runQueuePercent: rows.map(() => 0),
    },
    { kind: 'host', ...head('host'), busyPercent: 40, load1: 12, memoryTotalBytes: 2e12, memoryAvailableBytes: 1e12 },
    {
      kind: 'log',
      ...head('log'),
      path: `/out/train.log.${hour}`,
      format: 'generic',
      lines: [
        {
          time,
          text: `step ${second} loss ${(2 + 1 / second).toFixed(4)} 14.5K tok/s q_hs=7/16`,
          values: {
            ...{ step: second, loss: 2 + 1 / second, tokensPerSecond: 14_500, gradNorm: 0.7 },
            queues: [{ name: 'q_hs', depth: second % 16, capacity: 16 }],
          },
        },
      ],
    },
  ];
}
