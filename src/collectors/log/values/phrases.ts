import { lookup } from '../lookup.ts';
import { find, words, type Line } from './line.ts';
import type { Meaning } from './names.ts';
import { remember } from './remember.ts';
import type { Phrase } from './listener.ts';
import { translate } from './tongues.ts';
import { unitOf } from './units.ts';

/** What changes the thing that is counted when it stands before a name: `skipped iterations`, `best loss`, `at step 12`. */
const changing =
  /^(?:skipped|skip|nan|bad|scale|warmup|best|last|prev|previous|start|starting|resum\w*|sav\w*|checkpoint\w*|ckpt|load\w*|next|target|min|minimum|max|maximum|no|num|number|since|from|until|every|interval|per|of|at|to|for|after|before|in|on|by|final|initial|init|reached|remaining|total|lowest|highest|log|logging|base|reset|rewind|goto|than|above|below|is|was|not|and|or|the|with|when|if|took|each)$/i;
/** Of the one that is told about, and of no other: `end of epoch 3: train_loss=2.31`. */
const ofEpoch = /^(?:end of|after|finished|completed|results? (?:of|for|after)|summary (?:of|for)) epoch$/i;
const place = /^(?:at|for|on|after|of|no|na)$/i;
const skipped = /^skip(?:ped)?$/i;
const oneStep = /^(?:global_?)?(?:step|iter|iteration|update)$/i;
const sentence = /^(?:is|was|not|and|or|the|with|when|if|took|each|in|on|for|of|at|to|by|from)$/i;
const told = /\s(?:is|was|are|were|has|had|did|got)\s/i;
const evaluationWord =
  /^(?:val|valid|validate|validating|validation|eval|evaluate|evaluating|evaluation|test|testing|dev|hold-?out|held-?out)$/i;
const trainingWord = /^(?:train|training)$/i;
/** `dev-clean`, `val2017`, `test_other`: sets of evaluations. */
const evaluationSet =
  /^(?:val|valid|dev|eval|test)(?:[-_]?(?:clean|other|set|split|seen|unseen|all|full|small|matched|mismatched|\d{4}))$/i;
/** `eval on day_23`, `validation results`, `test set metrics`: what it was made on, and nothing of a test of something else. */
const evaluationHead =
  /^(?:(?:the|final|full|best|model) )?(?:val|valid|validat(?:ion|ing)|eval|evaluat(?:ion|ing|ed)|test|testing|dev)(?: (?:set|split|epoch|results?|metrics|scores?|summary|stats|report))*(?: (?:on|of|at|for|after|over|using|with) .*)?$/i;
/** Timers of which the unit is told once: `time (ms) | forward: 659.87`. */
const timerHead = /(?:^|[\s_])(?:times?|timers?|timings?|stages?|profile|breakdown|latency)\s?[([](ms|us|s|sec)[)\]]$/i;
const timesHead =
  /^(?:\S+ )?(?:times?|stages|phases|spans|timers?|timings?|profile|breakdown|stages? (?:times?|elapsed))(?:\/(?:step|iter))?$/i;
const queuesHead =
  /^(?:\S+ )?(?:queues?|buffers|pools)(?: (?:stats?|sizes?|depths?|lengths?|status|state|fill|levels?|occupancy|usage|utili[sz]ation|backlog))?$/i;
/** Of what follows in the same field: `queues feat=3/8`, `timing fwd 12ms`. */
const leading = /^(?:queues|buffers|pools|timings?|timers|stages|phases|spans|breakdown)$/i;
const unitBehind = /\s?[([（]([^)\]）]{1,12})[)\]）]$/;
const phaseKey = /^(?:phase|split|mode|stage|subset|set|kind|type)$/i;

/** Fields of which there are several kinds. */
const kinds = /^(?:loss|validationLoss|gradNorm|learningRate)$/;
/** What a logger puts before a message. */
const neutral =
  /^(?:[A-Z]{3,}|info|debug|notice|\S*[.:]\S*|trainer|main|root|logger|done|finished|current|log|\W+|val\w*|eval\w*|test\w*|train\w*)$/;

interface Name {
  readonly name: string;
  readonly meaning: Meaning | undefined;
}

/** The longest name that a phrase ends with, if what stands before it does not make another thing of it. */
export function nameOf(line: Line, phrase: Phrase): Name {
  const full = words(phrase, 0);
  let found = find(line, full);
  if (found || phrase.count === 1) return { name: full, meaning: found };
  // `batch was late prefetch_queue=0/32`
  if (phrase.tie === 61 && told.test(full)) {
    const last = words(phrase, phrase.count - 1);
    const meaning = find(line, last);
    if (meaning?.as === 'queue' || meaning?.as === 'wait') return { name: last, meaning };
  }
  if (full.length < 24 && ofEpoch.test(full)) return { name: 'epoch', meaning: find(line, 'epoch') };
  const glued = phrase.tie !== 0 && phrase.tie !== 58;
  // Further on names are whole: `load balancing loss` is no loss.
  if (line.values > 1 && !glued && line.inField > 1) return { name: full, meaning: undefined };
  let isPhase = false;
  for (let from = 1; from < phrase.count; from++) {
    const dropped = words(phrase, from - 1, from);
    const wasPhase = isPhase;
    isPhase = tellPhase(line, dropped);
    // `eval at step 5200`, `update skipped step=851`
    const isPlace = (wasPhase && place.test(dropped)) || (skipped.test(dropped) && oneStep.test(words(phrase, from)));
    if (!isPhase && !isPlace && changing.test(dropped)) {
      // `gradient is not finite update=1202`: a sentence, and then a key.
      const isSentence = phrase.tie === 61 && sentence.test(dropped) && !find(line, words(phrase, from));
      if (!isSentence) return { name: full, meaning: undefined };
    }
    const name = words(phrase, from);
    found = find(line, name);
    // `critic loss`, `D loss`: another one.
    if (found && kinds.test(found.as) && !neutral.test(dropped)) return { name: full, meaning: undefined };
    if (found) return { name, meaning: found };
  }
  return { name: glued ? words(phrase, phrase.count - 1) : full, meaning: undefined };
}

