import type { GpusSample } from '../../samples.ts';
import type { Window } from './gatherer.ts';
import { counterCount, countersOf } from './gpu-columns.ts';
import { createWindowMeans, type Means } from './window-means.ts';

/** The own counters (GPM) of one GPU, which may come in bursts that are further apart than windows are long. */
export interface GpuCounters {
  /** A frame has those of the newest round, be they new or not. */
  take(frame: GpusSample, row: number): void;
  over(window: Window, isSameState: IsSameState): CountersOver;
}

/** Whether the GPU does now what it did in this span, epoch ms. */
export type IsSameState = (span: { readonly from: number; readonly to: number }) => boolean;

/** What they say over a window; NaN: nothing. */
export interface CountersOver {
  /** Of the rounds in it; of the newest one before it, where the GPU still does the same. */
  readonly all: Means;
  /** Of those that tell of nothing before `lateFrom`. */
  readonly late: Means;
  /** The time that `all` tells of, epoch ms; NaN: of none. */
  readonly from: number;
  readonly to: number;
}

/**
 * A round of dmon tells the counters of the round before its own (H200, driver 580: in a hang they fell to nothing one round after power did, and the
 * first two rounds have none), so that they are up to two rounds old.
 */
const lagRounds = 2;
const shortestRoundMs = 1000;
/** A burst is told as a whole: its last round may be as old as it is long. */
const burstRounds = 1;
/** A frame or two without them is a round that was late; then their source is silent, and so it is where no frames come. */
const silentFrames = 3;
const shortestSilenceMs = 6000;
const longestGapMs = 60_000;

/** None were seen. */
export function createGpuCounters(): GpuCounters {
  const kept = createWindowMeans({ columns: counterCount });
  let lagMs = lagRounds * shortestRoundMs;
  let roundMs = shortestRoundMs;
  let frameAt = NaN;
  /** Between two frames. */
  let gapMs = 0;
  /** Of the newest frame that had them. */
  let toldAt = NaN;

  return {
    take(frame, row) {
      const { receivedAt } = frame;
      gapMs = Math.min(longestGapMs, Math.max(0, receivedAt - frameAt) || 0);
      frameAt = receivedAt;
      const values = countersOf(frame, row);
      if (!values) return;
      toldAt = receivedAt;
      const at = frame.countersTime?.[row] ?? receivedAt;
      const last = kept.lastAt();
      if (at === last) return;
      const burstRoundMs = frame.countersRoundMs?.[row] ?? undefined;
      if (burstRoundMs !== undefined) {
        roundMs = burstRoundMs;
        lagMs = (lagRounds + burstRounds) * roundMs;
      } else if (last !== undefined && at > last) {
        roundMs = Math.max(shortestRoundMs, at - last);
        lagMs = lagRounds * roundMs;
      }
      kept.add(at, values);
    },
    over({ from, to, lateFrom }, isSameState) {
      const newest = kept.lastAt() ?? NaN;
      // Frames say whether their source lives, not the rounds.
      const isTold = to - toldAt <= Math.max(shortestSilenceMs, silentFrames * gapMs);
      const upTo = isTold ? Math.min(to, newest) : NaN;
      const isOlder = newest < from && !isSameState({ from: newest - lagMs, to: newest });
      const all = kept.over(isOlder ? nothing : { from: Math.min(from, newest), to: upTo });
      return {
        all,
        late: kept.over({ from: lateFrom + lagMs, to: upTo }),
        from: all.from - lagMs,
        to: all.to - roundMs,
      };
    },
  };
}

const nothing = { from: NaN, to: NaN };
