import { span } from '../model/events/found.ts';

/** What was not written. */
export interface Lost {
  readonly samples: number;
  /** receivedAt of the first, epoch ms. */
  readonly from: number;
}

/** Counts what is not recorded, for the sentence that stands in the recording afterwards. */
export function createLosses() {
  let samples = 0;
  let since = Infinity;
  let why = '';
  return {
    add(lost: Lost, reason = why) {
      samples += lost.samples;
      since = Math.min(since, lost.from);
      why = reason;
    },
    /** What there is to say now, once; undefined when nothing is missing. */
    take(time: number): string | undefined {
      if (samples === 0) return undefined;
      const text = `Nothing was recorded for ${span(time - since)} (${why}): ${samples} Samples are missing here.`;
      samples = 0;
      since = Infinity;
      return text;
    },
  };
}
