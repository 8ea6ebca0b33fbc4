import { isOfEpoch, isTraining, type Bar } from '../bar.ts';

/** Where the training loop stands by the bars of its log. */
export interface TrainingLoop {
  /** Whether this frame is one of the loop's own bar. */
  sees(bar: Bar): boolean;
  /** The loop's newest bar, once: a dictionary that is printed without a step belongs to it. */
  take(): { readonly step: number; readonly totalSteps?: number } | undefined;
}

/** Frames of another bar after which the loop's own one is taken for given up. */
const mostFrames = 500;

/**
 * Tells bars without a word apart (transformers draws its training and its evaluations so): while the loop's bar is unfinished, one with
 * another total is nested in it; afterwards one with a smaller total is an evaluation at the end.
 */
export function createTrainingLoop(): TrainingLoop {
  let main: { readonly total: number; readonly done: number } | undefined;
  /** The newest bar beside it, and whether its beginning was seen. */
  let beside: { readonly total: number; readonly fromZero: boolean; readonly frames: number } | undefined;
  let fresh: { readonly step: number; readonly totalSteps?: number } | undefined;
  return {
    sees(bar) {
      if (!isTraining(bar)) return false;
      const total = bar.total ?? 0;
      const named = bar.description !== '' || /\bloss\b/i.test(bar.postfix);
      if (isOfEpoch(bar)) {
        fresh = undefined;
        return true;
      }
      if (main && !named && total !== main.total && isBeside(main, bar.done, total)) return false;
      main = { total, done: bar.done };
      beside = undefined;
      fresh = { step: bar.done, ...(bar.total !== undefined && { totalSteps: bar.total }) };
      return true;
    },
    take() {
      const taken = fresh;
      fresh = undefined;
      return taken;
    },
  };

  /** A bar with another total: nested in an unfinished one it begins at 0; behind a finished one it is smaller. */
  function isBeside(loop: { readonly total: number; readonly done: number }, done: number, total: number): boolean {
    if (beside?.total !== total) beside = { total, fromZero: done === 0, frames: 0 };
    beside = { ...beside, frames: beside.frames + 1 };
    if (beside.frames > mostFrames) return false;
    return loop.done < loop.total ? beside.fromZero || total < loop.total : total < loop.total;
  }
}
