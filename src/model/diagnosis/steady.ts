import type { Judgement } from './rule.ts';
import { subjectKey } from './subjects.ts';

/** A judgement that held long enough to be told; its confidence is smoothed. */
export interface SteadyJudgement extends Judgement {
  /** When what it tells of began, epoch ms. */
  readonly since: number;
}

/** Tells judgements that last, so that a verdict does not flicker. */
export interface Steady {
  /** All judgements of one moment; gives those that are told then. */
  take(now: number, judgements: readonly Judgement[]): readonly SteadyJudgement[];
  /** Those that hold now, however short they have held. */
  young(): readonly SteadyJudgement[];
  forget(): void;
}

/** It has to be this sure to begin, and may be this unsure while it lasts; what is below a half is told where nothing else is. */
const enter = 0.35;
const stay = 0.28;
/** How long it has to hold before it is told (a step or two of most runs), and may be gone before it is dropped. */
const dwellMs = 3000;
const lingerMs = 5000;
/** Where it is told of another GPU already. */
const joinMs = 1000;
/** Of a situation that is told at once: it is over at once. */
const shortLingerMs = 1500;
/** Ticks further apart say nothing of the time between. */
const longestGapMs = 60_000;
/** The confidence follows what it is now within this time: signals of a window of ten seconds change no faster. */
const followMs = 4000;
/** What was surer before is told so much surer at most. */
const surerThanNow = 0.05;

interface Track {
  /** When it was first seen to hold. */
  readonly seenAt: number;
  since: number;
  /** When it last held. */
  heldAt: number;
  last: Judgement;
  confidence: number;
  isTold: boolean;
}

/** A memory of what holds. */
export function createSteady(): Steady {
  const tracks = new Map<string, Track>();
  let takenAt = -Infinity;

  function follow(now: number, judgement: Judgement) {
    const key = keyOf(judgement);
    const track = tracks.get(key);
    if (judgement.confidence < (track ? stay : enter)) return;
    const { confidence } = judgement;
    if (!track) {
      const since = beganAt(now, judgement);
      tracks.set(key, { seenAt: now, since, heldAt: now, last: judgement, confidence, isTold: false });
      return;
    }
    const followed =
      track.confidence + (confidence - track.confidence) * (1 - Math.exp((track.heldAt - now) / followMs));
    track.confidence = Math.min(followed, confidence + surerThanNow);
    Object.assign(track, { heldAt: now, last: judgement, since: Math.min(track.since, beganAt(now, judgement)) });
  }

  return {
    take(now, judgements) {
      // A clock that was set back, or a sleep: what was before says nothing.
      if (now < takenAt || now - takenAt > longestGapMs) tracks.clear();
      takenAt = now;
      for (const judgement of judgements) follow(now, judgement);
      const told = new Set([...tracks.values()].flatMap(({ isTold, last }) => (isTold ? last.rule : [])));
      for (const [key, track] of tracks) {
        const { rule } = track.last;
        const own = told.has(rule) ? joinMs : (rule.dwellMs ?? dwellMs);
        const linger = !track.isTold ? 0 : rule.dwellMs === 0 ? shortLingerMs : lingerMs;
        if (now - track.heldAt > linger) tracks.delete(key);
        else if (now - track.seenAt >= own) track.isTold = true;
      }
      return [...tracks.values()].filter(({ isTold }) => isTold).map((track) => judgementOf(track, now));
    },
    young: () =>
      [...tracks.values()].filter(({ heldAt }) => heldAt === takenAt).map((track) => judgementOf(track, takenAt)),
    forget: () => tracks.clear(),
  };
}

/** What does not hold any more is told for a moment, ever less surely: it must not stand before what holds now. */
function judgementOf({ last, since, confidence, heldAt }: Track, now: number): SteadyJudgement {
  return { ...last, since, confidence: confidence * Math.exp((heldAt - now) / followMs) };
}

/** Where a signal of the rule is a time since it began, that; else the first look at which it held. */
function beganAt(now: number, { rule, readings }: Judgement): number {
  const age = rule.since === undefined ? undefined : readings[rule.since]?.value;
  return age === undefined ? now : now - 1000 * age;
}

function keyOf({ rule, subject }: Judgement): string {
  return `${rule.situation} ${rule.cause ?? ''} ${subjectKey(subject)}`;
}
