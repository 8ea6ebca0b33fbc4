import type { LogValues } from '../../../model/samples.ts';
import { formOf, isNewest, matches, type Form } from './form.ts';
import { mayGive, sourcesOf, valueOf, type Source } from './sources.ts';
import { trialsOf } from './trials.ts';

/** What all lines of one form have in common. */
export interface Plan {
  readonly form: Form;
  /** They tell of no event, and no level; with what the lines before said of it, one may. */
  readonly isCalm: boolean;
  /** Undefined: they are to be read the full way. */
  readonly values: 'nothing' | PlannedValues | undefined;
}

/** The same values of other numbers. */
interface PlannedValues {
  readonly like: LogValues;
  readonly fields: readonly Entry[];
  readonly others: readonly Entry[];
  readonly queues: readonly (readonly Entry[])[];
  readonly stages: readonly (readonly Entry[])[];
}

interface Entry {
  readonly key: string;
  readonly source: Source;
}

/** The full ways, of a line by itself. */
export interface FullWays {
  /** Undefined: it hangs on more than its text what is read. */
  read(text: string): LogValues | 'nothing' | undefined;
  isCalm(text: string): boolean;
}

/**
 * The plan for lines like this one, found by trial: others of its form are read, and where each value is told in all of them by a number at
 * the same place, it will be so in the next. Undefined: there is nothing that all of them have in common.
 */
export function findPlan(text: string, ways: FullWays): Plan | undefined {
  const free = findOf(formOf(text, true), text, ways);
  if (free?.values) return free;
  const exact = findOf(formOf(text, false), text, ways);
  return exact?.values ? exact : (free ?? exact);
}

function findOf(form: Form, text: string, ways: FullWays): Plan | undefined {
  const trials = trialsOf(form);
  if (!trials || !matches(form, text)) return undefined;
  const all = [text, ...trials];
  const isCalm = all.every(ways.isCalm);
  const values = plannedValues(form, all, ways);
  return isCalm || values ? { form, isCalm, values } : undefined;
}

function plannedValues(form: Form, all: readonly string[], { read }: FullWays): Plan['values'] {
  const lines: Line[] = [];
  let like: LogValues | 'nothing' | undefined;
  for (const line of all) {
    const values = read(line);
    if (values === undefined || values === 'nothing' || like === 'nothing') {
      if (values !== 'nothing' || (like ?? values) !== 'nothing') return undefined;
      like = values;
      continue;
    }
    like ??= values;
    if (shapeOf(values) !== shapeOf(like)) return undefined;
    lines.push({ line, numbers: numbersOf(values) });
  }
  if (like === undefined || like === 'nothing') return like;
  if (like.other && Object.hasOwn(like.other, '__proto__')) return undefined;
  const sources = numbersOf(like).map((_, i) => sourceOf(i, form, lines));
  if (sources.includes(undefined)) return undefined;
  let next = 0;
  const entriesOf = (part: object): readonly Entry[] =>
    Object.entries(part).flatMap(([key, value]) => {
      const source = typeof value === 'number' ? sources[next++] : undefined;
      return source === undefined || source === 'same' ? [] : [{ key, source }];
    });
  // In the order of `partsOf`.
  const fields = entriesOf(like);
  const others = entriesOf(like.other ?? {});
  const queues = (like.queues ?? []).map(entriesOf);
  const stages = (like.stages ?? []).map(entriesOf);
  return { like, fields, others, queues, stages };
}

interface Line {
  readonly line: string;
  readonly numbers: readonly number[];
}

/** Of the number at this place among those that are read. */
function sourceOf(place: number, form: Form, lines: readonly Line[]): Source | 'same' | undefined {
  const values = lines.map(({ numbers }) => numbers[place] ?? NaN);
  if (values.every((value) => Object.is(value, values[0]))) return 'same';
  let left: readonly Source[] | undefined;
  // The trials at random say most: what is found there is held against the others.
  for (let i = lines.length - 1; i >= 0; i--) {
    matches(form, lines[i]?.line ?? '');
    const value = values[i] ?? NaN;
    left = left ? left.filter((source) => mayGive(source, value)) : sourcesOf(value, form);
  }
  return left?.[0];
}

/** What has numbers: the fields, the other values, each queue, each stage. */
const partsOf = (values: LogValues): readonly object[] => [
  values,
  values.other ?? {},
  ...(values.queues ?? []),
  ...(values.stages ?? []),
];

const numbersOf = (values: LogValues): readonly number[] =>
  partsOf(values).flatMap((part) => Object.values(part).filter((value) => typeof value === 'number'));

/** All but the numbers. */
const shapeOf = (values: LogValues): string =>
  JSON.stringify(values, (_, value: unknown) => (typeof value === 'number' ? 0 : value));

/** The values of a line of the plan's form; undefined: it is to be read the full way. */
export function valuesBy({ form, values: planned }: Plan, text: string): LogValues | 'nothing' | undefined {
  if (planned === undefined || planned === 'nothing') return planned;
  if (!isNewest(form, text) && !matches(form, text)) return undefined;
  const { queues, stages, other } = planned.like;
  const values = filled(planned.like, planned.fields);
  if (!values) return undefined;
  if (other) {
    const others = filled(other, planned.others);
    if (!others) return undefined;
    values.other = others;
  }
  if (queues) {
    const all = filledAll(queues, planned.queues);
    if (!all) return undefined;
    values.queues = all;
  }
  if (stages) {
    const all = filledAll(stages, planned.stages);
    if (!all) return undefined;
    values.stages = all;
  }
  return values;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function filled<T extends object>(part: T, entries: readonly Entry[]): Writable<T> | undefined {
  const made = { ...part } as Writable<T>;
  for (const { key, source } of entries) {
    const value = valueOf(source);
    if (value !== value) return undefined;
    (made as Record<string, unknown>)[key] = value;
  }
  return made;
}

function filledAll<T extends object>(parts: readonly T[], entries: readonly (readonly Entry[])[]): T[] | undefined {
  const made: T[] = [];
  for (let i = 0; i < parts.length; i++) {
    const one = filled(parts[i] as T, entries[i] ?? []);
    if (!one) return undefined;
    made.push(one);
  }
  return made;
}
