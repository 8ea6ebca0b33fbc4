import type { LogValues, QueueReading, StageReading } from '../../model/samples.ts';
import { isStepBar, readBar } from './bar.ts';
import { createDraft, type Draft } from './draft.ts';
import type { LogFormat } from './formats/format.ts';
import { isNoise, isQueueName, meaningOf } from './names.ts';
import {
  exact,
  numberPattern,
  readDuration,
  readNumber,
  readValue,
  toSeconds,
  unitPattern,
  valuePattern,
  type Value,
} from './numbers.ts';
import { isRate, partRateNames } from './rate-names.ts';

/** What a format says of its keys. */
export type KeyRules = Pick<LogFormat, 'fields' | 'scope'>;

/** Reads the values of any trainer's records. Never throws. */
export interface GenericReader {
  readonly format: 'generic';
  /** `text` is safe text without launchers' prefixes. Undefined: the line says nothing. */
  read(text: string, rules?: KeyRules): LogValues | undefined;
  /** As `read`, but into a draft: of what a format has left over. */
  readInto(text: string, draft: Draft, rules?: KeyRules): void;
}

/**
 * The reader for any trainer: `key=value`, `key: value`, `key value` in ` | ` fields, values by their unit (`24.1k tok/s`),
 * Python dicts and JSON, tqdm bars, queues (`q_hs=[9-10]`, `queue 7/16`) and stages (`fwd 88/121ms`, `[profile] ...`). It
 * keeps the largest bar's total: of the bars without a word (transformers' training and evaluation) that is the training one.
 */
export function createGenericReader(): GenericReader {
  let largestTotal = 0;
  return {
    format: 'generic',
    read(text, rules) {
      if (!/\d|nan|inf/.test(text)) return undefined;
      const draft = createDraft(/\b(?:validate|validation|eval|evaluation)\b/i.test(text.slice(0, 120)));
      this.readInto(text, draft, rules);
      return draft.finish();
    },
    readInto(text, plain, rules) {
      const draft = rules ? withRules(plain, rules) : plain;
      const bar = readBar(text);
      if (!bar) return readText(text, draft);
      if (isStepBar(bar) && (bar.total ?? 0) >= largestTotal) {
        largestTotal = bar.total ?? 0;
        draft.set('step', bar.done, 100);
        if (bar.total !== undefined) draft.set('totalSteps', bar.total, 100);
        if (bar.etaSeconds !== undefined) draft.set('etaSeconds', bar.etaSeconds, 0);
        if (bar.secondsPerItem !== undefined) draft.set('stepSeconds', bar.secondsPerItem, 0);
      } else {
        const epoch = /^(?:train(?:ing)? )?epoch \[?(\d+)(?:\/\d+\])?$/i.exec(bar.description);
        if (epoch) draft.set('epoch', Number(epoch[1]), 0);
        else if (!isStepBar(bar)) draft.quiet();
      }
      readText(bar.postfix, draft);
      readText(bar.rest, draft);
    },
  };
}

/** Interim: a draft that knows what the format says. */
interface RuledDraft extends Draft {
  readonly rules?: KeyRules;
}

function withRules(draft: Draft, rules: KeyRules): RuledDraft {
  return { ...draft, rules, set: (field, value, rank, scope) => draft.set(field, value, rank, scope ?? rules.scope) };
}

function takeByRule(key: string, value: Value, draft: RuledDraft): boolean {
  const rule = draft.rules?.fields?.[key];
  if (!rule) return false;
  if (value.kind === 'range' || rule.as === 'nothing') return rule.as === 'nothing';
  const number = value.kind === 'pair' ? value.first : value.value;
  const seconds =
    toSeconds(number, value.unit ?? (rule.unit === 'ms' || rule.unit === 'us' ? rule.unit : 's')) ?? number;
  if (rule.as === 'stage') draft.stage({ name: key, averageMs: exact(seconds * 1000) });
  else if (rule.as === 'queue') draft.queue({ name: key, depth: number });
  else if (rule.as === 'metric') draft.other(key, number);
  else if (rule.as.endsWith('Seconds')) draft.set(rule.as, seconds, 1000);
  else draft.set(rule.as, rule.unit === 'fraction' ? exact(number * 100) : number, 1000, rule.scope);
  return true;
}

const profile = new RegExp(
  String.raw`(?:^|\s)([A-Za-z][\w./:-]*)\s+avg=(${numberPattern})(ms|us|s)\s+max=(${numberPattern})(ms|us|s)(?:\s+n=(\d+))?`,
);

