import type { LogField, LogValues, QueueReading, StageReading } from '../../model/samples.ts';

/** A number as it was printed: it stays a metric where another counts for its field. */
export interface Printed {
  readonly key: string;
  readonly value: number;
}

/** Collects what one record says until all of it is read. */
export interface Draft {
  /**
   * Of several values for one field the one with the highest rank stays, of equals the first; what was `printed` for the others goes to
   * the metrics. In an evaluation a loss is its loss, and what tells of the training's course goes there too.
   */
  set(field: LogField, value: number, rank: number, scope?: 'gpu' | 'global', printed?: Printed): void;
  /** Readings of one name go together: depth and capacity, the time waited at it. */
  queue(reading: QueueReading, surely?: 'surely'): void;
  stage(reading: StageReading): void;
  /** A number under its own key. */
  other(key: string, value: number): void;
  /** Read at the end, if the line turned out to be a line of metrics. */
  later(fn: () => void): void;
  /** The record is one of metrics, whatever its keys. */
  metrics(): void;
  /** Nothing in this record is about the training loop. */
  quiet(): void;
  /** What follows is about an evaluation, or no longer. */
  evaluation(on: boolean): void;
  /** Whether something was read that only a line of metrics says. */
  readonly telling: boolean;
  /** How many fields, queues and stages there are so far. */
  readonly size: number;
  finish(): LogValues | undefined;
}

/** Below this rank a total counts beside a step only. */
const besideStep = -9;
/** Of a time that is left: no download's. */
export const sureRank = 100;
const mostOthers = 200;
const mostReadings = 100;
/** Each alone may be a setting, or a word about the run. */
const quietFields: ReadonlySet<string> = new Set(['epoch', 'learningRate', 'totalSteps', 'memoryBytes', 'etaSeconds', 'elapsedSeconds', 'stepsPerEpoch']); // prettier-ignore
/** Of a record about an evaluation: true of the training too. */
const shared: ReadonlySet<string> = new Set(['step', 'totalSteps', 'epoch', 'validationLoss', 'memoryBytes', 'elapsedSeconds']); // prettier-ignore

/** A new Draft; `evaluation`: the record is about one. */
export function createDraft(evaluation = false): Draft {
  return new Collected(evaluation);
}

/** One record of many thousands a second: a class, whose methods are made once. */
class Collected implements Draft {
  #values: Record<string, number> = {};
  #ranks: Record<string, number> = {};
  #printed: Record<string, Printed | undefined> | undefined;
  #scope: 'gpu' | 'global' | undefined;
  #queues: QueueReading[] | undefined;
  #stages: StageReading[] | undefined;
  #others: Record<string, number> | undefined;
  #otherCount = 0;
  #postponed: (() => void)[] | undefined;
  #metrics = false;
  #quiet = false;
  #evaluation: boolean;
  #telling = false;
  size = 0;

  constructor(evaluation: boolean) {
    this.#evaluation = evaluation;
  }

  get telling() {
    return this.#telling || this.#metrics;
  }

