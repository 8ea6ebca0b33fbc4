import type { Draft } from '../draft.ts';
import { isQueueByHead, takeBare, takeBares, takeOther } from './bare.ts';
import { createDictReader } from './dict.ts';
import { copyReading, find, setSubject, words, type Line } from './line.ts';
import type { Meaning } from './names.ts';
import { remember } from './remember.ts';
import { headline, nameOf, takeHead, tellPhase, withoutFirst } from './phrases.ts';
import { meaningsOf, type KeyRules } from './rules.ts';
import type { Listener } from './listener.ts';
import type { Reading } from './scan-value.ts';
import { takeBounds, takeCalls, takePairsHead, takeStatistic, takeStepTime, takeWait } from './statistics.ts';
import { secondsOf } from './amounts.ts';
import { take, takeByUnit, takeStage } from './take.ts';

type Scan = (text: string, listener: Listener) => void;

/** Puts what a scanner finds into drafts. One reads many lines. */
export function createReader(scan: Scan): (text: string, into: Draft, rules?: KeyRules) => void {
  const line = { bare: [], place: { inDict: false } } as unknown as Line;
  const readDict = createDictReader();
  /** A value of the field without a name, and the words behind it. */
  let loose: Reading | undefined;
  let looseWords = '';
  /** The words of the field before, of a table's row: `| loss | 2.31 |`. */
  let cell = '';

  const give = (name: string, found: Meaning | undefined, reading: Reading): boolean => {
    line.key = name;
    line.meaning = found;
    if (found?.as === 'memoryBytes') line.memory = true;
    if (isQueueByHead(line, name, found, reading)) return true;
    const { kind, unit } = reading;
    if (found?.as === 'step' && takeStepTime(reading, line.draft)) return true;
    // `stage seconds (avg/max): update=9.62/10.20`
    const isPairOfTimes = line.timers !== undefined && kind === 'pair' && !unit && !reading.open;
    if (found && !isPairOfTimes && take(name, found, reading, line.place)) return true;
    const isStage = isPairOfTimes || (found?.as === 'step' ? reading.first.fractional : !found);
    if (!isStage || !line.timers || (kind !== 'number' && !isPairOfTimes) || unit) return false;
    return takeStage(name, { part: 'average', unit: line.timers }, reading, line.draft);
  };

  const takeLoose = (reading: Reading, at: number) => {
    const { draft, place, meaning } = line;
    if (reading.kind === 'range' && takeBounds(line, reading)) return;
    joinGroups(line.text, loose, reading, at);
    if (takeByUnit('', reading, { place, scope: undefined, rank: 1 })) return;
    const isPair = reading.kind === 'pair' && !reading.unit && !reading.open;
    const { first, second } = reading;
    if (isPair && meaning?.as === 'epoch') {
      line.meaning = undefined;
      // `[25600/60000 (43%)]` are samples.
      if (line.text.charCodeAt(reading.end + 1) === 40) return;
      draft.set('stepInEpoch', first.value, 10);
      draft.set('stepsPerEpoch', second.value, 10);
      return;
    }
    // `[1200/20000]`, `(1200/20000)`, `1200/20000:`
    const alone =
      line.text.charCodeAt(at) === 91 ||
      line.text.charCodeAt(at - 1) === 40 ||
      line.text.charCodeAt(reading.end) === 58;
    if (isPair && alone && line.values === 1) {
      const [epoch, epochs] = [first.value, second.value];
      // `[1/5][100/938]`: epoch and batch.
      if (
        line.text.charCodeAt(reading.end) === 91 &&
        /^\[\s*\d+\s*\/\s*\d+\s*\]/.test(line.text.slice(reading.end, reading.end + 30))
      ) {
        line.meaning = { as: 'epoch', rank: 0 };
        draft.later(() => {
          draft.set('epoch', epoch, -5);
          draft.other('epochs', epochs);
        });
      } else if (epochs >= 1000) draft.later(() => (draft.set('step', epoch, -5), draft.set('totalSteps', epochs, -5)));
      return;
    }
    if (line.values === 1 && reading.kind === 'number' && isNumbered(line.text, reading, at)) {
      const { value } = first;
      return draft.later(() => draft.set('step', value, -6));
    }
    if (reading.unit?.counts && reading.kind === 'number') {
      const { counts } = reading.unit;
      const { value } = first;
      if (line.inField === 1) return draft.later(() => draft.set(counts, value, -5));
    }
    if (loose || reading.kind === 'range') return;
    loose = copyReading(reading);
    looseWords = '';
  };

  /** At the end of a field of one value: `2.31 loss`, `41.2% bf16 MFU`, or `45 ms` of a line that tells a step and more. */
  const endLoose = (reading: Reading) => {
    const { draft } = line;
    if (looseWords !== '') {
      const known = find(line, looseWords);
      if (!known || /^(?:stage|nothing|step|epoch|totalSteps|wait)$/.test(known.as)) return;
      if (known.as === 'queue' && reading.kind === 'number') return;
      give(looseWords, known, reading);
    } else if (!line.idle && reading.unit?.of === 'bytes' && reading.kind !== 'range' && line.values > 2) {
      const held = copyReading(reading);
      draft.later(() => void (draft.size > 1 && take('memory', { as: 'memoryBytes', rank: -5 }, held, line.place)));
    } else if (!line.idle && reading.unit?.of === 'time' && (reading.unit.power ?? 0) < 0 && line.values > 1) {
      const seconds = secondsOf(reading, undefined);
      if (seconds !== undefined) draft.later(() => void (draft.size > 1 && draft.set('stepSeconds', seconds, -5)));
    }
  };

  const takeCell = (reading: Reading) => {
    const known = find(line, cell);
    if (known && known.as !== 'nothing') {
      if (!give(cell, known, reading)) takeOther(line, cell, reading, true);
    } else if (!known && reading.kind === 'number') line.draft.other(cell, reading.first.value);
    cell = '';
  };

  const listener: Listener = {
    value(phrase, reading, at) {
      line.values++;
      line.inField++;
      if (line.values === 1) takeHead(line, phrase);
      else if (phrase.count > 1 && line.unit && takeCalls(line, words(phrase, 0, 1))) withoutFirst(phrase);
      if (phrase.count === 0) return cell !== '' && line.inField === 1 ? takeCell(reading) : takeLoose(reading, at);
      const own = phrase.count === 1 ? find(line, words(phrase, 0)) : undefined;
      if ((own === undefined || own.as === 'wait') && takeStatistic(line, phrase, reading)) return;
      if (phrase.tie === 0) return takeBare(line, phrase, reading);
      const last = words(phrase, phrase.count - 1);
      const isGlued = line.text.charCodeAt(at - 1) === 58;
      // `console_logger:78` is a place in a program.
      if (phrase.tie === 58 && isGlued && last.includes('.') && !reading.first.fractional && !find(line, last)) return;
      // `loss: total=2.3 ce=2.2 aux=0.1`
      if (line.about === 'loss' && phrase.tie === 61 && phrase.count === 1 && !line.rules)
        return takePartOfLoss(line, last, reading);
      const { name, meaning: found } = nameOf(line, phrase);
      if (found?.as === 'wait' && line.queued && takeWait(line, name, found, reading)) return;
      setSubject(line, name, found, reading);
      if (found?.as === 'queue' && found.weak && reading.kind === 'number') {
        const held = copyReading(reading);
        const { draft, place } = line;
        return draft.later(() => void take(name, found, held, place));
      }
      if (!give(name, found, reading) && reading.kind !== 'time') takeOther(line, name, reading, found !== undefined);
    },
    word(phrase, from, to) {
      const name = words(phrase, 0);
      const named = namedBy(words(phrase, phrase.count - 1));
      const isName = named && (phrase.tie === 61 || /^[,;|]/.test(line.text.slice(to, to + 1)));
      line.subject = isName ? quotedName(line.text, from, to) : name;
      line.queued = isName === true && named === 'queue';
      if (!line.queued) headline(line, name, line.text.slice(from, to));
      if (isMessage(name)) headline(line, line.text.slice(from, to));
      line.unit = undefined;
      if (phrase.tie === 58 && find(line, name)?.as === 'loss') line.about = 'loss';
      const next = line.text.charCodeAt(to);
      if (next !== 61 && next !== 58) line.chatty = true;
    },
    // `timings [ms] fwd=120.5`
    mark: (word) => headline(line, line.about === 'times' && !line.timers ? `times (${word})` : word),
    aside(reading) {
      const { unit, first, second, kind } = reading;
      if (kind === 'range') return void takeBounds(line, reading);
      if (line.pairs && line.subject !== '' && kind === 'number') {
        const own = unit ?? line.timers ?? line.unit;
        return void takeStage(line.subject, { part: 'maximum', ...(own && { unit: own }) }, reading, line.draft);
      }
      if (kind === 'pair' && !unit) {
        if (line.meaning?.as === 'epoch') {
          line.draft.set('stepInEpoch', first.value, 5);
          line.draft.set('stepsPerEpoch', second.value, 5);
        } else if (line.about === 'queues' && line.subject !== '')
          line.draft.queue({ name: line.subject, depth: first.value, capacity: second.value });
        else if (/^(?:progress|train|training|done)$/i.test(line.key) && second.value >= 1000) {
          // `progress 6.0% (1200/20000)`
          line.draft.set('step', first.value, -6);
          line.draft.set('totalSteps', second.value, -6);
        }
        return;
      }
      if (unit?.of === 'percent' && line.meaning?.as === 'memoryBytes')
        line.draft.other(`${line.key}_percent`, first.value);
    },
    dict(phrase, at) {
      const { draft, place } = line;
      const prefix = phrase.count > 0 && phrase.tie !== 0 ? words(phrase, phrase.count - 1) : '';
      return readDict(line.text, at, {
        draft,
        find: (key) => find(line, key),
        place: { ...place, inDict: true },
        prefix,
      });
    },
    dropped(phrase) {
      if (takeCalls(line, words(phrase, 0))) return;
      line.chatty = true;
      if (loose && line.inField === 1 && looseWords === '') looseWords = words(phrase, 0);
      else line.idle = true;
      headline(line, words(phrase, 0));
      // `stage read     n=120 avg=3.2ms`
      if (phrase.count === 2 && /^(?:stage|queue|phase|timer|span)$/i.test(words(phrase, 0, 1)))
        line.subject = words(phrase, 0);
    },
    quoted(phrase) {
      line.chatty = true;
      if (line.text.charCodeAt((phrase.starts[0] ?? 0) - 1) === 34) headline(line, words(phrase, 0));
      for (let i = 0; i < phrase.count; i++) tellPhase(line, words(phrase, i, i + 1));
    },
    fence(phrase, code) {
      const left = phrase.count > 0 ? words(phrase, 0) : '';
      if (left !== '' && !takeCalls(line, left)) {
        headline(line, left);
        if (loose && looseWords === '' && line.inField === 1) looseWords = left;
        else {
          line.idle = true;
          line.chatty = true;
        }
      }
      if (loose && line.inField === 1) endLoose(loose);
      if (line.bare.length > 0) {
        if (!line.idle) takeBares(line);
        line.bare.length = 0;
      }
      loose = undefined;
      looseWords = '';
      const isBar = code === 124 || code === 0xff5c || (code >= 0x2500 && code <= 0x257f);
      cell = isBar && line.inField === 0 ? left : '';
      line.idle = false;
      line.inField = 0;
      if (code === 59 || isBar || code === 10) line.subject = '';
    },
  };

  return (text, into, rules) => {
    begin(line, text, into, rules);
    cell = looseWords = '';
    loose = undefined;
    scan(text, listener);
    if (into.telling) return;
    if (line.timed > 1) into.metrics();
    if (!line.lone) return;
    if (line.clean > 1) into.metrics();
    else if (!line.chatty) line.lone();
  };
}

