/** The draw of one GPU at a time of the recording. */
export interface PowerReading {
  readonly time: number;
  readonly index: number;
  readonly watts: number;
}

interface Init {
  /** Of rounds that have no times: watts by GPU. */
  readonly rounds: readonly ReadonlyMap<number, number>[];
  readonly stepMs: number;
  /** Where the first round is without this. */
  readonly start: number;
  /** In order of time. */
  readonly readings: readonly PowerReading[];
}

/** Commands that were started together begin within this. */
const reachMs = 30_000;
const gridMs = 50;
/** Rounds that are looked at. */
export const mostRounds = 300;
/** A reading says nothing of a moment that lies further behind it. */
const oldMs = 2000;
/** A place is believed when the draw agrees this much better there than at most others, and than at `start`. */
const better = { factor: 3, watts: 5 };

/** Where rounds without times begin, by their GPUs' draw; undefined where the draw is too even to tell, or `start` is as good. */
export function alignRounds({ rounds, stepMs, start, readings }: Init): number | undefined {
  const series = new Map<number, PowerReading[]>();
  for (const reading of readings) {
    const known = series.get(reading.index);
    if (known) known.push(reading);
    else series.set(reading.index, [reading]);
  }
  const some = rounds.slice(0, mostRounds);
  const errors: { readonly at: number; readonly error: number }[] = [];
  for (let at = start - reachMs; at <= start + reachMs; at += gridMs) {
    const error = errorAt(at);
    if (error !== undefined) errors.push({ at, error });
  }
  const sorted = errors.toSorted((a, b) => a.error - b.error);
  const [lowest] = sorted;
  // Readings a quarter of a second apart leave some places that are as good: the one in their middle.
  const equals = errors.filter(({ error }) => error <= (lowest?.error ?? 0) + 0.01);
  const best = equals[Math.floor(equals.length / 2)];
  const middle = sorted[Math.floor(sorted.length / 2)];
  const now = errors.find(({ at }) => at === start);
  if (!best || !middle || middle.error - best.error < better.watts || middle.error < better.factor * best.error)
    return undefined;
  if (now && now.error - best.error < better.watts) return undefined;
  return best.at;

  function errorAt(at: number): number | undefined {
    let sum = 0;
    let count = 0;
    some.forEach((round, i) => {
      for (const [index, watts] of round) {
        const known = wattsAt(series.get(index) ?? [], at + i * stepMs);
        if (known === undefined) continue;
        sum += Math.abs(known - watts);
        count++;
      }
    });
    // Where only a few rounds lie beside readings, they agree by chance.
    const all = some.reduce((total, round) => total + round.size, 0);
    return count >= 3 && count >= all / 2 ? sum / count : undefined;
  }
}

function wattsAt(series: readonly PowerReading[], time: number): number | undefined {
  let low = 0;
  let high = series.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((series[middle]?.time ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  const reading = series[low - 1];
  return reading && time - reading.time <= oldMs ? reading.watts : undefined;
}
