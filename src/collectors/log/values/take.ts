import type { LogField, QueueReading } from '../../../model/samples.ts';
import { exact } from '../numbers.ts';
import { sureRank, type Draft } from '../draft.ts';
import type { KeyUnit, Meaning } from './names.ts';
import { isBareTime } from './bare-time.ts';
import { amount, bytesOf, isMoment, milliseconds, secondsOf } from './amounts.ts';
import { scaled, type Scanned } from './scan-number.ts';
import type { Reading } from './scan-value.ts';
import { isTransfer } from './transfer.ts';

/** Where a value stands. */
export interface Place {
  draft: Draft;
  /** Of a rate that does not say it itself. */
  scope: 'gpu' | 'global' | undefined;
  /** In a dict a zero is one, and a bare time is in seconds. */
  readonly inDict: boolean;
  /** The whole line. */
  text?: string;
}

/** Puts a value where its key's meaning says. False: it is no value of that meaning; it may be a number under its own key. */
export function take(key: string, meaning: Meaning, reading: Reading, place: Place): boolean {
  const { as, rank } = meaning;
  const { draft, inDict } = place;
  const { first, unit, kind } = reading;
  switch (as) {
    case 'nothing':
      return true;
    case 'metric':
      if (kind === 'number') draft.other(key, printed(reading));
      return true;
    case 'rate':
      return takeByUnit(key, reading, { place, scope: meaning.scope, rank: 2 });
    case 'queue':
      return takeQueue(meaning, reading, draft);
    case 'wait': {
      const seconds = secondsOf(reading, meaning.unit);
      if (seconds === undefined) return false;
      draft.queue({ name: meaning.name ?? key, waitSeconds: seconds });
      return true;
    }
    case 'stage':
      // `GPU(s): 8`, and not `fwd(s): 0.12`.
      if (/(?<!time)(?<=\w)\(s\)$/i.test(key) && isCount(first) && !first.fractional && !unit) return false;
      return takeStage(meaning.name ?? key, meaning, reading, draft);
    case 'step':
    case 'epoch':
      return takeCount(key, as, meaning, reading, place);
    case 'totalSteps':
    case 'stepInEpoch':
    case 'stepsPerEpoch':
      if (kind !== 'number' || !isCount(first) || (unit && unit.of !== 'count')) return false;
      draft.set(as, first.value, rank);
      return true;
    case 'stepSeconds':
    case 'etaSeconds':
    case 'elapsedSeconds': {
      if (unit && unit.of !== 'time' && unit.of !== 'steptime') {
        return as === 'stepSeconds' && takeByUnit(key, reading, { place, scope: undefined, rank });
      }
      const bare = meaning.unit ?? (as === 'stepSeconds' && key.length < 3 && !inDict ? undefined : seconds);
      if (meaning.weak && !unit && kind !== 'time' && !inDict) return false;
      if (meaning.weak && as === 'stepSeconds' && !isBrief(reading, meaning)) return false;
      const value = secondsOf(reading, bare);
      if (value === undefined) return false;
      // Since 1970: a time of day.
      if (value > 3e8) return true;
      const surely = as === 'etaSeconds' && !meaning.weak && !isTransfer(place.text) ? sureRank : 0;
      draft.set(as, value, rank + surely, undefined, printedAs(key, reading));
      return true;
    }
    case 'mfuPercent':
      return takeShare(key, meaning, reading, draft);
    case 'memoryBytes': {
      const size = bytesOf(reading, meaning);
      if (size === undefined) return false;
      draft.set(as, size, kind === 'pair' ? rank + 1 : rank, undefined, printedAs(key, reading));
      return true;
    }
    case 'tflopsPerSecond': {
      if (kind !== 'number' || (unit && unit.of !== 'flops')) return false;
      draft.other(key, printed(reading));
      draft.set(as, amount(first, unit ?? meaning.unit), rank);
      return true;
    }
    case 'tokensPerSecond':
    case 'samplesPerSecond':
    case 'iterationsPerSecond': {
      if (kind !== 'number') return false;
      const rate = { tokensPerSecond: 'tokens', samplesPerSecond: 'samples', iterationsPerSecond: 'steps' } as const;
      if (unit && unit.of !== rate[as])
        return unit.of !== 'count' && takeByUnit(key, reading, { place, scope: meaning.scope, rank });
      setRate(as, amount(first, unit), { key, reading, rank, place, scope: unit?.scope ?? meaning.scope });
      return true;
    }
    default:
      return takeMeasure(key, as, meaning, reading, place);
  }
}

