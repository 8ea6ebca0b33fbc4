import type { Recording } from '../recording/recording.ts';
import type { Worst } from './data.ts';
import type { Losses } from './losses.ts';
import type { Pace } from './pace.ts';
import { at, slotAt, type Slots } from './slots.ts';
import { stateAt } from './state-at.ts';

const windowMs = 600_000;

interface Init {
  readonly recording: Recording;
  readonly slots: Slots;
  readonly losses: Losses | undefined;
  readonly pace: Pace | undefined;
  readonly span: { readonly from: number; readonly to: number };
  readonly runTo: number;
}

/** The ten minutes (of a short recording half of it) that cost most; where nothing was lost the slowest. */
export async function worstOf({ recording, slots, losses, pace, span, runTo }: Init): Promise<Worst | undefined> {
  const [from, to] = [span.from, Math.min(span.to, runTo)];
  const length = Math.min(windowMs, (to - from) / 2);
  const wide = Math.max(1, Math.round(length / slots.slotMs));
  const last = slotAt(slots, to) + 1;
  if (!(length > 0) || wide > last) return undefined;
  let best: { readonly i: number; readonly lost: number; readonly rate: number } | undefined;
  for (let i = slotAt(slots, from); i + wide <= last; i++) {
    const lost = sum(losses?.bySlot, i, wide);
    const rate = sum(pace?.rates, i, wide) / wide;
    if (!best || lost > best.lost + 1e-9 || (lost === best.lost && rate < best.rate)) best = { i, lost, rate };
  }
  if (!best || (best.lost === 0 && !pace)) return undefined;
  const begin = Math.max(from, slots.from + best.i * slots.slotMs);
  const end = Math.min(to, slots.from + (best.i + wide) * slots.slotMs);
  // Two thirds on, what is told of it has been found out.
  const state = await stateAt(recording, begin + (2 * (end - begin)) / 3);
  return {
    ...{ from: begin, to: end, state },
    ...(losses && best.lost > 0 && { lost: best.lost }),
    ...(pace && { rate: best.rate }),
  };
}

function sum(row: Float64Array | undefined, from: number, count: number): number {
  let all = 0;
  for (let i = from; i < from + count; i++) all += Number.isFinite(at(row, i)) ? at(row, i) : 0;
  return all;
}
