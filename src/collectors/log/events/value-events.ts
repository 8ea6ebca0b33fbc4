import type { LogEvent, LogValues } from '../../../model/samples.ts';
import { byOutline } from '../outline.ts';
import { remember } from '../values/remember.ts';
import type { JoinedRecord } from './detector.ts';
import { createSpikeFinder } from './loss-spike.ts';
import { numberOf, told } from './rule.ts';

/** Ranks that are told apart. */
const mostRanks = 64;
/** Metrics of a run that learns from rewards: its losses jump and mean little. */
const isReward = remember((key) => /reward|advantage|\bkl\b|_kl\b|ppo/i.test(key));
const atZero = /(?:^|\D)0%\|/;
const otherBar = /valid|\beval|\btest|predict|sanity|sampl|generat/i;

/** Finds what a log's figures tell of. */
export interface ValueEvents {
  find(record: JoinedRecord): LogEvent | undefined;
}

interface Rank {
  readonly spikes: ReturnType<typeof createSpikeFinder>;
  validationLoss?: number | undefined;
  /** The epoch whose end was told, by its number or its text. */
  endedEpoch?: string | undefined;
}

/** For one log, at its beginning. */
export function createValueEvents(): ValueEvents {
  const ranks = new Map<number | undefined, Rank>();
  let hasRewards = false;

  const rankOf = (rank: number | undefined): Rank | undefined => {
    const known = ranks.get(rank);
    if (known || ranks.size >= mostRanks) return known;
    const made = { spikes: createSpikeFinder() };
    ranks.set(rank, made);
    return made;
  };

  return {
    find(record) {
      const { values, texts } = record;
      const rank = values && rankOf(record.rank);
      if (!rank) return undefined;
      const text = texts[0] ?? '';
      if (!hasRewards && values.other) for (const key in values.other) if (isReward(key)) hasRewards = true;
      const median =
        values.loss === undefined || hasRewards
          ? undefined
          : rank.spikes.take(values.loss, values.step ?? values.stepInEpoch);
      return (
        notFinite(values, text) ??
        evaluated(values, rank) ??
        (median === undefined ? undefined : told('loss_spike', { loss: values.loss, median })) ??
        epochEnded(values, rank, text)
      );
    },
  };
}

function notFinite(values: LogValues, text: string): LogEvent | undefined {
  const field = isNotFinite(values.loss)
    ? 'loss'
    : isNotFinite(values.gradNorm)
      ? 'gradNorm'
      : isNotFinite(values.validationLoss)
        ? 'validationLoss'
        : undefined;
  if (field) {
    // Lightning's bar shows `loss=nan` before there is one.
    return atZero.test(text) ? undefined : told('not_finite', { field, value: String(values[field]) });
  }
  const iterations = countsNaN(text) ? numberOf(/\bnumber of nan iterations:\s*(\d+)/, text) : undefined;
  return iterations ? told('not_finite', { iterations }) : undefined;
}

const isNotFinite = (value: number | undefined) => value !== undefined && !Number.isFinite(value);
const countsNaN = byOutline((text) => (text.includes('nan iterations') ? 1 : 0));

/** Some print the last validation's loss with each step (NeMo, Lightning): only another one is an evaluation. */
function evaluated({ validationLoss, loss, step }: LogValues, rank: Rank): LogEvent | undefined {
  if (validationLoss === undefined || (validationLoss === rank.validationLoss && loss !== undefined)) return undefined;
  rank.validationLoss = validationLoss;
  return told('evaluation', { validationLoss, step });
}

/** The bar of an epoch that is full: Keras, Lightning, ultralytics. */
function epochEnded({ stepInEpoch, stepsPerEpoch, epoch }: LogValues, rank: Rank, text: string): LogEvent | undefined {
  if (stepInEpoch === undefined || stepsPerEpoch === undefined) return undefined;
  if (stepInEpoch < stepsPerEpoch) {
    rank.endedEpoch = undefined;
    return undefined;
  }
  if (otherBar.test(text.split('|', 1)[0] ?? '')) return undefined;
  const isEpoch = /\bepoch\b/i.test(text) || /- \d+s \d+[mun]?s\/(?:step|epoch|sample)\b/.test(text);
  const name = String(epoch ?? '');
  if (!isEpoch || rank.endedEpoch === name) return undefined;
  rank.endedEpoch = name;
  return told('epoch_end', { epoch });
}
