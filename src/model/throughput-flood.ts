import type { LogLine, LogValues } from './samples.ts';

/** A line that says something. */
export type ValuedLine = LogLine & { readonly values: LogValues };

/** Where more than these come together, or in a second, a part of them stands for all. */
const fewest = 100;
const mostPerSecond = 400;
/** Of all that each rank tells, its newest readings are kept. */
const newest = 4;
/** The best of them is kept. */
const rates = ['tokensPerSecond', 'samplesPerSecond', 'iterationsPerSecond'] as const;

/**
 * Of a flood, lines spread evenly, and those that matter: the newest of each value of each rank, the highest rates, and all that is not
 * finite. Otherwise all lines.
 */
export function withoutFlood(lines: readonly ValuedLine[]): readonly ValuedLine[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last || lines.length <= 2 * fewest) return lines;
  const most = Math.max(fewest, (mostPerSecond * Math.abs(last.time - first.time)) / 1000);
  if (lines.length <= 2 * most) return lines;
  const every = Math.ceil(lines.length / most);
  const kept = new Set<number>(rates.flatMap((field) => bestOf(lines, field)));
  const told = new Map<number | undefined, Map<string, number>>();
  for (let i = lines.length - 1; i >= 0; i--) {
    const { values, rank } = lines[i] as ValuedLine;
    const counts = told.get(rank) ?? new Map<string, number>();
    told.set(rank, counts);
    // Counted whether it is kept for another reason or not.
    const tells = isNewest(values, counts);
    if (tells || i % every === 0 || isOdd(values.loss) || isOdd(values.gradNorm)) kept.add(i);
  }
  return lines.filter((_, i) => kept.has(i));
}

function isNewest(values: LogValues, counts: Map<string, number>): boolean {
  let isOne = false;
  const take = (name: string) => {
    const count = counts.get(name) ?? 0;
    if (count >= newest) return;
    counts.set(name, count + 1);
    isOne = true;
  };
  for (const field in values) take(field);
  for (const { name } of values.queues ?? []) take(name);
  for (const { name } of values.stages ?? []) take(name);
  return isOne;
}

function bestOf(lines: readonly ValuedLine[], field: (typeof rates)[number]): readonly number[] {
  let best: { readonly value: number; readonly i: number } | undefined;
  lines.forEach(({ values: { [field]: value } }, i) => {
    if (value !== undefined && Number.isFinite(value) && value > (best?.value ?? 0)) best = { value, i };
  });
  return best ? [best.i] : [];
}

const isOdd = (value: number | undefined) => value !== undefined && !Number.isFinite(value);
