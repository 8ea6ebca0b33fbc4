import type { EventKind, EventSample, Sample } from '../samples.ts';

/** Finds events of one kind of matter. What it remembers is bounded, and follows from the Samples alone. */
export interface Finder {
  find(sample: Sample): readonly EventSample[];
}

/** An event that a Sample tells of; it takes that Sample's place and time, or the line's. */
export function event(sample: Sample, kind: EventKind, text: string, time = sample.time): EventSample {
  const { host, source, receivedAt } = sample;
  return { kind: 'event', host, source, time, receivedAt, event: kind, text };
}

/** How long something took: `14 s`, `3 min`, `2.5 h`, `3 days`. */
export function span(ms: number): string {
  const seconds = Math.max(0, ms / 1000);
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** A reason as a part of a sentence, of a bearable length. */
export function reasonText(reason: string): string {
  const text = reason.replace(/\.$/, '');
  return text.length > mostReason ? `${text.slice(0, mostReason)}…` : text;
}

const mostReason = 200;
