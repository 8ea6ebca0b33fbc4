/** When something holds, in seconds since the demo began. It comes and goes by a ramp, which is no longer than it lasts. */
export interface Span {
  readonly from: number;
  /** Absent: for ever. */
  readonly until?: number;
  /** It grows for so long after `from`, and fades for as long after `until`. */
  readonly ramp?: number;
  /** It comes again after this many seconds; `from` and `until` are of the first time. */
  readonly every?: number;
}

/** How much it holds at a moment: 0 to 1. */
export function strength(span: Span, at: number): number {
  const { ramp = 0, length, into } = place(span, at);
  if (into < 0) return 0;
  const rise = ramp > 0 ? Math.min(1, into / ramp) : 1;
  const fall = into <= length ? 1 : ramp > 0 ? Math.max(0, 1 - (into - length) / ramp) : 0;
  return rise * fall;
}

/** The strength summed up from the demo's beginning to a moment, in seconds. */
export function area(span: Span, at: number): number {
  const { ramp = 0, length, into, round } = place(span, at);
  const whole = (seconds: number) => {
    if (seconds <= 0) return 0;
    const rising = Math.min(seconds, ramp);
    const rise = ramp > 0 ? (rising * rising) / (2 * ramp) : 0;
    const hold = Math.max(0, Math.min(seconds, length) - ramp);
    const falling = Math.min(Math.max(0, seconds - length), ramp);
    const fall = ramp > 0 ? falling - (falling * falling) / (2 * ramp) : 0;
    return rise + hold + fall;
  };
  return round * (span.every === undefined ? 0 : whole(span.every)) + whole(into);
}

/** The times that it comes again before `end`. */
export function* occurrences(span: Span, end: number): Generator<{ readonly from: number; readonly until: number }> {
  const { from, until = Infinity, every } = span;
  for (let shift = 0; from + shift < end; shift += every) {
    yield { from: from + shift, until: until + shift };
    if (every === undefined) return;
  }
}

function place({ from, until = Infinity, ramp, every }: Span, at: number) {
  const since = at - from;
  const round = every === undefined || since < 0 ? 0 : Math.floor(since / every);
  return { ramp, length: until - from, into: since - round * (every ?? 0), round };
}