const seconds: KeyUnit = { factor: 1, power: 0 };

/** `time: 312 ms`, `time: 0.3 s/iter`; `time: 12.3s` may be that of an epoch, or of all steps. */
const isBrief = ({ unit }: Reading, { unit: own }: Meaning) =>
  unit?.of === 'steptime' || (unit?.power ?? 0) < 0 || (unit === undefined && (own?.power ?? 0) < 0);

/** A value by its unit alone: `24.1k tok/s`. False: the unit does not say what it is. */
export function takeByUnit(
  key: string,
  reading: Reading,
  {
    place,
    scope,
    rank,
  }: { readonly place: Place; readonly scope: 'gpu' | 'global' | undefined; readonly rank: number },
): boolean {
  const { unit, first, kind } = reading;
  if (!unit || kind !== 'number') return false;
  const fields = { tokens: 'tokensPerSecond', samples: 'samplesPerSecond', steps: 'iterationsPerSecond' } as const;
  if (unit.of === 'tokens' || unit.of === 'samples' || unit.of === 'steps') {
    setRate(fields[unit.of], amount(first, unit), { key, reading, rank, place, scope: unit.scope ?? scope });
    return true;
  }
  if (unit.of === 'steptime') {
    place.draft.set('stepSeconds', amount(first, unit), rank, undefined, printedAs(key, reading));
    return true;
  }
  if (unit.of !== 'flops' || unit.scope === 'global') return false;
  place.draft.other(key === '' ? 'tflops' : key, printed(reading));
  place.draft.set('tflopsPerSecond', amount(first, unit), rank);
  return true;
}

interface Rate {
  readonly key: string;
  readonly reading: Reading;
  readonly rank: number;
  readonly place: Place;
  readonly scope: 'gpu' | 'global' | undefined;
}

function setRate(
  field: 'tokensPerSecond' | 'samplesPerSecond' | 'iterationsPerSecond',
  value: number,
  { key, reading, rank, place, scope }: Rate,
) {
  const told = field === 'tokensPerSecond' ? (scope ?? place.scope) : undefined;
  place.draft.set(field, value, rank, told, key === '' ? undefined : printedAs(key, reading));
}

function takeQueue(
  { name = '', part }: Meaning,
  { kind, first, second, of, open, unit }: Reading,
  draft: Draft,
): boolean {
  if (unit && unit.of !== 'count') return false;
  if (kind === 'time') return false;
  let reading: QueueReading;
  if (kind === 'range')
    reading = { name, low: first.value, high: second.value, ...(of.value === of.value && { capacity: of.value }) };
  else if (kind === 'pair') reading = { name, depth: first.value, ...(!open && { capacity: second.value }) };
  else if (part === 'capacity') reading = { name, capacity: first.value };
  else if (part === 'low') reading = { name, low: first.value };
  else if (part === 'high') reading = { name, high: first.value };
  else reading = { name, depth: first.value };
  // Of a `q_value` and the like: no depth has five decimals or is below nothing.
  if (!(first.value >= 0) || (first.fractional && kind === 'number' && (first.power < -2 || name === 'q')))
    return false;
  draft.queue(reading);
  return true;
}