/** `#1200 loss=2.31`, `1200: loss=2.31`; a small number may be a rank's, or an epoch's. */
function isNumbered(text: string, { first, unit, end }: Reading, at: number): boolean {
  if (unit || first.fractional || !(first.value >= 0)) return false;
  if (text.charCodeAt(at - 1) === 35 || (text.charCodeAt(at - 2) === 35 && text.charCodeAt(at - 1) === 32)) return true;
  return at === 0 && first.value >= 100 && text.charCodeAt(0) !== 48 && text.charCodeAt(end) === 58;
}

/** `12 345 tok/s`: one number, where nothing else can be told by the first part. */
function joinGroups(text: string, before: Reading | undefined, { first, unit }: Reading, at: number): void {
  if (!before || before.kind !== 'number' || before.unit || before.first.fractional || before.end !== at - 1) return;
  const { value } = before.first;
  if (!unit || !(value >= 1 && value < 1000) || !/^\d{3}(?!\d)/.test(text.slice(at, at + 4))) return;
  first.value += value * 1000;
  first.mantissa += value * 10 ** (3 - first.power);
}

const isMessage = remember((key) => /^(?:msg|message|event|text)$/i.test(key));

/** `queue=loader`, `stage=fwd`: whose statistics follow. */
const namedBy = remember((key) =>
  /^(?:queue|buffer|pool)(?:_?name)?$/i.test(key)
    ? 'queue'
    : /^(?:stage|phase|span|op|timer|section|region|kernel|name|scope|event)$/i.test(key)
      ? 'stage'
      : undefined,
);

