import { copyReading, find, setSubject, words, type Bare, type Line } from './line.ts';
import { nameOf } from './phrases.ts';
import { remember } from './remember.ts';
import type { Phrase } from './listener.ts';
import type { Reading } from './scan-value.ts';
import type { Meaning } from './names.ts';
import { takeStepTime } from './statistics.ts';
import { take, takeByUnit, takeStage } from './take.ts';

/** Words of sentences that are the name of no number. */
const small =
  /^(?:in|at|after|for|of|to|took|with|from|by|on|over|and|or|the|a|an|is|was|than|using|about|within|until|since|every|per|all|only|least|most|next|last|first|top|version|python|cuda|torch|rank|worker|node|gpu|device|port|pid|line|got|has|have|found|loaded|saved|done|sleeping|waiting|waited|attempt|retry|page|part|file|shard|shards|chunk|seed)$/i;
/** `每秒处理 12300 个token` */
const perSecond = /每秒|毎秒|초당|per sec/i;
const isStage = /^(?:stage|phase|timer|span) +(?!times?$|total$|durations?$|count$|wait)\w+$/i;
const isSum = /^ ?= ?\w+ [\d.]+ ?\w* ?\+ ?\w/;
const noTime =
  /(?:^|[_ /])(?:timeout|interval|ttl|delay|budget|limit|deadline|after|in|took|eta|period|grace|backoff|cooldown|sleep|lease|keepalive|heartbeat|polling|expiry|lifetime|refresh|age|patience|uptime)$/i;

/** A value behind its name with nothing but blanks between: in a sentence it is a reading only where the name is known. */
export function takeBare(line: Line, phrase: Phrase, reading: Reading): void {
  if (isNone(line, phrase, reading)) return;
  const joined = linked(line, phrase, reading);
  const { name, meaning: found } = joined ?? nameOf(line, phrase);
  const { kind, unit, first, second } = reading;
  const { draft } = line;
  // `第1200步`
  if (!found && name.endsWith('第') && unit?.counts) return takeOrdinal(line, unit.counts, reading);
  if (isQueueByHead(line, name, found, reading)) return;
  if (found?.as === 'nothing') return;
  // `memoria GPU 41,2 GiB`
  const isMemory = found?.as === 'memoryBytes' && unit?.of === 'bytes';
  if (found && !joined && !isMemory && phrase.count > 1 && small.test(words(phrase, phrase.count - 1))) return;
  line.key = name;
  line.meaning = found;
  if (found?.as === 'memoryBytes') line.memory = true;
  // `phases: generate 21.4s update 9.6s`
  if (line.about === 'times' && unit?.of === 'time' && found?.as === 'step')
    return void takeStage(name, { part: 'average' }, reading, draft);
  if (found?.as === 'step' && takeStepTime(reading, draft)) {
    // `step 188.6ms = fwd 61.7ms + bwd 108.2ms`
    if (isSum.test(line.text.slice(reading.end, reading.end + 200))) line.about = 'times';
    return;
  }
  if (found && (found.as === 'step' || found.as === 'epoch') && kind === 'number') {
    const { as, rank } = found;
    const { value } = first;
    if (!(value >= 0) || (unit && unit.of !== 'count') || (as === 'step' && !Number.isInteger(value))) return;
    // `episode 120 | steps 200`: how long it was.
    if (found.weak && as === 'step' && /episode/i.test(line.text)) return void draft.other(name, value);
    const set = () => draft.set(as, value, rank, undefined, as === 'step' ? { key: name, value } : undefined);
    if (draft.telling) return set();
    draft.later(set);
    if (line.values === 1 && name.length === words(phrase, 0).length && !found.weak) line.lone = set;
    return;
  }
  setSubject(line, name, found, reading);
  if (kind === 'pair') line.owner = line.subject;
  // `stages (s): fwd 0.12/0.13`
  if (line.timers && !unit && !reading.open && (kind === 'pair' || (kind === 'number' && !found)))
    return void takeStage(name, { part: 'average', unit: line.timers }, reading, draft);
  if (line.timers && !unit && !found && (kind === 'number' || kind === 'pair')) {
    takeStage(name, { part: 'average', unit: line.timers }, reading, draft);
    return;
  }
  if (kind === 'number' && unit?.of === 'time' && isStage.test(name) && !small.test(words(phrase, phrase.count - 1)))
    return void takeStage(name, { part: 'average' }, reading, draft);
  const unsure = kind === 'number' && !unit && line.about === undefined;
  const held =
    found &&
    (found.as === 'queue' ||
      found.as === 'stage' ||
      found.as === 'wait' ||
      found.weak ||
      (found.as === 'stepSeconds' && !found.unit));
  if (found && !(unsure && held) && take(name, found, reading, line.place)) return;
  if (kind === 'pair' && unit?.of === 'time')
    return void takeStage(name.replace(/\s(?:avg|mean)\/max$/i, ''), { part: 'average' }, reading, draft);
  if (line.about === 'queues' && !unit && !found && kind !== 'time') {
    if (kind === 'pair' && !reading.open) draft.queue({ name, depth: first.value, capacity: second.value });
    else if (kind === 'number' && Number.isInteger(first.value)) draft.queue({ name, depth: first.value });
    else if (kind === 'range') takeOther(line, name, reading, false);
    return;
  }
  if (
    kind === 'range' &&
    !unit &&
    (line.text.charCodeAt(reading.end - 1) === 93 || reading.of.value === reading.of.value)
  )
    return takeOther(line, name, reading, found !== undefined);
  if (kind !== 'number') return;
  if (unit?.thing && perSecond.test(name)) return takeOther(line, name, reading, false);
  if (unit && !found && takeNeutralRate(line, name, reading)) return;
  // `Engine 000: `, `worker 3: `: which one.
  if (!unit && line.text.charCodeAt(reading.end) === 58) return;
  if (phrase.count > 3 || small.test(words(phrase, phrase.count - 1)) || small.test(words(phrase, 0, 1))) {
    line.idle = true;
    line.unit = undefined;
    return;
  }
  if (name === 'L' && first.fractional && !unit) {
    const { value } = first;
    return draft.later(() => draft.set('loss', value, -6));
  }
  // `skipped (scaler 32768 -> 16384)`
  if (name.includes('(') && !name.includes(')')) return;
  line.bare.push({
    name,
    value: first.value,
    ...(unit?.of === 'time' && { time: copyReading(reading) }),
    ...(unit && { measured: true }),
  });
}