/** Times of a stage: one, or average and maximum. */
export function takeStage(
  name: string,
  { part, unit: own }: Pick<Meaning, 'part' | 'unit'>,
  reading: Reading,
  draft: Draft,
): boolean {
  const { kind, first, second, open, unit } = reading;
  if (isBareTime(name)) return false;
  if (part === 'count') {
    if (kind !== 'number' || !isCount(first)) return false;
    draft.stage({ name, count: first.value });
    return true;
  }
  if (unit && unit.of !== 'time' && unit.of !== 'steptime') return false;
  if (kind === 'range' || (kind === 'pair' && open)) return false;
  const time = unit ?? own;
  if (kind === 'number' && time && isMoment(amount(first, time))) return false;
  if (kind === 'time') draft.stage({ name, averageMs: exact(reading.seconds * 1000) });
  else if (!time || first.value !== first.value) return false;
  else if (kind === 'pair')
    draft.stage({ name, averageMs: milliseconds(first, time), maximumMs: milliseconds(second, time) });
  else draft.stage({ name, [part === 'maximum' ? 'maximumMs' : 'averageMs']: milliseconds(first, time) });
  return true;
}

const isBatch = (key: string) => key.length === 5 && key.toLowerCase() === 'batch';

function takeCount(
  key: string,
  as: 'step' | 'epoch',
  { rank, weak }: Meaning,
  { kind, first, second, open, unit }: Reading,
  { draft, inDict }: Place,
): boolean {
  if (kind === 'time' || kind === 'range' || !(first.value >= 0)) return false;
  if (unit && unit.of !== 'count') return false;
  // `iterations: 10` may be how many there are.
  if (weak && kind !== 'pair' && !(as === 'step' && (rank > 0 || key.toLowerCase() === 'updates'))) return false;
  if (as === 'step' && !Number.isInteger(first.value)) return false;
  // `batch: 512, lr: 3e-4` is how many there are in one, `batch: 120, loss: 2.3` which.
  if (kind === 'number' && ((weak && rank < 0) || isBatch(key))) {
    const { value } = first;
    draft.later(() => draft.set(as, value, rank));
    return true;
  }
  draft.set(
    as,
    first.value,
    rank,
    undefined,
    as === 'step' && kind === 'number' ? { key, value: first.value } : undefined,
  );
  if (kind !== 'pair' || open || !(second.value > 0)) return true;
  if (as === 'epoch') draft.other('epochs', second.value);
  else if (second.value >= first.value || inDict) draft.set('totalSteps', second.value, rank);
  return true;
}

function takeShare(key: string, { rank, unit: own }: Meaning, { kind, first, unit }: Reading, draft: Draft): boolean {
  if (kind !== 'number' || (unit && unit.of !== 'percent')) return false;
  const { value } = first;
  // -100 %: not known yet (nanoGPT, llm.c).
  if (!(value >= 0)) return true;
  // Without a sign and up to 1 it is a share (Composer).
  const share = !unit && !own && value <= 1;
  draft.set('mfuPercent', share ? scaled(first, 2) : own ? amount(first, own) : value, rank, undefined, { key, value });
  return true;
}

function takeMeasure(
  key: string,
  field: LogField,
  { rank }: Meaning,
  reading: Reading,
  { draft, inDict }: Place,
): boolean {
  const { kind, first, unit } = reading;
  if (kind !== 'number' || unit) return false;
  // verl prints a learning rate as 0.000: a zero that is one only for want of decimals.
  if (field === 'learningRate' && ((first.rounded && !inDict) || first.value < 0)) return true;
  draft.set(field, first.value, rank, undefined, { key, value: first.value });
  // Of several that make up its loss.
  if (field === 'loss' && /policy|actor|\bpg_/i.test(key)) draft.other(key, first.value);
  return true;
}

const printed = ({ first }: Reading) => first.value;

function printedAs(key: string, reading: Reading) {
  if (reading.kind !== 'number') return undefined;
  const { first } = reading;
  const suffixed =
    first.suffix !== '' ? scaled(first, -({ k: 3, K: 3, M: 6, G: 9, B: 9, T: 12 }[first.suffix] ?? 0)) : first.value;
  return { key, value: /mem/i.test(key) ? suffixed : first.value };
}

const isCount = ({ value }: Scanned) => Number.isInteger(value) && value >= 0;
