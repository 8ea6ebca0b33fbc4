import type { LogValues } from '../../../model/samples.ts';
import type { Bar } from '../bar.ts';
import { exact } from '../numbers.ts';

/** What a bar itself says, without the words and numbers around it. `counts`: the steps of the training loop, of all or of one epoch. */
export function barValues(bar: Bar, counts: 'run' | 'epoch' | 'evaluation' | 'nothing'): LogValues {
  const { done, total, itemsPerSecond, secondsPerItem, elapsedSeconds, etaSeconds, unit = '' } = bar;
  const items = itemsOf(unit);
  if (counts === 'nothing') return {};
  if (counts === 'evaluation')
    return { other: { step_in_epoch: done, ...(total !== undefined && { steps_per_epoch: total }) } };
  if (/^(?:[kKMGT]i?)?B$|^bytes?$|^files?$/.test(unit)) return {};
  const times = elapsedSeconds === undefined ? {} : { elapsedSeconds };
  if (items !== undefined) {
    const rate = items === 'tokens' ? 'tokensPerSecond' : 'samplesPerSecond';
    return {
      ...times,
      ...(etaSeconds !== undefined && { etaSeconds }),
      ...(itemsPerSecond !== undefined && { [rate]: itemsPerSecond }),
      other: { [items]: done, ...(total !== undefined && { [`total_${items}`]: total }) },
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

/** What a bar counts that is no step. */
function itemsOf(unit: string): string | undefined {
  const [, word] = /^(tok|sample|example|ex$|im(?:age|g)|seq)/i.exec(unit) ?? [];
  if (word === undefined) return undefined;
  return /^tok/i.test(word) ? 'tokens' : 'samples';
}

/** The epoch that a bar's description names: `Epoch 3`, `Epoch 3/9`, `Train epoch [3/9]`, `Ep 3`. */
export function epochOf(description: string): number | undefined {
  const match = /(?:^|[\s\W])ep(?:och)?s?[\s:#=]*\[?(\d{1,6})(?![\d.%])/i.exec(description);
  return match ? Number(match[1]) : undefined;
}
