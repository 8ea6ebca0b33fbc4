import { find, words, type Line } from './line.ts';
import type { Meaning, Part } from './names.ts';
import { byOutline } from '../outline.ts';
import { timerUnits } from './phrases.ts';
import { remember } from './remember.ts';
import type { Phrase } from './listener.ts';
import type { Reading } from './scan-value.ts';
import { translate } from './tongues.ts';
import { secondsOf } from './amounts.ts';
import { take, takeStage } from './take.ts';

const statistic =
  /^(?:avg|average|mean|max|maximum|min|minimum|n|count|calls|std|med|median|p\d\d|cap|capacity|depth|size|len|low|high|cur|current|wait|waited|peak|reserved|allocated|alloc|used|active|range|min[/-]max|low[/-]high|lo[/-]hi)$/i;
const isStatistic = remember((word) => statistic.test(word));
const plainly = /^(?:avg|average|mean|max|maximum|n|count|calls|p\d\d)$/i;

/** Reads what is said of the thing that was named before: `fwd avg=5.08ms max=7.9ms n=587`. False: it is none of these. */
export function takeStatistic(line: Line, phrase: Phrase, reading: Reading): boolean {
  const last = english(words(phrase, phrase.count - 1));
  if (!isStatistic(last) || line.rules?.has(last)) return false;
  if (phrase.count > 1 && !isOwn(line, phrase, last)) return false;
  const { subject, draft, place } = line;
  if (/^(?:peak|reserved|allocated|alloc|used|active)$/i.test(last) && (line.memory || !isQueue(line))) {
    const memory = line.memory && phrase.count === 1 ? find(line, `mem ${last}`) : undefined;
    return memory !== undefined && take(last, memory, reading, place);
  }
  if (subject === '') return false;
  const known = find(line, subject);
  if (known?.as === 'queue' || (!known && line.queued)) {
    if (/^(?:min[/-]max|range|low[/-]high|lo[/-]hi)$/i.test(last)) return takeBounds(line, reading);
    // `queue=3 wait=1.8s` are two things, `queue: 3, wait: 1.8s` and `queue act depth=3 cap=8 wait=1.8s` are one.
    if (/^wait/i.test(last)) {
      if (phrase.tie === 61 && line.owner !== subject) return false;
      const seconds = secondsOf(reading, undefined);
      if (seconds !== undefined) draft.queue({ name: known?.name ?? subject, waitSeconds: seconds });
      return seconds !== undefined;
    }
    const part = partOfQueue(last);
    if (!part) return false;
    // `loader_q: 7/16 avg 6.2`: its depth is told.
    if (isMean.test(last) && line.owner === subject && reading.kind === 'number')
      draft.other(`${subject}_${last}`, reading.first.value);
    else if (!take(subject, { as: 'queue', rank: 1, part, name: known?.name ?? subject }, reading, place)) return false;
    line.owner = subject;
    return true;
  }
  if (/^wait/i.test(last)) return false;
  // A wait with a mean and a maximum is timed as a stage is: `step.allreduce_wait avg=14.7ms max=19.3ms`.
  if (!known || known.as === 'stage' || known.as === 'wait') {
    const part = partOf(last);
    // `fwd 120.5ms (max 240.1)`
    const unit = known?.unit ?? line.timers ?? line.unit;
    const name = (known?.as === 'stage' ? known.name : undefined) ?? subject;
    if (part === 'count' && !draft.telling) return holdCalls(line, last, reading);
    if (part && (part === 'count' || reading.unit?.of === 'time' || unit)) {
      if (line.calls?.of === subject) draft.stage({ name, count: line.calls.value });
      line.calls = undefined;
      return takeStage(name, { part, ...(unit && { unit }) }, reading, draft);
    }
  }
  if (known && known.as !== 'nothing' && /^cur/i.test(last)) return take(subject, known, reading, place);
  if (!/^(?:avg|average|mean|max|maximum|min|minimum|std|med|median|p\d\d)$/i.test(last)) return false;
  if (reading.kind === 'number') draft.other(`${subject}_${last}`, reading.first.value);
  return true;
}

/** `stage read n=120 avg=3.2ms`: how often, told before the time that says it is a stage. */
function holdCalls(line: Line, last: string, { kind, first, unit }: Reading): boolean {
  if (kind !== 'number' || unit || !Number.isInteger(first.value) || first.value < 0) return false;
  const calls = { of: line.subject, value: first.value };
  line.calls = calls;
  const { draft } = line;
  draft.later(() => {
    if (line.calls === calls) draft.other(last, calls.value);
  });
  return true;
}

const isMean = /^(?:avg|mean|average|med|median|p\d\d)$/i;

