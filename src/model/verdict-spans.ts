import { scopeWords } from './diagnosis/words.ts';
import type { Situation } from './situations.ts';
import type { VerdictsSample } from './verdict-samples.ts';

/** A time in which one verdict stood first. Times are epoch ms by the local clock. */
export interface VerdictSpan {
  readonly situation: Situation;
  /** As `scopeWords` says it; '' is the run as a whole. */
  readonly scope: string;
  readonly from: number;
  /** When it was told last, or another one was told. */
  readonly until: number;
  /** As it was told last, 0 to 1. */
  readonly confidence: number;
}

/** So many of the newest are kept: a verdict that lasts is one. */
const keptSpans = 500;
/** They are told every 5 s, or as often as anything comes. */
const shortestGapMs = 15_000;
const gapInIntervals = 3;

/** Verdicts that were told longer ago than this say nothing of now; `intervalMs` is the pace of the collectors. */
export function verdictGapMs(intervalMs = 0): number {
  return Math.max(shortestGapMs, gapInIntervals * intervalMs);
}

/** The spans with one more Sample; `before` is the last one of the same run, and where it is long gone nobody knows what was between. */
export function withVerdicts(
  spans: readonly VerdictSpan[],
  sample: VerdictsSample,
  init: { readonly before: VerdictsSample | undefined; readonly intervalMs?: number | undefined },
): readonly VerdictSpan[] {
  const { receivedAt: now, verdicts } = sample;
  const { before, intervalMs } = init;
  // A clock that was set back takes with it what has not happened yet.
  const isBack = before !== undefined && before.receivedAt > now;
  const past = isBack ? spans.filter(({ from }) => from <= now).map((span) => cutAt(span, now)) : spans;
  const last = past.at(-1);
  const follows = before !== undefined && !isBack && now - before.receivedAt <= verdictGapMs(intervalMs);
  const ended = last && follows && before.verdicts.length > 0 ? [...past.slice(0, -1), { ...last, until: now }] : past;
  const headline = verdicts[0];
  if (!headline) return ended;
  const { situation, confidence } = headline;
  const scope = scopeWords(headline);
  const open = ended.at(-1);
  if (open && ended !== past && open.situation === situation && open.scope === scope)
    return [...ended.slice(0, -1), { ...open, confidence }];
  return [...ended, { situation, scope, from: now, until: now, confidence }].slice(-keptSpans);
}

function cutAt(span: VerdictSpan, until: number): VerdictSpan {
  return span.until <= until ? span : { ...span, until };
}
