import { createDictReader } from './dict.ts';
import type { Draft } from '../draft.ts';
import { meaningOf, type Meaning } from './names.ts';
import type { KeyRules } from './rules.ts';
import { meaningsOf } from './rules.ts';
import type { Listener, Phrase } from './scan.ts';
import { blankReading, type Reading } from './scan-value.ts';
import { secondsOf, take, takeByUnit, takeStage, type Place } from './take.ts';

type Scan = (text: string, listener: Listener) => void;

/** What changes the thing that is counted when it stands before a name: `skipped iterations`, `best loss`, `at step 12`. */
const changing =
  /^(?:skipped|skip|nan|bad|scale|warmup|best|last|prev|previous|start|starting|resum\w*|sav\w*|checkpoint\w*|ckpt|load\w*|next|target|min|minimum|max|maximum|no|num|number|since|from|until|every|interval|per|of|at|to|for|after|before|in|on|by|final|initial|init|reached|remaining|total|lowest|highest|current best|log|logging|base|reset|rewind|goto|than|above|below|is|was|not|and|or|the|with|when|if|took)$/i;
const evaluating =
  /^(?:val|valid|validate|validating|validation|eval|evaluate|evaluating|evaluation|test|testing|dev)$/i;
const training = /^(?:train|training)$/i;
/** Words of sentences that are the name of no number. */
const small =
  /^(?:in|at|after|for|of|to|took|with|from|by|on|over|and|or|the|a|an|is|was|than|using|about|within|until|since|every|per|all|only|least|most|next|last|first|top|version|python|cuda|torch|rank|worker|node|gpu|device|port|pid|line|got|has|have|found|loaded|saved|done|took|sleeping|waiting|waited|attempt|retry|page|part|file|shard|shards|chunk|seed)$/i;
const stat =
  /^(?:avg|average|mean|max|maximum|min|minimum|n|count|calls|std|med|median|p\d\d|cap|capacity|depth|size|len|low|high|cur|current)$/i;
/** Timers of which the unit is told once: `time (ms) | forward: 659.87`. */
const timerHead = /^(?:times?|timers?|timings?|stages?|profile|breakdown|latency)\s?[([](ms|us|s|sec)[)\]]$/i;

