import { createManualClock } from '../src/clock.ts';
import type { LogLine, Sample } from '../src/model/samples.ts';
import { createStore, type Store } from '../src/model/store.ts';
import { writeLine } from '../src/recording/json-line.ts';
import { type Figures, median, report, say } from './figures.ts';

const start = Date.UTC(2026, 5, 12);
const seconds = 700;
const threads = 300;
const linesPerSecond = 20;
const dumps = 16;
const times = 50;
/** It is a part of what a key may wait for. */
const limitMs = 5;

/** What a keyframe holds up the screen for, every five minutes: the state of a store with all that it may have. */
export function measureSaving(): Figures {
  const store = fullStore();
  const [saving, writing] = [() => store.save(), () => writeLine(store.save())].map((act) =>
    Array.from({ length: times }, () => {
      const before = performance.now();
      act();
      return performance.now() - before;
    }),
  );
  store.stop();
  const saveMs = median(saving ?? []);
  say(`  a keyframe of ${threads} threads, a full log and ${dumps} dumps, median of ${times}`);
  report('to save the state', `${saveMs.toFixed(2)} ms`, { text: `< ${limitMs} ms`, met: saveMs < limitMs });
  report('with its line', `${median(writing ?? []).toFixed(1)} ms`);
  return { saveMs };
}

function fullStore(): Store {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  for (let second = 1; second <= seconds; second++) {
    clock.advance(1000);
    store.push(frame(clock.now(), second));
    store.push(log(clock.now(), second));
  }
  for (let pid = 0; pid < dumps; pid++) store.push(dump(clock.now(), pid));
  return store;
}

const head = (source: string, time: number) => ({ host: 'gpu7', source, time, receivedAt: time });

function frame(time: number, second: number): Sample {
  const rows = Array.from({ length: threads }, (_, i) => i);
  return {
    kind: 'threads',
    ...head('threads', time),
    reader: 'proc',
    pid: rows.map(() => 1),
    tid: rows.map((i) => i + 1),
    comm: rows.map(() => 'python3'),
    state: rows.map(() => 'S'),
    core: rows.map(() => 0),
    cpuPercent: rows.map((i) => (i * second) % 100),
    userPercent: rows.map((i) => (i * second) % 100),
    systemPercent: rows.map(() => 0),
    runQueuePercent: rows.map(() => 0),
  };
}

function log(time: number, second: number): Sample {
  const lines = Array.from({ length: linesPerSecond }, (_, i): LogLine => {
    const values = { loss: second, tokensPerSecond: i, gradNorm: 1, queues: [{ name: 'q', depth: i }] };
    return { text: `step ${second * linesPerSecond + i} loss 2.${second} 14.5K tok/s`, time, values };
  });
  return { kind: 'log', ...head('log', time), path: '/out/train.log', format: 'generic', lines };
}

function dump(time: number, pid: number): Sample {
  const frames = Array.from({ length: 30 }, (_, i) => ({ function: `f${i}`, file: '/a/b.py', line: i }));
  const of = (tid: number) => ({ tid, name: `t${tid}`, active: true, ownsGil: false, frames });
  return {
    kind: 'stacks',
    ...head('stacks', time),
    pid,
    command: 'py-spy',
    threads: Array.from({ length: 200 }, (_, i) => of(i)),
  };
}
