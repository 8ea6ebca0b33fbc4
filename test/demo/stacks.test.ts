import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { captureStacks } from '../../src/collectors/stacks/dump.ts';
import type { StacksSample } from '../../src/model/samples.ts';
import { demoStart, playDemo } from '../support/demo-recording.ts';

interface Wish {
  readonly scenario: string;
  readonly pids: readonly number[];
  /** Demo seconds. */
  readonly at: number;
}

/** Dumps of processes of the demo host at a moment, by the real script and parser. */
async function dumps({ scenario, pids, at }: Wish): Promise<readonly StacksSample[]> {
  let dumped: readonly Promise<StacksSample>[] = [];
  await playDemo({
    scenario,
    seconds: at + 5,
    stepMs: 1000,
    onStep({ runner: { job, context } }, second) {
      const now = context();
      if (second !== at || !now) return;
      const clock = createManualClock(demoStart + at * 1000);
      dumped = pids.map((pid) => captureStacks({ job, context: now, pid, dataDir: '', clock, save: false }));
    },
  });
  return Promise.all(dumped);
}

const thread = (dump: StacksSample | undefined, name: string) => dump?.threads.find((each) => each.name === name);
const functions = (dump: StacksSample | undefined, name: string) =>
  thread(dump, name)?.frames.map((frame) => frame.function);

test('in a hang the ranks are found where they wait, and none has the GIL', { timeout: 120_000 }, async () => {
  const [waiting, stuck] = await dumps({ scenario: 'hang', pids: [41_269, 41_274], at: 200 });
  expect(functions(waiting, 'MainThread')?.slice(0, 2)).toEqual(['synchronize', 'all_reduce']);
  expect(waiting?.threads.some(({ ownsGil }) => ownsGil)).toBe(false);
  expect(functions(stuck, 'MainThread')?.[0]).toBe('acquire');
  expect(thread(stuck, 'MainThread')?.active).toBe(false);
});

test('a starved run is found in its data code', { timeout: 120_000 }, async () => {
  const [worker, main] = await dumps({ scenario: 'input-bound', pids: [41_607, 41_207], at: 200 });
  expect(functions(worker, 'MainThread')).toEqual(['read', '__getitem__', '_worker_loop']);
  expect(functions(main, 'target-0')?.slice(0, 2)).toEqual(['get', 'target_loop']);
  const [slow] = await dumps({ scenario: 'straggler', pids: [41_272], at: 170 });
  expect(functions(slow, 'MainThread')?.slice(0, 2)).toEqual(['encode', 'collate']);
  expect(thread(slow, 'MainThread')?.ownsGil).toBe(true);
});

test('of a process that ended there is none', { timeout: 120_000 }, async () => {
  const [gone] = await dumps({ scenario: 'oom', pids: [41_207], at: 255 });
  expect(gone?.threads).toEqual([]);
  expect(gone?.failure).toBeDefined();
});
