import type { KeyUnit, Meaning, Part } from './names.ts';
import { lookup } from '../lookup.ts';

const second: KeyUnit = { factor: 1, power: 0 };
const units = lookup<KeyUnit>({
  ...{ us: { factor: 1e-6, power: -6 }, ms: { factor: 1e-3, power: -3 }, msec: { factor: 1e-3, power: -3 }, millis: { factor: 1e-3, power: -3 } },
  ...{ milliseconds: { factor: 1e-3, power: -3 }, s: second, sec: second, secs: second, seconds: second, min: { factor: 60 } },
}); // prettier-ignore

const queueWords = set(
  'q queue queues queued qsize qlen buffer buffers buf prefetch prefetched prefetcher pool pools pending inflight backlog waiting mailbox inbox outbox fifo',
);
/** Of a server's requests: in other keys these are no queues. */
const requestWords = set('running waiting swapped pending preempted');
const aroundRequests = set('num requests request reqs req running waiting swapped pending preempted number of');
/** A share, a speed, a loss: no depth. */
const notDepth = set(
  'frac fraction ratio rate usage hit hits miss percent pct util utilization share full% loss losses value values std target grad norm td replay worker workers thread threads name id ids tokens token version timeout dropped drops drop total processed put get puts gets reward rewards score entropy kl adv advantage bytes memory mem gb mb',
);
const noQueue = set('closed full empty after is was for at with timeout timed reached dropping');
const waits = set('wait waited waiting stall stalled stalls blocked block starved starvation idle backpressure bubble');
const depthParts = set('size len length depth level fill filled occupancy count num items used now cur current');
const capacityParts = set('capacity cap limit maxsize bound maximum_size');

/** Queues and what is waited for, and stages by the group that they stand in. */
export function placeOf(words: readonly string[], key: string): Meaning | undefined {
  return waitOf(words, key) ?? queueOf(words, key) ?? stageInGroup(words, key);
}

function waitOf(words: readonly string[], key: string): Meaning | undefined {
  const inQueue = words.includes('time') && words.some((word) => queueWords.has(word));
  if (!inQueue && !words.some((word) => waits.has(word))) return undefined;
  if (words.some((word) => notDepth.has(word) && word !== 'total')) return undefined;
  const last = words.at(-1) ?? '';
  const unit = units[last];
  const timed = unit ?? (words.includes('time') || last === 'seconds' ? second : undefined);
  // `waiting=4` is a queue's depth, `idle=3` a number of idle ones.
  if (!timed && !(words.length <= 3 && /^(?:wait|waited|stall|stalled|blocked|backpressure|bubble)$/.test(last)))
    return undefined;
  const path = /^(?:queues?|pools?|buffers?)[./](.+?)[./_]wait(?:ed|ing)?(?:[_ ]?(?:time|ms|s|sec|seconds))*$/i.exec(
    key,
  );
  const named = path?.[1] ?? (unit ? withoutLast(key) : key);
  // Of a queue its name: `q_feat_wait_ms`.
  const ofQueue = words.some((word) => queueWords.has(word) && !waits.has(word));
  const name = ofQueue ? named.replace(/[_ .-]wait(?:ed|ing)?(?:[_ .-]time)?$/i, '') : named;
  return { as: 'wait', rank: 0, name, ...(timed && { unit: timed }) };
}

function queueOf(words: readonly string[], key: string): Meaning | undefined {
  const requests = words.some((word) => requestWords.has(word)) && words.every((word) => aroundRequests.has(word));
  const at = words.findIndex((word) => queueWords.has(word) || /^(?:queue|buffer|fifo|pool)\d+$/.test(word));
  const inFlight = words.includes('flight') && words[words.indexOf('flight') - 1] === 'in';
  if (at < 0 && !inFlight && !requests) return undefined;
  // `queues: 3`: how many there are.
  if (words.some((word) => noQueue.has(word)) || /^(?:queues|buffers|pools)$/.test(words.join(' '))) return undefined;
  if (words[at] === 'q' && at > 0 && at < words.length - 1) return undefined;
  // A buffer of replays is no queue; what is named one is.
  const isNamed = words.includes('queue');
  if (
    words.some(
      (word) =>
        (notDepth.has(word) && !(isNamed && word === 'replay')) ||
        (waits.has(word) && word !== 'waiting') ||
        word === 'time',
    )
  )
    return undefined;
  const last = words.at(-1) ?? '';
  if (units[last] && words.length > 1 && last !== 'min') return undefined;
  const [, group] = /^(?:queues?|q)[_ ](cap(?:acit(?:y|ies))?s?|limits?)[./]/i.exec(key) ?? [];
  const named = key.replace(
    /^(?:queues?|pools?|buffers?|queues?[_ ](?:depths?|sizes?|stats|lengths?|cap(?:acit(?:y|ies))?s?|limits?))(?=[./])./i,
    '',
  );
  const own = (part: Part, cut: number, weak?: true): Meaning => ({
    as: 'queue',
    rank: 0,
    part,
    name: cut > 0 ? withoutLast(named) : named,
    ...(weak && { weak }),
  });
  if (group !== undefined) return own('capacity', 0);
  // `queue={depth=7 cap=16}`: the group is its name.
  if (named !== key && (depthParts.has(named) || capacityParts.has(named)))
    return { ...own(capacityParts.has(named) ? 'capacity' : 'depth', 0), name: key.slice(0, -named.length - 1) };
  if (words.length > 1) {
    const bounded = words.includes('max') || words.includes('maximum');
    if (depthParts.has(last) && bounded) return { ...own('capacity', 1), name: withoutMax(withoutLast(named)) };
    if (capacityParts.has(last)) return { ...own('capacity', 1), name: withoutMax(withoutLast(named)) };
    // Printed alone it is as often the capacity (OpenRLHF) as the depth.
    if (depthParts.has(last)) return own('depth', 1, true);
    if (last === 'min' || last === 'low') return own('low', 1);
    if (last === 'max' || last === 'high' || last === 'peak') return own('high', 1);
    if (/^(?:avg|mean|average|median|p\d\d)$/.test(last)) return own('depth', 1);
    if (bounded || words.includes('min')) return undefined;
  }
  return own('depth', 0, words[at] === 'buffer' || words[at] === 'pool' ? true : undefined);
}