function readText(raw: string, draft: Draft): void {
  if (raw === '') return;
  const stage = raw.includes('avg=') ? profile.exec(raw) : null;
  if (stage) return draft.stage(readProfile(stage));
  const text = readEta(blank(raw), draft);
  if (/\{\s*['"]/.test(text)) readDict(text, draft);
  const open = text.indexOf('{');
  const plain = open < 0 ? text : text.slice(0, open);
  // Megatron's timers: `time (ms) | forward: 193.78 | backward: 73.03`.
  const timers = /(?:^|\s)time \(ms\) \|/.test(plain);
  const fields = plain.split('|');
  for (const field of fields) readField(partRateNames(field), { draft, timers, alone: fields.length > 1 });
}

function readProfile([, name = '', average, averageUnit, maximum, maximumUnit, count]: RegExpExecArray): StageReading {
  return {
    name,
    ...milliseconds('averageMs', readNumber(average), averageUnit),
    ...milliseconds('maximumMs', readNumber(maximum), maximumUnit),
    ...(count !== undefined && { count: Number(count) }),
  };
}

/** Numbers that measure nothing: dates, times of day, addresses, `file.py:123`. */
function blank(text: string): string {
  return text
    .replace(/\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?)?/g, ' ')
    .replace(/\b\d\d[-/]\d\d (?=\d\d:\d\d:\d\d)/g, ' ')
    .replace(/(^|[[\s(])\d\d:\d\d:\d\d(?:[.,]\d+)?(?=[\s\])|]|$)/g, '$1 ')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, ' ')
    .replace(/(?<![\w./-])[\w./-]+\.(?:py|cpp|cc|cu|c|h|rs|go):\d+/g, ' ');
}

function readEta(text: string, draft: Draft): string {
  // Keras counts down to the end of the epoch.
  if (/\] - ETA: /.test(text)) return text.replace(/ETA: \S+/, ' ');
  return text.replace(
    /\beta[=:]?\s*((?:\d+ days?, )?[\d:.]+:\d\d(?:\.\d+)?|\d[\dhms ]*[hms](?![a-z]))/i,
    (_, eta: string) => {
      const seconds = readDuration(eta);
      if (seconds !== undefined) draft.set('etaSeconds', seconds, 1);
      return ' ';
    },
  );
}

const entry = new RegExp(`['"]([^'"]{1,80})['"]\\s*:\\s*['"]?(${numberPattern}|NaN|-?Infinity)['"]?(?=\\s*[,}])`, 'g');

/** A Python dict or a JSON object, by its entries: a dict with nan is neither JSON nor a literal. */
function readDict(text: string, draft: Draft): void {
  draft.metrics();
  // The run's summary: its train_loss is a mean over the whole run (transformers' Trainer).
  const summary = text.includes('train_runtime') && text.includes('train_loss');
  for (const [, key = '', value] of matches(entry, text)) {
    if (summary) draft.other(key, readNumber(value));
    else take(key, { kind: 'number', value: readNumber(value) }, draft);
  }
}

const pairs = new RegExp(
  String.raw`(?<![\w.'"/-])([A-Za-z][\w./-]*(?:\([\w/%]+\))?(?:\s\([\w/% ]+\))?)(\s?[=:]\s*|\s+)(${valuePattern})`,
  'g',
);
const rates = new RegExp(
  String.raw`(?<![\w.=/])(${numberPattern})\s?(tok|tokens?|samples?|imgs?|images?)/s(?:ec(?:ond)?)?(?![\w/])`,
  'gi',
);
const alonePattern = new RegExp(String.raw`^([A-Za-z][\w./ -]*?)\s+(${numberPattern})\s?(${unitPattern})?$`);

/** As String.matchAll, which makes a new RegExp each time (V8 11: two thirds of the time of reading a line). */
function matches(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) found.push(match);
  return found;
}

interface FieldOptions {
  readonly draft: Draft;
  readonly timers: boolean;
  /** One of several fields: what stands in it is one thing. */
  readonly alone: boolean;
}

function readField(field: string, { draft, timers, alone }: FieldOptions): void {
  let from = 0;
  let found = false;
  for (const match of matches(pairs, field)) {
    const [whole, word = '', separator = '', valueText = ''] = match;
    const value = readValue(valueText.trim());
    const before = field.slice(from, match.index);
    if (!value) continue;
    const bare = separator.trim() === '';
    // `10015 tok/s 45 ms`: a unit, and no name.
    if (bare && isRate(word) && /\d[kKMG]?\s?$/.test(before)) continue;
    const key = phrase(before, word);
    if (timers && !bare && !isNoise(word))
      draft.stage({ name: key.own, ...(value.kind === 'number' && { averageMs: value.value }) });
    else if (!bare) {
      // `console_logger:78` is a place in a program.
      if (separator === ':' && word.includes('.')) continue;
      take(meaningOf(key.full) ? key.full : /\s/.test(separator) ? key.own : word, value, draft);
    } else if (
      meaningOf(key.full) ||
      isValidationName(key.full) ||
      isDurationPair(value) ||
      value.kind === 'range' ||
      (alone && isQueueName(word))
    ) {
      takeBare(key.full, value, { draft, first: /^[\s\W]*$/.test(field.slice(0, match.index)) || alone });
    } else if (value.kind === 'pair' && isQueueName(word)) take(word, value, draft);
    else continue;
    found = true;
    from = match.index + whole.length;
  }
  for (const [, amount, what = ''] of field.includes('/s') ? matches(rates, field) : []) {
    const name = /^tok/i.test(what) ? 'tokensPerSecond' : 'samplesPerSecond';
    if (!/(?:prompt|generation|accepted|drafted) throughput/i.test(field)) draft.set(name, readNumber(amount), 1);
    found = true;
  }
  if (found || !alone || field.length > 200) return;
  const single = alonePattern.exec(field.trim());
  if (single) take(single[1] ?? '', readValue(`${single[2]}${single[3] ?? ''}`), draft);
}

