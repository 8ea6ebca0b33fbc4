import { afterEach, beforeEach } from 'vitest';
import { createManualClock, type ManualClock } from '../../src/clock.ts';
import type { Collector, Context, Plan } from '../../src/collectors/collector.ts';
import { createRunner, type Runner } from '../../src/collectors/run.ts';
import type { HostSample, Sample, SourceSample } from '../../src/model/samples.ts';
import { createFakeTransport, probeAnswer, type FakeShell, type FakeTransport } from '../support/fake-transport.ts';

// A runner on a fake host and a clock turned by hand, made anew for each test of the file that imports this.
/** When every manual clock begins. */
export const start = 1_700_000_000_000;
export let clock: ManualClock;
/** How far the clock of this machine was set back, in ms. */
export const machine = { back: 0 };
export let fake: FakeTransport;
export let samples: Sample[];
export let runner: Runner;

beforeEach(() => {
  clock = createManualClock(start);
  machine.back = 0;
  fake = createFakeTransport();
  samples = [];
});
afterEach(async () => {
  await runner.stop();
  fake.verify();
});

/** A source whose every line is a load. */
export function plan(more: Partial<Plan> = {}): Plan {
  return {
    key: 'load',
    source: 'load',
    body: 'show load',
    staleAfterMs: 5000,
    parser: () => {
      let rejected = 0;
      return {
        push(line, receivedAt): readonly HostSample[] {
          if (/^[\d.]+$/.test(line))
            return [{ kind: 'host', host: 'fake', source: 'load', time: receivedAt, receivedAt, load1: Number(line) }];
          rejected++;
          return [];
        },
        get rejected() {
          return rejected;
        },
      };
    },
    ...more,
  };
}

/** Connects a runner with one collector to the fake host. */
export async function run(plans: (context: Context) => ReturnType<Collector['plans']>, { probes = true } = {}) {
  if (probes) fake.expect('probe', answerProbe);
  runner = createRunner({
    transport: fake,
    collectors: [{ id: 'load', plans }],
    options: { intervalMs: 1000, threads: 'proc', logs: [] },
    clock: { ...clock, now: () => clock.now() - machine.back },
    onSample: (sample) => void samples.push(sample),
  });
  const started = runner.start();
  await Promise.race([fake.settle(), started]);
  await started;
  await fake.settle();
}

/** Answers the probe as a plain host. */
export function answerProbe(shell: FakeShell) {
  shell.say(...probeAnswer);
  shell.end();
}

/** Goes on by steps, so that what a timer starts arrives in between. */
export async function pass(ms: number) {
  for (let gone = 0; gone < ms; gone += 500) {
    clock.advance(Math.min(500, ms - gone));
    await fake.settle();
  }
}

/** What the Samples so far say of the source, in order. */
export const states = () => samples.filter((s): s is SourceSample => s.kind === 'source').map(({ status }) => status);
export const loads = () => samples.flatMap((s) => (s.kind === 'host' ? s.load1 : []));

/** Takes a runner that the test made itself, to be stopped after it. */
export function adopt(made: Runner): void {
  runner = made;
}
