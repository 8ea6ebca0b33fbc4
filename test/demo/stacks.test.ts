import { expect, test } from 'vitest';
import type { Sample, StacksSample } from '../../src/model/samples.ts';
import { playDemo } from '../support/demo-recording.ts';

interface Wish {
  readonly scenario: string;
  readonly pids: readonly number[];
  /** Demo seconds. */
  readonly at: number;
}

/** Dumps of processes of the demo host at a moment, by the real script and parser; in the order of `pids`. */
async function dumps({ scenario, pids, at }: Wish) {
  const samples: Sample[] = [];
  await playDemo({
    scenario,
    seconds: at + 10,
    stepMs: 1000,
    onSample: (sample) => samples.push(sample),
    onStep({ captures }, second) {
      if (second === at) captures.start({ what: 'dump', pids });
    },
  });
  const found = samples.filter((sample) => sample.kind === 'stacks');
  const capture = samples.findLast((sample) => sample.kind === 'capture');
  return { capture, found: pids.map((pid) => found.find((dump) => dump.pid === pid)) };
}

const thread = (dump: StacksSample | undefined, name: string) => dump?.threads.find((each) => each.name === name);
const functions = (dump: StacksSample | undefined, name: string) =>
  thread(dump, name)?.frames.map((frame) => frame.function);

test('in a hang the ranks are found where they wait, and none has the GIL', { timeout: 120_000 }, async () => {
  const { found } = await dumps({ scenario: 'hang', pids: [41_269, 41_274], at: 200 });
  const [waiting, stuck] = found;
  expect(functions(waiting, 'MainThread')?.slice(0, 2)).toEqual(['synchronize', 'all_reduce']);
  expect(waiting?.threads.some(({ ownsGil }) => ownsGil)).toBe(false);
  expect(functions(stuck, 'MainThread')?.[0]).toBe('acquire');
  expect(thread(stuck, 'MainThread')?.active).toBe(false);
});

test('a starved run is found in its data code', { timeout: 120_000 }, async () => {
  const [worker, main] = (await dumps({ scenario: 'input-bound', pids: [41_607, 41_207], at: 200 })).found;
  expect(functions(worker, 'MainThread')).toEqual(['read', '__getitem__', '_worker_loop']);
  expect(functions(main, 'target-0')?.slice(0, 2)).toEqual(['get', 'target_loop']);
  const [slow] = (await dumps({ scenario: 'straggler', pids: [41_272], at: 170 })).found;
  expect(functions(slow, 'MainThread')?.slice(0, 2)).toEqual(['encode', 'collate']);
  expect(thread(slow, 'MainThread')?.ownsGil).toBe(true);
});

test('of a process that ended there is none', { timeout: 120_000 }, async () => {
  const { capture, found } = await dumps({ scenario: 'oom', pids: [41_207], at: 255 });
  expect(found).toEqual([undefined]);
  expect(capture).toMatchObject({ state: 'failed', failure: expect.stringMatching(/^Process 41207 on demo is gone$/) });
});
