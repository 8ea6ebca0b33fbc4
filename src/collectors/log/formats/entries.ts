import type { LogField } from '../../../model/samples.ts';
import type { Draft } from '../draft.ts';
import { readDuration, readNumber, readPlain, shift } from '../numbers.ts';
import { meaningOf } from '../values/names.ts';
import { blankReading, scanValue } from '../values/scan-value.ts';
import { remember } from '../values/remember.ts';
import { take } from '../values/take.ts';
import type { FieldRule, LogFormat, Unit } from './format.ts';

/** What a format says of its keys. */
export type EntryRules = Pick<LogFormat, 'fields' | 'scope'> & {
  /** Of keys that are not in `fields`; absent: what their words mean in general, under what the format knows. */
  readonly unknown?: 'metric';
};

/** All keys are metrics: an evaluation's, or those of a summary. */
export const onlyMetrics: EntryRules = { unknown: 'metric' };

/** What a format knows of a line goes before what the generic reader takes its rest for. */
export const formatRank = 1000;

/** Reads all entries that `pattern` finds (global; its groups are the key and the value): each by its key, others are metrics. */
export function readEntries(text: string, pattern: RegExp, rules: EntryRules, draft: Draft): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text))
    takeEntry(keyOf(match[1] ?? ''), match[2] ?? '', rules, draft);
}

/** The same text each time: what stands under it is found faster than by another part of a line. */
const keyOf = remember((key) => key.trim());

/** Reads one value as it is printed (`9.47GiB`, `1:02:03`, `[5e-05]`, `nan`) by what the format says of its key. */
export function takeEntry(key: string, text: string, rules: EntryRules, draft: Draft): void {
  const rule = rules.fields?.[key];
  if (rule?.as === 'nothing') return;
  if (!rule && rules.unknown !== 'metric' && takeMeasured(key, text.trim(), draft)) return;
  const printed = readPrinted(text, rule);
  if (!printed) return takeOther(key, text, rule?.as ?? meaningOf(key)?.as, draft);
  const { value, unit } = printed;
  if (!rule && rules.unknown !== 'metric' && takeMeant(key, printed, draft)) return;
  if (!rule || rule.as === 'metric') draft.other(unit === '%' ? `${key}_percent` : key, value);
  else if (rule.as === 'stage') takeStage(key, text, rule.unit ?? 's', draft);
  else if (rule.as === 'queue') draft.queue({ name: key, depth: value }, 'surely');
  else setField(rule.as, { value, unit: unit ?? rule.unit, key, scope: rule.scope ?? rules.scope }, draft);
}

/** A field that a format reads by its own means, as it is printed: with a unit (`1099.35ms`), a list of equals, `1:02:03`. */
export function takeField(field: LogField, text: string | undefined, draft: Draft, unit?: Unit): void {
  const printed = text === undefined ? undefined : readPrinted(text, { as: field, ...(unit && { unit }) });
  if (printed)
    setField(field, { value: printed.value, unit: printed.unit ?? unit, key: field, scope: undefined }, draft);
}

/** A stage's average time; `unit` is that of a bare number. */
export function takeStage(name: string, text: string | undefined, unit: Unit, draft: Draft): void {
  const printed = text === undefined ? undefined : readPrinted(text, { as: 'stage', unit });
  if (printed)
    draft.stage({
      name,
      averageMs: shift(printed.value * minutes(printed.unit ?? unit), 3 + (tens[printed.unit ?? unit] ?? 0)),
    });
}

/** A number that has no field, under a key of the format. */
export function takeMetric(key: string, text: string | undefined, draft: Draft): void {
  const printed = text === undefined ? undefined : readPrinted(text);
  if (printed) draft.other(key, printed.value);
}

/** `10/560`: a step and how many there are; `1h 2m 3s`. */
function takeOther(key: string, text: string, as: string | undefined, draft: Draft): void {
  const [, first, second] = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(text) ?? [];
  if (first !== undefined && second !== undefined) {
    if (as !== 'step') return;
    draft.set('step', Number(first), formatRank);
    draft.set('totalSteps', Number(second), formatRank);
    return;
  }
  const seconds = /^\s*\d[\d a-z:,.]*$/.test(text) ? readDuration(text.trim()) : undefined;
  if (seconds === undefined) return;
  if (as === 'etaSeconds' || as === 'elapsedSeconds' || as === 'stepSeconds') draft.set(as, seconds, formatRank);
  else draft.other(key, seconds);
}

/** Fields that a key may mean which the format does not know: a version's, a fork's. */
const meant: ReadonlySet<string> = new Set<LogField>([
  'loss',
  'learningRate',
  'gradNorm',
  'tokensPerSecond',
  'samplesPerSecond',
  'iterationsPerSecond',
  'stepSeconds',
  'etaSeconds',
  'mfuPercent',
  'tflopsPerSecond',
  'validationLoss',
]);

const measured = /^(?:memoryBytes|queue|wait|stage)$/;
const reading = blankReading();

/** `hbm peak (GiB): 71.44`, `dl_queue: 14/16`: what a fork adds; false: it is none of these, or its number has no unit where one is needed. */
function takeMeasured(key: string, text: string, draft: Draft): boolean {
  const meaning = meaningOf(key);
  if (!meaning || !measured.test(meaning.as) || text.length > longestValue) return false;
  if (!scanValue(text, 0, 'point', reading) || reading.end !== text.length) return false;
  return take(key, meaning, reading, { draft, scope: undefined, inDict: false });
}

