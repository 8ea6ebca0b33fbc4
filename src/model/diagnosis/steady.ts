import type { Judgement } from './rule.ts';
import { subjectKey } from './subjects.ts';

/** A judgement that held long enough to be told. */
export interface SteadyJudgement extends Judgement {
  /** When it began to hold, epoch ms. */
  readonly since: number;
}

/** Tells judgements that last, so that a verdict does not flicker. */
export interface Steady {
  /** All judgements of one moment; gives those that are told then. */
  take(now: number, judgements: readonly Judgement[]): readonly SteadyJudgement[];
  forget(): void;
}

/** It has to be this sure to begin, and may be this unsure while it lasts. */
const enter = 0.5;
const stay = 0.4;
/** How long it has to hold before it is told (a step or two of most runs), and may be gone before it is dropped. */
const dwellMs = 3000;
const lingerMs = 5000;
/** Ticks further apart say nothing of the time between. */
const longestGapMs = 60_000;

interface Track {
  since: number;
  /** When it last held. */
  heldAt: number;
  last: Judgement;
  isTold: boolean;
}

/** A memory of what holds. */
export function createSteady(): Steady {
  const tracks = new Map<string, Track>();
  return {
    take(now, judgements) {
      for (const judgement of judgements) {
        const key = keyOf(judgement);
        const track = tracks.get(key);
        if (judgement.confidence < (track ? stay : enter)) continue;
        if (track) Object.assign(track, { heldAt: now, last: judgement });
        else tracks.set(key, { since: now, heldAt: now, last: judgement, isTold: false });
      }
      for (const [key, track] of tracks) {
        const { dwellMs: own = dwellMs } = track.last.rule;
        const isGone = now - track.heldAt > (track.isTold ? lingerMs : 0) || now - track.heldAt > longestGapMs;
        if (isGone) tracks.delete(key);
        else if (now - track.since >= own) track.isTold = true;
      }
      return [...tracks.values()].filter(({ isTold }) => isTold).map(({ last, since }) => ({ ...last, since }));
    },
    forget: () => tracks.clear(),
  };
}

function keyOf({ rule, subject }: Judgement): string {
  return `${rule.situation} ${rule.cause ?? ''} ${subjectKey(subject)}`;
}