function partOfQueue(word: string): Part | undefined {
  if (/^(?:cap|capacity)$/i.test(word)) return 'capacity';
  if (/^(?:min|minimum|low)$/i.test(word)) return 'low';
  if (/^(?:max|maximum|high|peak)$/i.test(word)) return 'high';
  return /^(?:depth|size|len|cur|current|used|count)$/i.test(word) || isMean.test(word) ? 'depth' : undefined;
}

/** `espera 12 ms`, `平均 12ms`: what it is in English, where that is a statistic. */
const english = remember((word) => {
  const told = isStatistic(word) ? word : translate(word.toLowerCase());
  return isStatistic(told) ? told : word;
});

/** Of the queue before: `31/32 [28-32]`, `(28..32)`, `min/max 28/32`. */
export function takeBounds(line: Line, { kind, unit, open, first, second }: Reading): boolean {
  if (!isQueue(line) || unit || open || (kind !== 'range' && kind !== 'pair') || !(first.value <= second.value))
    return false;
  const known = find(line, line.subject);
  line.draft.queue({ name: known?.name ?? line.subject, low: first.value, high: second.value });
  line.owner = line.subject;
  return true;
}

const isQueue = (line: Line) => line.subject !== '' && (line.queued || find(line, line.subject)?.as === 'queue');
/** Of a head: what the second of two numbers is, and the unit of both. */
const pairsHead =
  /(?:^|[\s[(|,])(?:avg|average|mean) ?[(/,|] ?(?:max|maximum|peak)\b[)\]]?,? ?(?:in |\(|\[)?(ms|us|msec|s|sec|secs|seconds|milliseconds)?[)\]]?(?: over \w+| per \w+)? ?:/i;
const headUnits = ['', 'ms', 'us', 's'];
/** `avg (max) in ms: load 41.2 (388.0)`: 0: no such head; else 1, and the unit's place. */
const pairsOf = byOutline((text) => {
  const found =
    text.includes('max') || text.includes('Max') || text.includes('peak') ? pairsHead.exec(text.slice(0, 160)) : null;
  if (!found) return 0;
  const unit = found[1]?.toLowerCase() ?? '';
  return 1 + Math.max(0, headUnits.indexOf(unit.startsWith('m') ? 'ms' : unit.charAt(0) === 's' ? 's' : unit));
});

/** Reads the head that says it of the whole line. */
export function takePairsHead(line: Line, text: string): void {
  const found = pairsOf(text);
  line.pairs = found > 0;
  if (found > 1) line.timers = timerUnits[headUnits[found - 1] ?? ''];
  if (found > 0) line.about = 'times';
}

/** `queue=loader depth=7 wait_ms=12.5` */
export function takeWait({ subject, draft }: Line, name: string, { unit }: Meaning, reading: Reading): boolean {
  const seconds = /^wait/i.test(name) ? secondsOf(reading, unit) : undefined;
  if (seconds !== undefined) draft.queue({ name: subject, waitSeconds: seconds });
  return seconds !== undefined;
}

/** `fwd 120.5ms x12`: how often. */
export function takeCalls({ unit, subject, draft }: Line, word: string): boolean {
  if (!unit || subject === '' || !/^x\d{1,9}$/i.test(word)) return false;
  draft.stage({ name: subject, count: Number(word.slice(1)) });
  return true;
}

/** `drafter.backward avg=5.08ms`: the words before are the thing; `batch size: 8`, `grad norm max: 3` are keys of their own. */
function isOwn(line: Line, phrase: Phrase, last: string): boolean {
  if (find(line, words(phrase, 0))) return false;
  const before = words(phrase, 0, phrase.count - 1);
  const of = find(line, before)?.as;
  if (of !== 'queue' && of !== 'stage' && (phrase.tie === 58 || !plainly.test(last))) return false;
  line.subject = before;
  return true;
}

function partOf(word: string): 'average' | 'maximum' | 'count' | undefined {
  if (/^max/i.test(word)) return 'maximum';
  if (/^(?:n|count|calls)$/i.test(word)) return 'count';
  return /^(?:avg|average|mean)$/i.test(word) ? 'average' : undefined;
}

/** `step 188.6ms`, `iter=0.354s`: how long one takes, and not which it is. */
export function takeStepTime(reading: Reading, draft: Line['draft']): boolean {
  const { kind, unit, first } = reading;
  if (kind !== 'number' || unit?.of !== 'time' || !((unit.power ?? 0) < 0 || first.fractional)) return false;
  const seconds = secondsOf(reading, undefined);
  if (seconds !== undefined) draft.later(() => draft.set('stepSeconds', seconds, -4));
  return seconds !== undefined;
}
