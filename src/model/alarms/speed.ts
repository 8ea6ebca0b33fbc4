import { median } from '../diagnosis/gather/log-median.ts';
import type { LogLine, LogSample } from '../log-samples.ts';
import { leads, led, type Leader } from '../throughput-leaders.ts';

/** How fast the run is against how fast it usually is. */
export interface Speed {
  take(sample: LogSample): void;
  /** Absent: nobody told, or too little is known. */
  look(now: number): SpeedLook | undefined;
  /** What comes next has a pause in it. */
  excuse(): void;
  /** By what this one sees it is slow, or may be: it is not learned as usual. */
  hold(who: 'slow' | 'queues', isSlow: boolean): void;
  forgetRun(): void;
}

/** Speeds, per second. */
export interface SpeedLook {
  readonly unit: 'tokens' | 'samples' | 'steps';
  readonly now: number;
  readonly usual: number;
  /** The lowest twentieth of what is usual. */
  readonly lowest: number;
}

/** From the best to the last resort. */
const fields = [
  { unit: 'tokens', of: ({ values }: LogLine) => values?.tokensPerSecond },
  { unit: 'samples', of: ({ values }: LogLine) => values?.samplesPerSecond },
  { unit: 'steps', of: ({ values }: LogLine) => values?.iterationsPerSecond },
  { unit: 'steps', of: ({ values }: LogLine) => (values?.stepSeconds ? 1 / values.stepSeconds : undefined) },
] as const;

/** Readings of one slot are one. */
const slotMs = 5000;
/** An hour. */
const mostSlots = 720;
const fewestSlots = 20;
const nowMs = 60_000;
const fewestNow = 3;
/** A message that comes after so many usual gaps has a pause in it. */
const pauseGaps = 3;
const shortestGapMs = 1000;
const newestGaps = 9;
/** What has been slow for so long is how it is now. */
const adoptMs = 2 * 3_600_000;

interface Slot {
  readonly at: number;
  sum: number;
  count: number;
}

/** Nothing is known. */
export function createSpeed(): Speed {
  let leader: Leader | undefined;
  let field = Infinity;
  let slots: Slot[] = [];
  /** Of late; they become usual when they are older than what is looked at, unless they are slow. */
  let late: Slot[] = [];
  let gaps: number[] = [];
  let lastAt: number | undefined;
  let heldSince: number | undefined;
  const holders = new Set<string>();
  let isExcused = false;
  let counted: { readonly time: number; readonly step: number } | undefined;
  let sorted: Float64Array | undefined;
  /** As of the last line: several ask each second. */
  let middles: { readonly gap: number; readonly value: number } | undefined;

  function anew(next = Infinity) {
    field = next;
    [slots, late, gaps] = [[], [], []];
    [lastAt, counted, heldSince, sorted, middles] = [undefined, undefined, undefined, undefined, undefined];
  }

  function readingOf(line: LogLine): number | undefined {
    const best = fields.findIndex(({ of }) => of(line) !== undefined);
    if (best >= 0 && best < field) anew(best);
    if (best >= 0 && best === field) return fields[best]?.of(line);
    // Nobody prints a speed: steps are counted.
    const step = line.values?.step;
    if (field !== Infinity || best >= 0 || step === undefined) return undefined;
    const before = counted;
    if (before && line.time > before.time && line.time - before.time < slotMs && step >= before.step) return undefined;
    counted = { time: line.time, step };
    if (!before || step <= before.step || line.time <= before.time) return undefined;
    return (1000 * (step - before.step)) / (line.time - before.time);
  }

  function add(time: number, value: number) {
    if (!Number.isFinite(value) || value < 0) return;
    middles = undefined;
    const gap = lastAt === undefined ? 0 : time - lastAt;
    lastAt = time;
    if (gap < 0) {
      anew(field);
      return;
    }
    const isLong = gaps.length >= 3 && gap > pauseGaps * shortestGapMs;
    const hasPause = isExcused || (isLong && gap > pauseGaps * (median(gaps) ?? Infinity));
    isExcused = false;
    if (gap > 0) gaps = [...gaps.slice(1 - newestGaps), gap];
    if (hasPause) return;
    const last = late.at(-1);
    if (last && time - last.at < slotMs) {
      last.sum += value;
      last.count++;
      return;
    }
    late.push({ at: time, sum: value, count: 1 });
    while (late.length > fewestNow && (late[0]?.at ?? time) < time - nowMs) {
      const old = late.shift();
      if (!old || heldSince !== undefined) continue;
      slots.push(old);
      sorted = undefined;
      if (slots.length > mostSlots) slots.shift();
    }
  }

  return {
    take(sample) {
      for (const line of sample.lines) {
        const { values, repeats, undated, rank } = line;
        if (!values || repeats !== undefined || undated) continue;
        const teller = { source: sample.source, at: line.time, ...(rank !== undefined && { rank }) };
        if (!leads(leader, teller)) continue;
        const value = readingOf(line);
        if (value === undefined && counted?.time !== line.time) continue;
        leader = led(leader, teller, true);
        if (value !== undefined) add(line.time, value);
      }
    },
    look(now) {
      if (slots.length < fewestSlots || late.length < fewestNow) return undefined;
      const newest = late.at(-1)?.at ?? -Infinity;
      middles ??= { gap: median(gaps) ?? 0, value: median(late.map(meanOf)) ?? NaN };
      // Who is silent is not slow.
      if (now - newest > Math.max(2 * nowMs, 2 * middles.gap)) return undefined;
      sorted ??= Float64Array.from(slots, meanOf).sort();
      const usual = sorted[sorted.length >> 1] ?? NaN;
      const lowest = sorted[Math.floor(sorted.length / 20)] ?? NaN;
      return { unit: fields[field]?.unit ?? 'steps', now: middles.value, usual, lowest };
    },
    excuse() {
      isExcused = true;
    },
    hold(who, isSlow) {
      if (isSlow) holders.add(who);
      else holders.delete(who);
      if (holders.size === 0) heldSince = undefined;
      else heldSince ??= lastAt;
      if (heldSince === undefined || lastAt === undefined || lastAt - heldSince < adoptMs) return;
      // It stays so: this is the usual speed now.
      slots = [];
      sorted = undefined;
      heldSince = undefined;
    },
    forgetRun() {
      leader = undefined;
      isExcused = false;
      anew();
    },
  };
}

const meanOf = ({ sum, count }: Slot) => sum / count;
