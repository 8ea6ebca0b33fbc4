import type { VerdictSpan } from '../model/verdict-spans.ts';
import type { Trouble } from './data.ts';
import type { Losses } from './losses.ts';
import { pauses } from './pace.ts';
import { at, type Slots } from './slots.ts';

/** One verdict may give way to another for a moment. */
const joinMs = 60_000;
const shortestMs = 20_000;

interface Init {
  readonly spans: readonly VerdictSpan[];
  readonly losses: Losses | undefined;
  readonly slots: Slots;
  /** What is told later is of no run. */
  readonly runTo: number;
}

/** When something was wrong, in order: what lasted, with what was lost meanwhile. */
export function troublesIn({ spans, losses, slots, runTo }: Init): readonly Trouble[] {
  const joined: VerdictSpan[] = [];
  for (const span of spans) {
    if (!isTrouble(span) || span.from > runTo) continue;
    const open = joined.findLastIndex(
      (each) => each.situation === span.situation && each.scope === span.scope && span.from - each.until <= joinMs,
    );
    const before = joined[open];
    const own = { ...span, until: Math.min(span.until, runTo) };
    if (before) joined[open] = { ...own, from: before.from, confidence: Math.max(before.confidence, span.confidence) };
    else joined.push(own);
  }
  return joined
    .filter(({ from, until }) => until - from >= shortestMs)
    .map((span) => ({ span, lost: losses ? lostIn(span, losses, slots) : 0 }));
}

function isTrouble({ situation }: VerdictSpan): boolean {
  return !pauses.has(situation) && !['compute-bound', 'bandwidth-bound', 'unknown'].includes(situation);
}

function lostIn({ from, until }: VerdictSpan, { bySlot }: Losses, slots: Slots): number {
  let lost = 0;
  for (let i = 0; i < slots.count; i++) {
    const begin = slots.from + i * slots.slotMs;
    const inside = Math.min(until, begin + slots.slotMs) - Math.max(from, begin);
    if (inside > 0) lost += (at(bySlot, i) * inside) / slots.slotMs;
  }
  return lost;
}