  set(field: LogField, value: number, rank: number, scope?: 'gpu' | 'global', printed?: Printed): void {
    let own = field;
    if (this.#evaluation && !shared.has(field)) {
      if (field !== 'loss') {
        this.#telling ||= !quietFields.has(field);
        return this.other(printed?.key ?? `val_${field}`, printed?.value ?? value);
      }
      own = 'validationLoss';
    }
    const before = this.#ranks[own];
    if (before !== undefined && before >= rank) {
      if (printed && this.#values[own] !== value) this.other(printed.key, printed.value);
      return;
    }
    const loser = before === undefined ? undefined : this.#printed?.[own];
    if (loser && this.#values[own] !== value) this.other(loser.key, loser.value);
    if (before === undefined) this.size++;
    this.#values[own] = value;
    this.#ranks[own] = rank;
    if (printed || loser) (this.#printed ??= {})[own] = printed;
    if (own === 'tokensPerSecond') this.#scope = scope;
    if (!quietFields.has(own)) this.#telling = true;
  }

  queue(reading: QueueReading): void {
    this.#queues = merge((this.#queues ??= []), named(reading, ofQueue));
    this.#telling = true;
    this.size++;
  }

  stage(reading: StageReading): void {
    this.#stages = merge((this.#stages ??= []), named(reading, ofStage));
    this.#telling = true;
    this.size++;
  }

  other(key: string, value: number): void {
    if (this.#otherCount >= mostOthers || key.length > 80) return;
    this.#otherCount++;
    const others = (this.#others ??= {});
    if (key === '__proto__') Object.defineProperty(others, key, { value, enumerable: true, configurable: true });
    else others[key] = value;
  }

  later(fn: () => void): void {
    (this.#postponed ??= []).push(fn);
  }

  metrics(): void {
    this.#metrics = true;
  }

  quiet(): void {
    this.#quiet = true;
  }

  evaluation(on: boolean): void {
    this.#evaluation = on;
  }

  /** `step: 25/100 global_step: 1025`: what the first are of is not the total of the second; `max_steps=20000` alone is a setting. */
  #dropForeignTotal(): void {
    const { step, totalSteps } = this.#values;
    if (totalSteps === undefined) return;
    if (step === undefined ? (this.#ranks['totalSteps'] ?? 0) < besideStep : totalSteps < step) {
      delete this.#values['totalSteps'];
      this.size--;
    }
  }

  finish(): LogValues | undefined {
    if (this.#quiet) return undefined;
    if (this.telling) for (const fn of this.#postponed ?? []) fn();
    this.#dropForeignTotal();
    const telling = this.telling;
    const others = telling ? this.#others : undefined;
    if (this.size === 0 && !others) return undefined;
    const result: Writable = telling ? this.#values : alone(this.#values, this.#ranks);
    if (this.#scope && result.tokensPerSecond !== undefined) result.tokensPerSecondScope = this.#scope;
    if (this.#queues) result.queues = this.#queues;
    if (this.#stages) result.stages = this.#stages;
    if (others) result.other = others;
    for (const _ in result) return result;
    return undefined;
  }
}

type Writable = { -readonly [K in keyof LogValues]: LogValues[K] };

/** What a line says that has nothing else: no learning rate, which may be a setting; a download has a time that is left, too. */
function alone(values: Readonly<Record<string, number>>, ranks: Readonly<Record<string, number>>) {
  const { learningRate: _, etaSeconds, memoryBytes, ...rest } = values;
  const isPlaced = ['epoch', 'totalSteps', 'elapsedSeconds'].some((field) => values[field] !== undefined);
  return {
    ...rest,
    ...(etaSeconds !== undefined && (isPlaced || (ranks['etaSeconds'] ?? 0) >= sureRank) && { etaSeconds }),
    ...(memoryBytes !== undefined && (ranks['memoryBytes'] ?? 0) >= 2 && { memoryBytes }),
  };
}

/** `queue loader`, `stage fwd`: what it is stands before its name. */
const ofQueue = /^queues? +(?=[^\s\d/])/i;
const ofStage = /^(?:stage|phase|timer|span) +(?!times?$|total$|durations?$|count$|wait)(?=[^\s\d/])/i;

/** Without what it is, and the quotes that it was read from: `queue "loader`. */
function named<T extends { readonly name: string }>(whole: T, what: RegExp): T {
  const reading = what.test(whole.name) ? { ...whole, name: whole.name.replace(what, '') } : whole;
  const { name } = reading;
  if (!/["'`“”„«»<[(]/.test(name)) return reading;
  return { ...reading, name: name.replace(/["`“”„«»]|'(?!\w)|(?<!\w)'|<(?![^>]*>)|\[(?![^\]]*\])|\((?![^)]*\))/g, '') };
}

function merge<T extends { readonly name: string }>(all: T[], reading: T): T[] {
  for (let i = 0; i < all.length; i++) {
    const before = all[i];
    if (before?.name !== reading.name) continue;
    all[i] = { ...reading, ...before };
    return all;
  }
  if (all.length < mostReadings) all.push(reading);
  return all;
}