/** `step 1264: grad norm is inf`, and not `if the loss is nan`. */
function isNone(line: Line, phrase: Phrase, reading: Reading): boolean {
  const { first, kind, unit } = reading;
  if (Number.isFinite(first.value) || kind !== 'number' || unit || phrase.count < 2 || line.values < 2) return false;
  if (!/^(?:is|was|became|becomes|turned|went|now)$/i.test(words(phrase, phrase.count - 1)) || asked.test(line.text))
    return false;
  const name = words(phrase, 0, phrase.count - 1);
  const known = find(line, name);
  return (known?.as === 'loss' || known?.as === 'gradNorm') && take(name, known, reading, line.place);
}
const asked =
  /\b(?:if|when|whenever|whether|unless|until|case|check\w*|should|would|could|may|might|will|can|abort_?on|stop_?on|on_nan|not|never|no)\b/i;

/** `queues: reader 3/8, gpu 0/4, batch 2/8`: below such a head also what is another thing elsewhere. */
export function isQueueByHead(
  { about, draft }: Line,
  name: string,
  found: Meaning | undefined,
  { kind, unit, open, first, second }: Reading,
): boolean {
  if (about !== 'queues' || kind !== 'pair' || unit || open) return false;
  if (found?.as !== 'nothing' && !(found?.as === 'step' && otherwise.test(name))) return false;
  draft.queue({ name, depth: first.value, capacity: second.value });
  return true;
}
const otherwise = /^(?:batch|update|upd|it)$/i;

/** `loader queue is at 7/16`, `queue act holds 7 of 16`: no other pair is so certain. */
function linked(line: Line, phrase: Phrase, { kind, unit, open }: Reading) {
  if (kind !== 'pair' || unit || open || phrase.count < 3) return undefined;
  let count = phrase.count;
  while (count > 1 && linking.test(words(phrase, count - 1, count))) count--;
  if (count === phrase.count) return undefined;
  const name = words(phrase, 0, count);
  const meaning = find(line, name);
  return meaning?.as === 'queue' ? { name, meaning } : undefined;
}
const linking = /^(?:is|at|has|holds|now|currently|was|are|with|filled|ist|bei|hat)$/i;

/** Of a field that is names and numbers in turn: what is told there are figures if the line is one of metrics. */
export function takeBares(line: Line): void {
  const { draft, about, values, inField } = line;
  const all = line.bare.slice();
  const give = () => {
    if (about === undefined && draft.size < 2 && all.length > 1) return;
    for (const one of all) takeOne(line, draft, one);
  };
  line.clean++;
  if (about === 'times' && all.every(({ time }) => time)) give();
  else if (inField > 1 || values > 1 || draft.telling) draft.later(give);
}