/** The longest known name that ends in `word`: `elapsed time per iteration (ms)`, `lm loss`. */
function phrase(before: string, word: string): { readonly full: string; readonly own: string } {
  const words =
    /(?:[A-Za-z(][\w()./-]*\s+){0,5}$/.exec(before.slice(-100))?.[0]?.trim().split(/\s+/).filter(Boolean) ?? [];
  const own = [...words, word].join(' ');
  if (/^(?:val|valid|validation|eval|test)$/i.test(words.at(-1) ?? '')) return { full: `${words.at(-1)}_${word}`, own };
  for (let from = 0; from <= words.length; from++) {
    const candidate = [...words.slice(from), word].join(' ');
    if (meaningOf(candidate)) return { full: candidate, own };
  }
  return { full: word, own };
}

const isValidationName = (key: string) => /^(?:val|valid|validation|eval|test)_/i.test(key);
const isDurationPair = (value: Value) => value.kind === 'pair' && toSeconds(1, value.unit) !== undefined;

/** A value after a key and a space only: in a sentence a step is no reading unless it leads. */
function takeBare(
  key: string,
  value: Value,
  { draft, first }: { readonly draft: Draft; readonly first: boolean },
): void {
  const meaning = meaningOf(key);
  if (meaning?.field === 'stepSeconds' && (value.kind !== 'number' || toSeconds(1, value.unit) === undefined)) {
    if (!isDurationPair(value)) return;
  }
  if (meaning && ['step', 'epoch', 'totalSteps'].includes(meaning.field) && !first)
    return draft.later(() => take(key, value, draft));
  take(key, value, draft);
}

function take(key: string, value: Value | undefined, draft: Draft): void {
  if (!value || takeByRule(key, value, draft) || isNoise(key)) return;
  const unit = value.kind === 'range' ? undefined : value.unit;
  if (value.kind === 'pair' && toSeconds(1, unit) !== undefined) {
    const second = value.second;
    draft.stage({
      name: key,
      ...milliseconds('averageMs', value.first, unit),
      ...(second !== undefined && milliseconds('maximumMs', second, unit)),
    });
    return;
  }
  const meaning = meaningOf(key);
  if (meaning && value.kind !== 'range') {
    const { field, rank } = meaning;
    if (value.kind === 'pair') {
      if (field !== 'step' && field !== 'epoch') return;
      draft.set(field, value.first, rank);
      if (field === 'step' && value.second !== undefined) draft.set('totalSteps', value.second, rank);
      return;
    }
    if (field === 'stepSeconds') draft.set(field, toSeconds(value.value, unit ?? meaning.unit) ?? value.value, rank);
    else if (field === 'mfuPercent') {
      // -100 %: not known yet (nanoGPT, llm.c). Without a sign and up to 1 it is a share (Composer).
      if (value.value >= 0)
        draft.set(field, unit !== '%' && value.value <= 1 ? exact(value.value * 100) : value.value, rank);
    } else if (field === 'learningRate' && value.rounded) return;
    else if (field !== 'etaSeconds') draft.set(field, value.value, rank, meaning.perGpu && 'gpu');
    else if (toSeconds(1, unit) !== undefined) draft.set(field, toSeconds(value.value, unit) ?? value.value, rank);
    return;
  }
  const timed = toSeconds(1, unit) !== undefined;
  if (
    value.kind === 'range' ||
    (!timed && (isQueueName(key) || (value.kind === 'pair' && /queue|pool|buffer/i.test(key))))
  ) {
    draft.queue(readQueue(key, value));
  } else if (value.kind === 'number') draft.other(withUnit(key, unit), value.value);
}

function readQueue(name: string, value: Value): QueueReading {
  if (value.kind === 'range') {
    const { low, high, of } = value;
    return { name, low, high, ...(of !== undefined && { capacity: of }) };
  }
  if (value.kind === 'number') return { name, depth: value.value };
  return { name, depth: value.first, ...(value.second !== undefined && { capacity: value.second }) };
}

function milliseconds(key: 'averageMs' | 'maximumMs', value: number, unit: string | undefined) {
  const ms = (toSeconds(value, unit) ?? NaN) * 1000;
  // 88 ms is not 0.088 s * 1000 = 88.00000000000001.
  return { [key]: unit === 'ms' ? value : ms };
}

function withUnit(key: string, unit: string | undefined): string {
  if (unit === undefined || unit === 'reqs') return key;
  const suffix = unit === '%' ? 'percent' : unit;
  return key.toLowerCase().includes(suffix.toLowerCase()) && suffix.length > 1 ? key : `${key}_${suffix}`;
}
