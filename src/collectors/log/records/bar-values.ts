import type { LogValues } from '../../../model/samples.ts';
import type { Bar } from '../bar.ts';
import { exact } from '../numbers.ts';

/** What a bar itself says, without the words and numbers around it. `counts`: the steps of the training loop, of all or of one epoch. */
export function barValues(bar: Bar, counts: 'run' | 'epoch' | 'nothing'): LogValues {
  const { done, total, itemsPerSecond, secondsPerItem, elapsedSeconds, etaSeconds, unit = '' } = bar;
  const items = /^(?:tok|sample|example|img|image|seq)/i.exec(unit)?.[0];
  if (counts === 'nothing')
    return { other: { step_in_epoch: done, ...(total !== undefined && { steps_per_epoch: total }) } };
  if (/^(?:[kKMGT]i?)?B$|^bytes?$|^files?$/.test(unit)) return {};
  const times = elapsedSeconds === undefined ? {} : { elapsedSeconds };
  if (items !== undefined) {
    const rate = /^tok/i.test(items) ? 'tokensPerSecond' : 'samplesPerSecond';
    return {
      ...times,
      ...(etaSeconds !== undefined && { etaSeconds }),
      ...(itemsPerSecond !== undefined && { [rate]: itemsPerSecond }),
      other: { [`${items}s`]: done, ...(total !== undefined && { [`total_${items}s`]: total }) },
    };
  }
  const rates = {
    ...(itemsPerSecond !== undefined && { iterationsPerSecond: itemsPerSecond }),
    ...(secondsPerItem !== undefined && { stepSeconds: exact(secondsPerItem) }),
  };
  if (counts === 'epoch') {
    return {
      ...times,
      ...rates,
      stepInEpoch: done,
      ...(total !== undefined && { stepsPerEpoch: total }),
      // It counts down to the end of the epoch and not of the training.
      ...(etaSeconds !== undefined && { other: { epoch_eta_seconds: etaSeconds } }),
    };
  }
  return {
    ...times,
    ...rates,
    step: done,
    ...(total !== undefined && { totalSteps: total }),
    ...(etaSeconds !== undefined && { etaSeconds }),
  };
}

/** The epoch that a bar's description names: `Epoch 3`, `Epoch 3/9`, `Train epoch [3/9]`, `Ep 3`. */
export function epochOf(description: string): number | undefined {
  const match = /(?:^|[\s\W])ep(?:och)?s?[\s:#=]*\[?(\d{1,6})(?![\d.%])/i.exec(description);
  return match ? Number(match[1]) : undefined;
}