/** By what the words of a key mean in general; false: nothing, or its number has no unit where one is needed. */
function takeMeant(key: string, { value, unit }: Printed, draft: Draft): boolean {
  const meaning = meaningOf(key);
  if (!meaning || !meant.has(meaning.as)) return false;
  const field = meaning.as as LogField;
  const isTime = field.endsWith('Seconds');
  if (isTime ? unit === undefined && meaning.unit === undefined : unit !== undefined && unit !== '%') return false;
  const scale = isTime && unit === undefined ? (meaning.unit?.power ?? 0) : 0;
  const number = isTime ? shift(value * minutes(unit), scale + (tens[unit ?? 's'] ?? 0)) : value;
  if (field === 'mfuPercent' && (unit !== '%' || value < 0)) return false;
  draft.set(field, number, meaning.rank, meaning.scope, { key, value });
  if (field === 'tflopsPerSecond') draft.other(key, value);
  return true;
}

interface Printed {
  readonly value: number;
  readonly unit?: string;
}

interface Told {
  readonly value: number;
  readonly unit: string | undefined;
  readonly key: string;
  readonly scope: 'gpu' | 'global' | undefined;
}

function setField(field: LogField, { value, unit, key, scope }: Told, draft: Draft): void {
  const set = (number: number) => draft.set(field, number, formatRank, field === 'tokensPerSecond' ? scope : undefined);
  if (field.endsWith('Seconds')) return set(shift(value * minutes(unit), tens[unit ?? 's'] ?? 0));
  if (field === 'memoryBytes') return set(Math.round(toBytes(value, unit)));
  if (field === 'mfuPercent') {
    // Less than nothing: not known yet (nanoGPT, llm.c).
    if (!(value < 0)) set(unit === 'fraction' ? shift(value, 2) : value);
    return;
  }
  set(value);
  // It has no place of its own in a record's JSON.
  if (field === 'tflopsPerSecond') draft.other(key === field ? 'tflops' : key, value);
}

const number =
  /^([-+]?(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf(?:inity)?))(?:\s?([A-Za-zµ%][^\s,;|)\]}(]*))?\s*(?=$|[,;|)\]}(])/i;

/** Units that may stand behind a number; before anything else it is none. */
const knownUnit =
  /^(?:[%kKMGBT]|[KMGTkmgt]i?[Bb]|[uµm]s|s|secs?|seconds?|mins?|minutes?|h|hours?|TFLOPS?(?:\/s)?|reqs|(?:[Tt]ok|[Tt]okens?|[Ss]amples?|seqs?|im(?:g|age)s?|words|it|iters?|steps?|batch(?:es)?)\/s(?:ec)?|(?:[um]?s|sec)\/(?:it|iter|step|batch|sample))$/;

/** A value of more characters is none. */
const longestValue = 300;

/** A number with the unit that stands behind it; powers of 1000 are in the number where they can be nothing else. */
function readPrinted(text: string, rule?: FieldRule): Printed | undefined {
  if (text.length > longestValue) return undefined;
  const plain = readPlain(text);
  if (plain === plain) return { value: plain };
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return readList(trimmed, rule);
  if (rule?.as.endsWith('Seconds') && /^\d[\d a-z,]*[a-z:]\S*/.test(trimmed)) {
    const seconds = readDuration(trimmed.replace(/[\s,;|)\]]+$/, ''));
    if (seconds !== undefined && !/^[\d.]+m?s$/.test(trimmed)) return { value: seconds, unit: 's' };
  }
  const match = number.exec(trimmed);
  if (!match) return undefined;
  const [, digits, told = ''] = match;
  const value = readNumber(digits);
  if (told === '') return { value };
  if (!knownUnit.test(told)) return undefined;
  const unit = unitName(told);
  const power = powers[unit];
  if (power === undefined) return { value, unit };
  // `3961M` of memory is MiB or MB: the format knows it. `46.0k` tokens are 46000.
  if (rule?.as === 'memoryBytes') return { value, unit: rule.unit ?? `${unit.toUpperCase()}B` };
  return { value: shift(value, power) };
}

/** `lr=[5e-05, 5e-05]`, one a parameter group: a value only when all agree. */
function readList(text: string, rule: FieldRule | undefined) {
  const items = text.replace(/^\[+|[\])}]+.*$/g, '').split(/,\s*/);
  const first = items[0] === undefined ? undefined : readPrinted(items[0], rule);
  const agree = first !== undefined && items.every((item) => Object.is(readPrinted(item, rule)?.value, first.value));
  return agree ? first : undefined;
}

const powers: Readonly<Record<string, number>> = { k: 3, K: 3, M: 6, G: 9, B: 9, T: 12 };
const tens: Readonly<Record<string, number>> = { us: -6, ms: -3, s: 0 };
const minutes = (unit: string | undefined) => (unit === 'min' ? 60 : unit === 'h' ? 3600 : 1);

function unitName(text: string): string {
  const unit = text.replace(/\/(?:it|iter|step|batch|sample)$/, '');
  if (/^(?:s|secs?|seconds?)$/i.test(unit)) return 's';
  if (/^(?:min|minutes?)$/i.test(unit)) return 'min';
  if (/^(?:h|hours?)$/i.test(unit)) return 'h';
  if (unit === 'µs') return 'us';
  return unit;
}

function toBytes(value: number, unit: string | undefined): number {
  const [, power = '', binary] = /^([KMGT])(i?)B$/i.exec(unit ?? '') ?? [];
  const step = ' KMGT'.indexOf(power.toUpperCase() || ' ');
  return binary ? value * 1024 ** step : shift(value, 3 * step);
}