/** `queue="batch loader" depth=3` */
function quotedName(text: string, from: number, to: number): string {
  const end = text.charCodeAt(from - 1) === 34 ? text.indexOf('"', to) : to;
  return text.slice(from, end < 0 || end - from > 40 ? to : end);
}

function takePartOfLoss(line: Line, name: string, reading: Reading): void {
  const { kind, unit, first } = reading;
  const known = find(line, name);
  if (known && known.as !== 'loss' && take(name, known, reading, line.place)) return;
  if (kind !== 'number' || unit) return;
  if (name === 'total') line.draft.set('loss', first.value, 5);
  else line.draft.other(`loss_${name}`, first.value);
}

function begin(line: Line, text: string, draft: Draft, rules: KeyRules | undefined): void {
  line.text = text;
  line.draft = draft;
  line.place.draft = draft;
  line.place.text = text;
  line.place.scope = rules?.scope;
  line.rules = rules && meaningsOf(rules);
  line.key = line.subject = line.owner = '';
  line.meaning = line.timers = line.about = line.unit = line.lone = line.calls = undefined;
  line.values = line.inField = line.clean = line.timed = line.measured = 0;
  line.idle = line.chatty = line.memory = line.queued = false;
  takePairsHead(line, text);
  line.bare.length = 0;
}