function takeOne(line: Line, draft: Line['draft'], { name, value, time, measured }: Bare): void {
  if (time) return noTime.test(name) ? undefined : void takeStage(name, { part: 'average' }, time, draft);
  const known = find(line, name);
  if (known?.as === 'queue' && !measured) draft.queue({ name: known.name ?? name, depth: value });
  else draft.other(name, value);
}

function takeOrdinal({ draft }: Line, counts: 'step' | 'epoch', { kind, first, second }: Reading): void {
  if (kind !== 'number' && kind !== 'pair') return;
  draft.set(counts, first.value, 5);
  if (kind !== 'pair') return;
  if (counts === 'step') draft.set('totalSteps', second.value, 5);
  else draft.other('epochs', second.value);
}

/** `layers [0-11]` says which ones. */
const numbered =
  /(?:^|[\W_])(?:gpu|rank|layer|node|cpu|core|shard|device|id|line|step|epoch|iteration|token|page|block|head|port|host|stage|expert|chunk|file|range|row|column|level|bit|class|label|channel|worker|process|slot|configuration)(?:s|es)?$/i;

/** A number that is nothing known, under its own key. */
export function takeOther(line: Line, name: string, reading: Reading, known: boolean): void {
  const { kind, unit, first, second, of } = reading;
  const { draft } = line;
  if (kind === 'pair' && unit?.of === 'time') return void takeStage(name, { part: 'average' }, reading, draft);
  if (kind === 'range' && !unit) {
    // `ports=8000-9000` are none.
    if (line.text.charCodeAt(reading.end - 1) !== 93 && of.value !== of.value) return;
    if (numbered.test(name)) return;
    draft.queue({ name, low: first.value, high: second.value, ...(of.value === of.value && { capacity: of.value }) });
    return;
  }
  if (kind === 'pair' && line.about === 'queues' && !unit && !reading.open)
    return draft.queue({ name, depth: first.value, capacity: second.value });
  if (kind !== 'number') return;
  if (unit?.of === 'persecond') {
    const rate = find(line, `${name} per second`);
    if (rate?.as.endsWith('PerSecond')) draft.set(rate.as as 'tokensPerSecond', first.value, rate.rank, rate.scope);
    return;
  }
  if (unit?.of === 'count' && unit.thing && perSecond.test(name)) {
    draft.set(unit.thing === 'tokens' ? 'tokensPerSecond' : 'samplesPerSecond', first.value, 1);
    return;
  }
  if (unit && takeNeutralRate(line, name, reading)) return;
  if (line.about === 'queues' && !unit && !known && Number.isInteger(first.value))
    return draft.queue({ name, depth: first.value });
  if (unit?.of === 'time' && !known && name.length > 1 && !small.test(name) && !noTime.test(name)) {
    line.timed++;
    if (draft.telling || line.about === 'times') return void takeStage(name, { part: 'average' }, reading, draft);
    const held = copyReading(reading);
    return draft.later(() => void takeStage(name, { part: 'average' }, held, draft));
  }
  if (name === 'L' && first.fractional) {
    const { value } = first;
    return draft.later(() => draft.set('loss', value, -6));
  }
  draft.other(name, first.value);
}

/** `tput=24100 tok/s`, `time=0.312s/iter`: by the unit, where the key does not say that it is another's. */
function takeNeutralRate(line: Line, name: string, reading: Reading): boolean {
  const { of } = reading.unit ?? {};
  if (!of || (of === 'steptime' ? !isOwnTime(name) : !isOwnRate(name))) return false;
  return takeByUnit(name, reading, { place: line.place, scope: scopeOf(name), rank: -1 });
}

/** `global 790.1 kTok/s`, `per gpu 12.3k tok/s` */
const scopeOf = remember((name) =>
  /\b(?:global|cluster|aggregate|all (?:gpus|ranks|devices))\b/i.test(name)
    ? 'global'
    : /\b(?:gpu|device|chip|npu|card)\b/i.test(name)
      ? 'gpu'
      : undefined,
);

const isOwnTime = remember((name) => /^(?:\w*time|speed|rate|t|dt|dur|duration|iter|step)$/i.test(name));
const isOwnRate = remember(
  (name) =>
    /(?:^|[^a-z])(?:speed|rate|ips|perf|performance|tput|thpt|thru|thruput|throughput|train|training|toks?|tokens|samples|steps|its?|iter|sps|processed|images|total|avg|global|cluster|overall|aggregate|(?:all|per|each) (?:gpus?|ranks?|devices?|chips?))(?![a-z])|^(?:at|@)$/i.test(
      name,
    ) &&
    !/prompt|gen|decod|prefill|rollout|accept|draft|eval|val|test|infer|load|read|writ|input|output|disk|net|comm|fetch|preproc/i.test(
      name,
    ),
);
