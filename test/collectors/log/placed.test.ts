import { expect, it } from 'vitest';
import { readExtents } from './records/extents.ts';

it('takes the step and the epoch that a sentence tells, but of a checkpoint written meanwhile', async () => {
  const lines: readonly (readonly [string, object | undefined])[] = [
    ['saved checkpoint for step 400, keeping the last 3', { step: 400 }],
    ['step 500 loss 2.3', { step: 500, loss: 2.3 }],
    ['saved checkpoint for step 400, keeping the last 3', undefined],
    ['checkpoint saved, step 500, 3 files', { step: 500 }],
    ['Saving checkpoint to ckpt/step_600', undefined],
    ['non-finite gradient at step 12,430, step skipped', { step: 12430 }],
    ['Epoche 3 beendet', { epoch: 3 }],
  ];
  const { records } = await readExtents(lines.map(([text]) => text).join('\n'));
  expect(records.map(({ values }) => values)).toEqual(lines.map(([, values]) => values));
});
