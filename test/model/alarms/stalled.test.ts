import { expect, test } from 'vitest';
import { createStage, gpus, start, threads, verdict, warmUp } from './made.ts';

test.each([
  ['of a pace that is known no-step says when, and stalled does not ring before it', {}, []],
  ['where no-step is off, stalled rings', { rules: { 'no-step': { off: true } } }, ['verdict']],
  [
    'where it is asked for by name, stalled rings',
    { verdicts: [{ situation: 'stalled', forMs: 30_000 }] },
    ['verdict'],
  ],
] as const)('%s', (_, settings, rings) => {
  const stage = createStage(settings);
  warmUp(stage);
  // GPUs that work say that the log is late: no-step is silent.
  stage.play(200, 400, (s) => [
    gpus(s, 97, 640),
    threads(s, 150),
    verdict(s, { situation: 'stalled', since: start + 200_000 }),
  ]);
  expect(stage.all.map(({ alarm }) => alarm)).toEqual(rings);
});