/** Whether a word says that what follows is about an evaluation, or no longer. */
export function tellPhase({ draft }: Line, word: string): boolean {
  if (isEvaluation(word)) draft.evaluation(true);
  else if (trainingWord.test(word)) draft.evaluation(false);
  else return false;
  return true;
}

/** In English, as far as it is known: `验证结果`, `検証完了`. */
const isVal = (english: string) =>
  /^val(?:完成|完了|完毕|结束|結束|終了|結果|结果|완료|종료|끝|결과)?:?$/.test(english.replaceAll(' ', ''));

const isEvaluation = remember(
  (word) => evaluationWord.test(word) || evaluationSet.test(word) || isVal(translate(word.toLowerCase())),
);

/** Takes the word off a phrase that says what all values are of: `queues feat=3/8`, `timing fwd 12ms`. */
export function takeHead(line: Line, phrase: Phrase): void {
  if (phrase.count < 2) return;
  const head = words(phrase, 0, 1);
  if (!leading.test(head)) return;
  headline(line, head);
  withoutFirst(phrase);
}

/** Its first word was something of its own. */
export function withoutFirst(phrase: Phrase): void {
  phrase.starts.copyWithin(0, 1);
  phrase.ends.copyWithin(0, 1);
  phrase.count--;
}

/** `eval:`, `[val]`, `phase=train`, `timing (ms):`, `queues:`: what the values after it are about. */
export function headline(line: Line, head: string, told?: string): void {
  if (head.length > 40) return;
  const { evaluation, timers, about, tellsPhase } = headOf(head);
  const toldPhase = told !== undefined && tellsPhase && told.length < 20 ? headOf(told).evaluation : undefined;
  const phase = toldPhase ?? evaluation;
  if (phase !== undefined) line.draft.evaluation(phase);
  if (timers) line.timers = timers;
  if (about) line.about = about;
}

interface Head {
  readonly evaluation: boolean | undefined;
  readonly timers: { readonly factor: number; readonly power: number } | undefined;
  readonly about: 'times' | 'queues' | undefined;
  readonly tellsPhase: boolean;
}

const headOf = remember((head): Head => {
  const last = head.slice(head.lastIndexOf(' ') + 1);
  const behind = unitBehind.exec(head);
  const english = translate((behind ? head.slice(0, behind.index) : head).toLowerCase());
  const timer = timerHead.exec(head)?.[1] ?? unitOfTimes(head) ?? (timesHead.test(english) ? behind?.[1] : undefined);
  return {
    evaluation: evaluatesAt(head, last, english),
    timers: timer === undefined ? undefined : (timerUnits[timer.toLowerCase()] ?? foreignUnit(timer)),
    about: timer !== undefined || timesHead.test(english) ? 'times' : queuesHead.test(english) ? 'queues' : undefined,
    tellsPhase: phaseKey.test(last),
  };
});

function evaluatesAt(head: string, last: string, english: string): boolean | undefined {
  if (isEvaluation(last)) return true;
  if (trainingWord.test(last)) return false;
  return isVal(english) || evaluationHead.test(head) ? true : undefined;
}

/** `阶段耗时(毫秒)` */
function foreignUnit(name: string): { readonly factor: number; readonly power: number } | undefined {
  const { of, factor = 1, power } = unitOf(name) ?? {};
  return (of === 'time' || of === 'steptime') && power !== undefined ? { factor, power } : undefined;
}

/** `stage seconds (avg/max)`, `timings in ms, mean / p99`: nothing else is said there. */
function unitOfTimes(head: string): string | undefined {
  const told = head
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
  const unit = told.find((word) => timerUnits[word]);
  if (unit === undefined || !told.some((word) => ofTimes.test(word))) return undefined;
  return told.every((word) => word === unit || ofTimes.test(word) || besideTimes.test(word)) ? unit : undefined;
}

const ofTimes =
  /^(?:stages?|phases?|sections?|times?|timers?|timings?|durations?|profile|breakdown|latency|latencies)$/;
const besideTimes =
  /^(?:in|per|by|step|steps|iter|rank|train|avg|average|mean|median|max|maximum|peak|min|p\d\d|of|over|all|last|\d{1,5})$/;

/** Units of times that a head names. */
export const timerUnits = lookup<{ readonly factor: number; readonly power: number }>({
  ms: { factor: 1e-3, power: -3 },
  us: { factor: 1e-6, power: -6 },
  msec: { factor: 1e-3, power: -3 },
  millis: { factor: 1e-3, power: -3 },
  milliseconds: { factor: 1e-3, power: -3 },
  microseconds: { factor: 1e-6, power: -6 },
  s: { factor: 1, power: 0 },
  sec: { factor: 1, power: 0 },
  secs: { factor: 1, power: 0 },
  seconds: { factor: 1, power: 0 },
});
