/** Losses that are compared with. */
const window = 64;
/** Fewer say nothing of the spread. */
const fewest = 20;
/** So many times the spread (median absolute deviation as a normal distribution's sigma) above the median. */
const sigmas = 10;
/** And so much of the median above it: where losses hardly differ, their spread is no measure. */
const share = 0.3;
/** So many in a row are no spike, but a new level. */
const newLevel = 16;

/** Finds a loss that jumps above those before it. */
export interface SpikeFinder {
  /** Takes the losses in their order: the median of those before, when this one is the first of a spike. */
  take(loss: number, step: number | undefined): number | undefined;
}

/** A finder for one series of losses. Where a loss is at or below 0 (RL, contrastive) a jump means nothing: none is found. */
export function createSpikeFinder(): SpikeFinder {
  let losses: number[] = [];
  let high = 0;
  let lastStep = -Infinity;
  let lastLoss = NaN;

  const begin = () => {
    losses = [];
    high = 0;
  };

  return {
    take(loss, step) {
      if (step !== undefined && step < lastStep) begin();
      // A bar tells the same step many times.
      const isTold = step === undefined ? loss === lastLoss : step === lastStep;
      lastStep = step ?? lastStep;
      lastLoss = loss;
      if (isTold || !Number.isFinite(loss)) return undefined;
      const median = losses.length < fewest ? undefined : jumpOver(losses, loss);
      if (median === undefined) {
        high = 0;
        losses.push(loss);
        if (losses.length > window) losses.shift();
        return undefined;
      }
      high++;
      if (high >= newLevel) begin();
      return high === 1 ? median : undefined;
    },
  };
}

/** The median of the losses before, when this one is far above all of them. */
function jumpOver(losses: readonly number[], loss: number): number | undefined {
  const largest = Math.max(...losses);
  if (loss <= largest * 1.1 || Math.min(...losses) <= 0) return undefined;
  const median = medianOf(losses);
  const spread = 1.4826 * medianOf(losses.map((one) => Math.abs(one - median)));
  return loss > median + Math.max(sigmas * spread, share * median) ? median : undefined;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
