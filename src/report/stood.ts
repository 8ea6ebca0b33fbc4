import type { State } from '../model/state.ts';
import type { VerdictSpan } from '../model/verdict-spans.ts';
import type { Recording } from '../recording/recording.ts';
import { pauses, standing } from './pace.ts';
import { stateAt } from './state-at.ts';

/** Verdicts, and those of them in which nothing moved. */
export interface Stood {
  readonly spans: readonly VerdictSpan[];
  readonly still: readonly VerdictSpan[];
}

/** Each is a look into the recording, of some 50 ms: standstills first, then the longest. Verdicts are taken at their word for others. */
const mostLooks = 16;
/** What is shorter is less than the doubt of any figure. */
const shortestMs = 2000;

/**
 * A verdict is found out some time after what it tells of: a standstill begins with the last step that was told before it, and is
 * over with the next.
 */
export async function stoodIn(recording: Recording, spans: readonly VerdictSpan[], from: number): Promise<Stood> {
  let made: readonly VerdictSpan[] = [];
  const still: VerdictSpan[] = [];
  const isStood = ({ situation }: VerdictSpan) => standing.has(situation) && situation !== 'dead';
  const wanted = spans
    .filter((each) => isStood(each) || pauses.has(each.situation))
    .filter(({ from: begin, until }) => until - begin >= shortestMs)
    .sort((a, b) => Number(isStood(b)) - Number(isStood(a)) || b.until - b.from - (a.until - a.from))
    .slice(0, mostLooks)
    .map(({ until }) => until);
  let bound = from;
  let [told, moved] = [NaN, NaN];
  for (const each of spans) {
    // What follows a pause begins when the pause was over.
    const span = each.from === told && moved < each.until ? { ...each, from: moved } : each;
    [told, moved] = [NaN, NaN];
    const isPause = pauses.has(span.situation);
    const isStanding = standing.has(span.situation);
    let own = span;
    // What is dead has its own event (`run ended`).
    if ((isPause || isStanding) && span.situation !== 'dead' && wanted.includes(span.until)) {
      const { last, next } = stepsAround((span.from + span.until) / 2, await stateAt(recording, span.until));
      const hasStood = last === undefined || last <= span.from;
      if (hasStood) {
        const until = Math.min(span.until, next ?? Infinity);
        own = { ...span, from: last === undefined ? span.from : Math.max(bound, last), until };
        [told, moved] = [span.until, until];
      }
      if (hasStood || isStanding) still.push(own);
    } else if (isStanding || isPause) still.push(own);
    if (isPause || isStanding) bound = Math.max(bound, own.until);
    made = [...upTo(made, own.from), own];
  }
  return { spans: made, still };
}

/** The last step that was told before a moment, and the first after it. */
function stepsAround(time: number, { throughput: { latest, recentSteps } }: State) {
  const newest = latest.step ?? latest.stepInEpoch ?? latest.tokensPerSecond ?? latest.iterationsPerSecond;
  const times = [...recentSteps, ...(newest ? [newest] : [])].map((each) => each.time);
  return { last: times.findLast((each) => each <= time), next: times.find((each) => each > time) };
}

function upTo(spans: readonly VerdictSpan[], time: number): readonly VerdictSpan[] {
  return spans.flatMap((span) => (span.until <= time ? [span] : span.from < time ? [{ ...span, until: time }] : []));
}
