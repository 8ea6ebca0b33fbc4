import type { NextStep } from '../verdict-samples.ts';
import type { Situation } from '../situations.ts';
import type { Readings, SignalName } from './signals.ts';
import type { Subject } from './subjects.ts';
import type { ThresholdName } from './thresholds.ts';

/** A rule as data: which signals make a situation likely. */
export interface Rule {
  readonly situation: Situation;
  /** Where two rules have one situation: `in the training thread`. It is the scope's cause. */
  readonly cause?: string;
  /** What kind of thing it is asked of. */
  readonly of: Subject['kind'];
  /** In words a user can check; docs/diagnosis.md is made of it. */
  readonly explains: string;
  /** All have to hold; one that nobody told costs its weight. */
  readonly must: readonly Clue[];
  /** Each that holds adds its weight, each that does not takes half of it. */
  readonly speaksFor: readonly Clue[];
  /** Each that holds takes its weight away. */
  readonly speaksAgainst: readonly Clue[];
  /** At most this confident, whatever holds: where other things look the same. */
  readonly most?: number;
  /** At most this confident until something tells it from what else looks the same. */
  readonly ceiling?: Ceiling;
  /** How long it has to hold before it is told; absent: 3 s. 0 where a signal of it is a time already. */
  readonly dwellMs?: number;
  /** A signal that is the time since it began: what is told of it began then, not when it was first seen. */
  readonly since?: SignalName;
  /** The signal whose `of` (`GPU 6`) names the GPU that a verdict on the whole run is about. */
  readonly names?: SignalName;
  readonly next: readonly NextStep[];
}

/** How sure a rule may be where none of some clues is told and holds; those that nobody told are missing then. */
export interface Ceiling {
  readonly most: number;
  readonly unless: readonly Clue[];
}

/** A signal and what is asked of it. */
export interface Clue {
  readonly signal: SignalName;
  readonly least?: ThresholdName;
  readonly most?: ThresholdName;
  /** 1 where absent: what it counts beside the others. */
  readonly weight?: number;
  /** In its place, where nobody told it: the first that is told counts. */
  readonly or?: readonly Clue[];
  /** Nobody misses it where it is not told: most runs have none of it. */
  readonly optional?: true;
  /** Its lack alone counts: what it would say is asked elsewhere. */
  readonly onlyMissed?: true;
  /** Where nobody told it, the rule does not hold: without this there is nothing to tell of. */
  readonly needed?: true;
}

/** What a rule says of one subject. */
export interface Judgement {
  readonly rule: Rule;
  readonly subject: Subject;
  readonly readings: Readings;
  /** 0 to 1. */
  readonly confidence: number;
  readonly held: readonly Clue[];
  readonly contrary: readonly Clue[];
  readonly untold: readonly Clue[];
}
