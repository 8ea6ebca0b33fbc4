import { situationWords } from '../model/diagnosis/words.ts';
import { groupBy } from '../model/group-by.ts';
import type { Line } from '../ui/parts/line.ts';
import { counter, dayOf, timeOfDay } from '../ui/parts/times.ts';
import type { TimelineSpan } from './diagnose-course.ts';
import { pageRule } from './page.ts';

/** Spans of one situation that follow each other so closely are one row: what they are about changed for a moment. */
const nearMs = 5000;
/** Of fewer rows the sum is seen at a glance. */
const fewRows = 8;

/** Which verdict stood first when, as rows of a page; none where one stood there all the time. */
export function timelineRows(timeline: readonly TimelineSpan[], width: number): readonly Line[] {
  const spans = joined(timeline);
  if (spans.length < 2) return [];
  const days = new Set(spans.map(({ from }) => dayOf(from)));
  const longest = Math.max(...spans.map(({ from, until }) => until - from));
  const rows = spans.flatMap((span, i): readonly Line[] => {
    const { from, until, scope } = span;
    const day = dayOf(from);
    const isNewDay = days.size > 1 && day !== dayOf(spans[i - 1]?.from ?? NaN);
    const times = ` ${timeOfDay(from)} to ${timeOfDay(until)}  ${counter(until - from, longest)}`;
    return [
      ...(isNewDay ? [[{ text: ` ${day}`, tone: 'dim' } as const]] : []),
      [{ text: times }, ...share(span, scope)],
    ];
  });
  return [[], pageRule('Which verdict stood first', width), ...rows, ...sumRows(spans)];
}

/** By situation, the longest first. */
function sumRows(spans: readonly TimelineSpan[]): readonly Line[] {
  if (spans.length <= fewRows) return [];
  const sums = [...groupBy(spans, ({ situation }) => situation)].map(([situation, all]) => ({
    situation,
    ms: all.reduce((sum, { from, until }) => sum + until - from, 0),
    share: all.reduce((sum, each) => sum + each.share, 0),
  }));
  const sorted = sums.toSorted((a, b) => b.ms - a.ms);
  const longest = sorted[0]?.ms ?? 0;
  const indent = ' '.repeat(' 00:00:00 to 00:00:00'.length);
  return [
    [{ text: ' together', tone: 'dim' }],
    ...sorted.map((sum): Line => [{ text: `${indent}  ${counter(sum.ms, longest)}` }, ...share(sum, '')]),
  ];
}

function share({ share, situation }: Pick<TimelineSpan, 'share' | 'situation'>, scope: string): Line {
  return [
    { text: `${`${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`.padStart(7)}  ` },
    { text: situationWords[situation].name, tone: 'strong' },
    { text: scope && `, ${scope}` },
  ];
}

/** A row is about what the longest of its spans is about. */
function joined(timeline: readonly TimelineSpan[]): readonly TimelineSpan[] {
  const rows: { span: TimelineSpan; longestMs: number }[] = [];
  for (const span of timeline) {
    const ms = span.until - span.from;
    const last = rows.at(-1);
    const goesOn = last && last.span.situation === span.situation && span.from - last.span.until <= nearMs;
    if (!goesOn) rows.push({ span, longestMs: ms });
    else {
      const { from, scope, about, share: before } = last.span;
      const kept = ms > last.longestMs ? {} : { scope, about };
      last.span = { ...span, ...kept, from, share: before + span.share };
      last.longestMs = Math.max(last.longestMs, ms);
    }
  }
  return rows.map(({ span }) => span);
}