const groups =
  /^(?:timings?|timers?|times?|durations?|latency|latencies|spans?|stages?|phases?|profile|profiler|prof|perf|breakdown)(?:[_ -]?(ms|us|s|sec|seconds))?$/i;
/** Their numbers are times, also without a unit. */
const timeGroups = /^(?:timings?|timers?|times?|durations?|latency|latencies)/i;
const noTime = set(
  'frac fraction ratio percent pct share loss losses acc accuracy tokens tok samples throughput mfu tflops flops memory mem gb gib mb rate total% fps steps iteration iterations episodes timesteps epoch batch sample token',
);

/** Also what is done in a stage: `stage_ms/sample`. */
const actions = set('sample batch token');

function stageInGroup(words: readonly string[], key: string): Meaning | undefined {
  const paths = key.split(/[./]/);
  if (paths.length < 2) return undefined;
  const at = paths.findIndex((path) => groups.test(path.trim()));
  if (at < 0 || at === paths.length - 1) return undefined;
  const group = paths[at]?.trim() ?? '';
  const own = paths.slice(at + 1).join('/');
  const last = words.at(-1) ?? '';
  const timed = units[groups.exec(group)?.[1]?.toLowerCase() ?? ''] ?? units[last];
  const isAction = (timed ?? partOf(last)) !== undefined && !words.includes('per');
  if (
    words.some((word) => (noTime.has(word) && !(isAction && actions.has(word))) || word === 'rate') ||
    /^(?:step|iter)$/.test(own)
  ) {
    if (!/^(?:step|iter|iteration)(?:[_ ]time)?(?:[_ ](?:ms|s))?$/.test(own)) return undefined;
  }
  if (words.some((word) => /^(?:elapsed|eta|remaining|left)$/.test(word))) return undefined;
  const unit = timed;
  if (
    /^(?:step|iter|iteration)(?:[_ ]time)?(?:[_ ](?:ms|us|s|seconds|sec))?$/.test(own) &&
    (unit || timeGroups.test(group))
  )
    return { as: 'stepSeconds', rank: 2, unit: unit ?? second };
  const part = partOf(unit === units[last] && unit ? (words.at(-2) ?? '') : last);
  if (part === 'count') return { as: 'stage', rank: 0, part, name: withoutLast(own) };
  if (!unit && !timeGroups.test(group) && last !== 'time') return undefined;
  let name = units[last] ? withoutLast(own) : own;
  if (part && name.length > 3) name = withoutLast(name);
  return { as: 'stage', rank: 0, part: part ?? 'average', name, unit: unit ?? second };
}

function partOf(word: string): Part | undefined {
  if (/^(?:avg|mean|average)$/.test(word)) return 'average';
  if (/^(?:max|maximum)$/.test(word)) return 'maximum';
  return /^(?:n|count|calls)$/.test(word) ? 'count' : undefined;
}

const noStage = set(
  'timeout interval ttl start end begin train training total wall eval remaining left elapsed delay limit budget per time_limit real sim max min lr loss runtime run cpu deadline epoch tokens samples at in eta grace period backoff cooldown sleep lease keepalive heartbeat poll polling expiry expires lifetime refresh ago age retry',
);

/** `fwd_ms`, `data_time`: a stage by the last of its words. */
export function stageByUnit(words: readonly string[], key: string): Meaning | undefined {
  if (words.length < 2 || words.length > 5) return undefined;
  const last = words.at(-1) ?? '';
  const unit = units[last];
  const isTime =
    last === 'time' || (words[0] === 'time' && !noStage.has(last) && !noTime.has(last) && !key.includes('/'));
  if ((!unit || last === 'min') && !isTime) return undefined;
  const rest = words.slice(0, -1);
  if (words[0] === 'time' && (noStage.has(last) || noTime.has(last))) return undefined;
  if (rest.some((word) => noStage.has(word) || noTime.has(word)) || words.includes('timeout')) return undefined;
  return { as: 'stage', rank: 0, part: 'average', name: unit ? withoutLast(key) : key, unit: unit ?? second };
}

/** `q_hs_size` without its last word. */
function withoutLast(key: string): string {
  const cut = key.replace(/(?:[\s_./-]+[A-Za-z%]+|(?<=[a-z])[A-Z][a-z]+|\s?\([^)]*\))$/, '');
  return cut === '' ? key : cut;
}

function withoutMax(key: string): string {
  return key.replace(/^(?:max|maximum)[_ .-]/i, '').replace(/[_ .-](?:max|maximum)$/i, '');
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
