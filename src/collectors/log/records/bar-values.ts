import type { LogValues } from '../../../model/samples.ts';
import type { Bar } from '../bar.ts';
import { exact } from '../numbers.ts';
import { remember } from '../values/remember.ts';

/** What a bar itself says, without the words and numbers around it. `counts`: the steps of the training loop, of all or of one epoch. */
export function barValues(bar: Bar, counts: 'run' | 'epoch' | 'evaluation' | 'nothing'): LogValues {
  const { done, total, itemsPerSecond, secondsPerItem, elapsedSeconds, etaSeconds, unit = '' } = bar;
  const items = itemsOf(unit);
  if (counts === 'nothing') return {};
  if (counts === 'evaluation')
    return { other: { step_in_epoch: done, ...(total !== undefined && { steps_per_epoch: total }) } };
  if (isOfFiles(unit)) return {};
  const values: Writable<LogValues> = {};
  if (elapsedSeconds !== undefined) values.elapsedSeconds = elapsedSeconds;
  if (items !== undefined) {
    if (etaSeconds !== undefined) values.etaSeconds = etaSeconds;
    if (itemsPerSecond !== undefined)
      values[items === 'tokens' ? 'tokensPerSecond' : 'samplesPerSecond'] = itemsPerSecond;
    values.other = { [items]: done, ...(total !== undefined && { [`total_${items}`]: total }) };
    return values;
  }
  if (itemsPerSecond !== undefined) values.iterationsPerSecond = itemsPerSecond;
  if (secondsPerItem !== undefined) values.stepSeconds = exact(secondsPerItem);
  if (counts === 'epoch') {
    values.stepInEpoch = done;
    if (total !== undefined) values.stepsPerEpoch = total;
    // It counts down to the end of the epoch and not of the training.
    if (etaSeconds !== undefined) values.other = { epoch_eta_seconds: etaSeconds };
    return values;
  }
  values.step = done;
  if (total !== undefined) values.totalSteps = total;
  if (etaSeconds !== undefined) values.etaSeconds = etaSeconds;
  return values;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const isOfFiles = remember((unit) => /^(?:[kKMGT]i?)?B$|^bytes?$|^files?$/.test(unit));
/** What a bar counts that is no step. */
const itemsOf = remember((unit): 'tokens' | 'samples' | undefined => {
  const [, word] = /^(tok|sample|example|ex$|im(?:age|g)|seq)/i.exec(unit) ?? [];
  if (word === undefined) return undefined;
  return /^tok/i.test(word) ? 'tokens' : 'samples';
});

/** The epoch that a bar's description names: `Epoch 3`, `Epoch 3/9`, `Train epoch [3/9]`, `Ep 3`. */
export function epochOf(description: string): number | undefined {
  const match = /(?:^|[\s\W])ep(?:och)?s?[\s:#=]*\[?(\d{1,6})(?![\d.%])/i.exec(description);
  return match ? Number(match[1]) : undefined;
}