/** Puts what a scanner finds into a draft. One reads many lines. */
export function createReader(scan: Scan) {
  let draft: Draft;
  let rules: ReadonlyMap<string, Meaning> | undefined;
  let place: Place;
  /** The key of the last value, and what it means. */
  let key = '';
  let meaning: Meaning | undefined;
  /** What `avg` and `max` are of. */
  let subject = '';
  let timers: { readonly factor: number; readonly power: number } | undefined;
  /** Values so far in the line, and in the field. */
  let values = 0;
  let inField = 0;
  /** Words of the field that no value follows. */
  let idle = false;
  /** A value of the field without a name, that may come behind it. */
  let loose: Reading | undefined;
  let looseWords = '';
  /** Bare numbers of the field, read if all of it is names and numbers: key and value in turn. */
  const bare: [string, number][] = [];
  const bareTimes: [string, Reading][] = [];
  /** `step 12` alone: read if nothing else stands in the line. */
  let lone: (() => void) | undefined;
  let chatty = false;
  /** The words of the field before, of a table's row: `| loss | 2.31 |`. */
  let cell = '';
  let fieldStart = 0;
  let text = '';
  const spare = blankReading();

  const find = (name: string): Meaning | undefined => rules?.get(name) ?? meaningOf(name);

  const words = ({ starts, ends, count }: Phrase, from: number, to = count) =>
    text.slice(starts[from] ?? 0, ends[to - 1] ?? 0);

  /** The longest name that a phrase ends with, if what stands before it does not make another thing of it. */
  const nameOf = (phrase: Phrase): { readonly name: string; readonly meaning: Meaning | undefined } => {
    const full = words(phrase, 0);
    let found = find(full);
    if (found || phrase.count === 1) return { name: full, meaning: found };
    const glued = phrase.tie !== 0 && phrase.tie !== 58;
    if (values > 1 && !glued && inField > 1) return { name: full, meaning: undefined };
    for (let from = 1; from < phrase.count; from++) {
      const dropped = words(phrase, from - 1, from);
      if (evaluating.test(dropped)) {
        draft.evaluation(true);
        continue;
      }
      if (training.test(dropped)) draft.evaluation(false);
      else if (changing.test(dropped)) return { name: full, meaning: undefined };
      const name = words(phrase, from);
      found = find(name);
      if (found) return { name, meaning: found };
    }
    return { name: glued ? words(phrase, phrase.count - 1) : full, meaning: undefined };
  };

  const give = (name: string, found: Meaning | undefined, reading: Reading): boolean => {
    key = name;
    meaning = found;
    if (found && take(name, found, reading, place)) return true;
    if (timers && reading.kind === 'number' && !reading.unit && !found)
      return takeStage(name, { part: 'average', unit: timers }, reading, draft);
    return false;
  };

  /** `avg=5.08ms max=7.9ms n=587` of what was named before. */
  const takeStat = (phrase: Phrase, reading: Reading): boolean => {
    const last = words(phrase, phrase.count - 1);
    if (!stat.test(last) || rules?.has(last)) return false;
    if (phrase.count > 1) {
      const full = words(phrase, 0);
      if (find(full)) return false;
      const of = find(words(phrase, 0, phrase.count - 1))?.as;
      const own = of === 'queue' || of === 'stage';
      if (!own && (phrase.tie === 58 || !/^(?:avg|average|mean|max|maximum|n|count|calls|p\d\d)$/i.test(last)))
        return false;
      subject = words(phrase, 0, phrase.count - 1);
    }
    if (subject === '') return false;
    const joined = find(`${subject}_${last}`);
    if (joined?.as === 'queue' && find(subject)?.as === 'queue') return take(subject, joined, reading, place);
    const known = find(subject);
    if (known?.as === 'stage' || !known) {
      const part = /^(?:max|maximum)$/i.test(last)
        ? 'maximum'
        : /^(?:n|count|calls)$/i.test(last)
          ? 'count'
          : /^(?:avg|average|mean)$/i.test(last)
            ? 'average'
            : undefined;
      const unit = known?.unit ?? timers;
      if (part && (part === 'count' || reading.unit?.of === 'time' || unit))
        return takeStage(known?.name ?? subject, { part, ...(unit && { unit }) }, reading, draft);
    }
    if (known && known.as !== 'queue' && known.as !== 'nothing' && /^(?:cur|current)$/i.test(last))
      return take(subject, known, reading, place);
    if (reading.kind === 'number') draft.other(`${subject}_${last}`, reading.first.value);
    return true;
  };

  /** A number that is nothing known, under its own key. */
  const takeOther = (name: string, reading: Reading, known: Meaning | undefined) => {
    const { kind, unit, first } = reading;
    if (kind === 'pair' && unit?.of === 'time') return void takeStage(name, { part: 'average' }, reading, draft);
    if (kind === 'range' && !unit) {
      draft.queue({
        name,
        low: first.value,
        high: reading.second.value,
        ...(reading.of.value === reading.of.value && { capacity: reading.of.value }),
      });
      return;
    }
    if (kind !== 'number') return;
    if (
      unit?.of === 'time' &&
      !known &&
      !small.test(name) &&
      !/(?:^|[_ ])(?:timeout|interval|ttl|delay|budget|limit|deadline|after|in|took)$/i.test(name)
    ) {
      if (draft.telling || values > 1) return void takeStage(name, { part: 'average' }, reading, draft);
      const seconds = secondsOf(reading, undefined);
      if (seconds !== undefined)
        draft.later(() => draft.stage({ name, averageMs: Number((seconds * 1000).toPrecision(12)) }));
      return;
    }
    draft.other(name, first.value);
  };

  const listener: Listener = {
    value(phrase, reading, at) {
      values++;
      if (phrase.count === 0) {
        if (cell !== '' && inField === 0) {
          const known = find(cell);
          if (known && known.as !== 'nothing') give(cell, known, reading) || takeOther(cell, reading, known);
          else if (!known) draft.other(cell, reading.kind === 'number' ? reading.first.value : NaN);
          cell = '';
          inField++;
          return;
        }
        inField++;
        if (takeByUnit('', reading, { place, scope: undefined, rank: 1 })) return;
        const pair = reading.kind === 'pair' && !reading.unit;
        if (pair && meaning?.as === 'epoch' && !reading.open) {
          draft.set('stepInEpoch', reading.first.value, 10);
          draft.set('stepsPerEpoch', reading.second.value, 10);
          meaning = undefined;
          return;
        }
        if (loose || reading.kind === 'time' || reading.kind === 'range') return;
        loose = copy(reading, spare);
        looseWords = '';
        fieldStart = at;
        return;
      }
      inField++;
      if (takeStat(phrase, reading)) return;
      if (phrase.tie !== 0) {
        const last = words(phrase, phrase.count - 1);
        // `console_logger:78` is a place in a program.
        if (
          phrase.tie === 58 &&
          last.includes('.') &&
          !reading.first.fractional &&
          text.charCodeAt(at - 1) === 58 &&
          !find(last)
        )
          return;
        const { name, meaning: found } = nameOf(phrase);
        subject = name;
        if (found?.as === 'queue' && found.weak && reading.kind === 'number') {
          const held = copy(reading, blankReading());
          draft.later(() => void take(name, found, held, place));
          return;
        }
        if (!give(name, found, reading)) {
          if (reading.kind === 'time') return;
          takeOther(name, reading, found);
        }
        return;
      }
      takeBare(phrase, reading);
    },
    word(phrase, from, to) {
      const name = words(phrase, 0);
      const told = text.slice(from, to);
      const only = words(phrase, phrase.count - 1);
      if (evaluating.test(only) || (phaseKey.test(only) && evaluating.test(told))) draft.evaluation(true);
      else if (training.test(only) || (phaseKey.test(only) && training.test(told))) draft.evaluation(false);
      if (timerHead.test(name)) timers = timerUnits[timerHead.exec(name)?.[1]?.toLowerCase() ?? ''];
      subject = name;
      if (!text.charAt(to).match(/[=:]/)) chatty = true;
    },
    mark(word) {
      if (evaluating.test(word)) draft.evaluation(true);
      else if (training.test(word)) draft.evaluation(false);
    },
    aside(reading) {
      if (reading.unit?.of === 'percent' && key !== '') draft.other(`${key}_percent`, reading.first.value);
    },
    dict(phrase, at) {
      const prefix = phrase.count > 0 && phrase.tie !== 0 ? words(phrase, phrase.count - 1) : '';
      return readDict(text, at, { draft, find, place: { ...place, inDict: true }, prefix });
    },
    dropped(phrase) {
      if (loose && inField === 1 && looseWords === '') looseWords = words(phrase, 0);
      else idle = true;
      chatty = true;
      const name = words(phrase, 0);
      if (evaluating.test(name)) draft.evaluation(true);
    },
    fence(phrase, code) {
      const left = phrase.count > 0 ? words(phrase, 0) : '';
      if (left !== '') {
        if (timerHead.test(left)) timers = timerUnits[timerHead.exec(left)?.[1]?.toLowerCase() ?? ''];
        else if (loose && looseWords === '' && inField === 1) looseWords = left;
        else idle = true;
        if (evaluating.test(left)) draft.evaluation(true);
        else if (training.test(left)) draft.evaluation(false);
        if (inField === 0 || looseWords === '') chatty = true;
      }
      if (loose && inField === 1 && looseWords !== '') takeLoose();
      else if (
        loose &&
        inField === 1 &&
        !idle &&
        loose.unit?.of === 'time' &&
        (loose.unit.power ?? 0) < 0 &&
        values > 1
      )
        takeLooseTime(loose);
      if (!idle && (bare.length > 0 || bareTimes.length > 0)) takeBares();
      bare.length = 0;
      bareTimes.length = 0;
      loose = undefined;
      looseWords = '';
      idle = false;
      cell = isBar(code) && inField === 0 ? left : '';
      inField = 0;
      if (code === 59 || isBar(code) || code === 10) subject = '';
    },
  };

  const isBar = (code: number) => code === 124 || code === 0xff5c || (code >= 0x2500 && code <= 0x257f);

  /** `2.31 loss`, `41.2% bf16 MFU`: a value before its name. */
  const takeLoose = () => {
    if (!loose) return;
    const known = find(looseWords);
    if (!known || known.as === 'stage' || known.as === 'nothing') return;
    if (known.as === 'step' || known.as === 'epoch' || known.as === 'totalSteps') return;
    if (known.as === 'queue' && loose.kind === 'number') return;
    give(looseWords, known, loose);
  };

  /** `| 45 ms |` of a line that tells a step and more: what else could it be. */
  const takeLooseTime = (reading: Reading) => {
    const seconds = secondsOf(reading, undefined);
    if (seconds === undefined) return;
    draft.later(() => void (draft.size > 1 && draft.set('stepSeconds', seconds, -5)));
  };

  const takeBare = (phrase: Phrase, reading: Reading) => {
    const { name, meaning: found } = nameOf(phrase);
    const { kind, unit, first, second, open } = reading;
    const short = name.length < words(phrase, 0).length;
    if (!found && /^第/.test(name) && unit?.counts) {
      draft.set(unit.counts, first.value, 5);
      key = name;
      meaning = { as: unit.counts, rank: 5 };
      return;
    }
    if (found && (found.as === 'step' || found.as === 'epoch') && kind === 'number') {
      const { as, rank } = found;
      const { value } = first;
      if (!(value >= 0) || (unit && unit.of !== 'count') || (as === 'step' && !Number.isInteger(value))) return;
      key = name;
      meaning = found;
      const set = () => draft.set(as, value, rank, undefined, as === 'step' ? { key: name, value } : undefined);
      if (draft.telling) set();
      else {
        draft.later(set);
        if (values === 1 && !short && !found.weak) lone = set;
      }
      return;
    }
    if (found && found.as !== 'nothing') {
      const isQueue = found.as === 'queue' || found.as === 'stage' || found.as === 'wait';
      if (isQueue && kind === 'number' && !unit) return void bare.push([name, first.value]);
      if (found.weak && kind === 'number' && !unit) return void bare.push([name, first.value]);
      if (found.as === 'stepSeconds' && kind === 'number' && !unit) return void bare.push([name, first.value]);
      if (give(name, found, reading)) return;
    }
    if (found?.as === 'nothing') return;
    key = name;
    meaning = found;
    if (kind === 'pair' && unit?.of === 'time') return void takeStage(name, { part: 'average' }, reading, draft);
    if (kind === 'range' && !unit && text.charCodeAt(reading.end - 1) === 93) return takeOther(name, reading, found);
    // `Engine 000: `, `worker 3: `: which one.
    if (!unit && text.charCodeAt(reading.end) === 58) return;
    if (
      kind !== 'number' ||
      phrase.count > 3 ||
      small.test(words(phrase, phrase.count - 1)) ||
      small.test(words(phrase, 0, 1))
    ) {
      idle ||= kind === 'number';
      return;
    }
    void second;
    void open;
    if (unit?.of === 'time') bareTimes.push([name, copy(reading, blankReading())]);
    else bare.push([name, first.value]);
  };

  /** Of a field that is names and numbers in turn. */
  const takeBares = () => {
    const all = [...bare];
    const times = [...bareTimes];
    if (inField > 1 || values > 1 || draft.telling)
      draft.later(() => {
        if (draft.size < 2 && all.length + times.length > 1) return;
        for (const [name, value] of all) {
          const known = find(name);
          if (known?.as === 'queue') draft.queue({ name: known.name ?? name, depth: value });
          else draft.other(name, value);
        }
        for (const [name, reading] of times) takeStage(name, { part: 'average' }, reading, draft);
      });
  };

  const readDict = createDictReader();

  return (line: string, into: Draft, keyRules?: KeyRules) => {
    draft = into;
    text = line;
    rules = keyRules && meaningsOf(keyRules);
    place = { draft, scope: keyRules?.scope, inDict: false };
    key = subject = cell = looseWords = '';
    meaning = undefined;
    timers = loose = lone = undefined;
    values = inField = 0;
    idle = chatty = false;
    bare.length = bareTimes.length = 0;
    scan(line, listener);
    if (lone && !draft.telling && values === 1 && !chatty) (lone as () => void)();
    void fieldStart;
  };
}

const phaseKey = /^(?:phase|split|mode|stage|subset|set|kind|type)$/i;
const timerUnits: Readonly<Record<string, { readonly factor: number; readonly power: number }>> = {
  ms: { factor: 1e-3, power: -3 },
  us: { factor: 1e-6, power: -6 },
  s: { factor: 1, power: 0 },
  sec: { factor: 1, power: 0 },
};

function copy(from: Reading, to: Reading): Reading {
  to.kind = from.kind;
  to.unit = from.unit;
  to.seconds = from.seconds;
  to.open = from.open;
  to.end = from.end;
  Object.assign(to.first, from.first);
  Object.assign(to.second, from.second);
  Object.assign(to.of, from.of);
  return to;
}
