import type { Draft } from '../draft.ts';
import { meaningOf, type Meaning } from './names.ts';
import type { Phrase } from './listener.ts';
import type { Reading } from './scan-value.ts';
import type { Place } from './take.ts';
import type { Unit } from './units.ts';

/** What is known of a line while it is read. One is used for all lines. */
export interface Line {
  text: string;
  draft: Draft;
  place: Place;
  rules: ReadonlyMap<string, Meaning> | undefined;
  /** The key of the last value, and what it means. */
  key: string;
  meaning: Meaning | undefined;
  /** What `avg` and `max` are of. */
  subject: string;
  /** A queue of which more was told in the same way: `queue act depth=0 cap=8`. */
  owner: string;
  /** The unit of bare times, told once for all: `time (ms) | forward: 659.87`. */
  timers: { readonly factor: number; readonly power: number } | undefined;
  /** The subject is a queue, though its name does not say it: `queues: loader 7 (cap 16)`. */
  queued: boolean;
  /** The unit of the subject's time: of a maximum without one. */
  unit: Unit | undefined;
  /** Numbers that only training and its evaluation have: accuracy, reward. */
  measured: number;
  /** The line is about times, or about queues: `timing: fwd 88ms`, `queues: decode 7/16`. */
  about: 'times' | 'queues' | 'loss' | undefined;
  /** A key that named memory: what `peak` alone is of. */
  memory: boolean;
  /** Values so far: in the line, and in the field. */
  values: number;
  inField: number;
  /** Words of the field, and of the line, that no value follows. */
  idle: boolean;
  chatty: boolean;
  /** Bare numbers of the field, and bare times: read if all of it is names and numbers in turn. */
  readonly bare: Bare[];
  /** Fields that are nothing but a name and a number. */
  clean: number;
  /** Times of unknown names. */
  timed: number;
  /** How often its subject was timed, where that is told before its time. */
  calls: { readonly of: string; readonly value: number } | undefined;
  /** What stands in parentheses behind a time is its maximum, as the line's head says. */
  pairs: boolean;
  /** `step 12` alone: read if nothing else stands in the line. */
  lone: (() => void) | undefined;
}

/** A name and a value with nothing between them. */
export interface Bare {
  readonly name: string;
  readonly value: number;
  /** With a unit of time. */
  readonly time?: Reading;
  /** With another unit. */
  readonly measured?: true;
}

/** What a key means here. */
export const find = ({ rules }: Line, name: string): Meaning | undefined => rules?.get(name) ?? meaningOf(name);

/** Some words of a phrase, as they stand in the line. */
export const words = ({ text, starts, ends, count }: Phrase, from: number, to = count): string =>
  text.slice(starts[from] ?? 0, ends[to - 1] ?? 0);

/** What statistics that follow are of. */
export function setSubject(line: Line, name: string, found: Meaning | undefined, { unit }: Reading): void {
  // `fwd took 312 ms (n=50, max 355 ms)`: no maximum of `n`.
  line.subject = found?.as === 'queue' ? (found.name ?? name) : /^(?:n|count|calls)$/i.test(name) ? '' : name;
  line.queued = !found && line.about === 'queues';
  line.unit = unit?.of === 'time' && (!found || found.as === 'stage') ? unit : undefined;
}

/** A reading that stays. */
export function copyReading(from: Reading): Reading {
  return { ...from, first: { ...from.first }, second: { ...from.second }, of: { ...from.of } };
}
