import type { Evidence, Verdict, VerdictScope } from '../verdict-samples.ts';
import type { SubjectSignals } from './engine.ts';
import { signals, sources, type SignalName } from './signals.ts';

/** A verdict for scripts: its times are ISO 8601, its figures have at most four significant digits. */
export function verdictJson({ since, evidence, against, confidence, ...verdict }: Verdict) {
  const { situation, scope, missing, next, summary } = verdict;
  return {
    situation,
    scope,
    confidence: Math.round(confidence * 100) / 100,
    since: isoTime(since),
    evidence: evidence.map(figureJson),
    against: against.map(figureJson),
    missing,
    next,
    summary,
  };
}

/** All that was told of one subject, by the names of signals. */
export function signalsJson({ subject, readings }: SubjectSignals) {
  const { kind, ...about } = subject;
  return {
    subject: { kind, ...about },
    signals: Object.fromEntries(
      Object.entries(readings).map(([name, { value, of }]) => {
        const { unit, from } = signals[name as SignalName];
        return [name, { value: short(value), unit, source: sources[from].source, ...(of !== undefined && { of }) }];
      }),
    ),
  };
}

/** A time in which one verdict stood first; `share` is of the time that was looked at, 0 to 1. */
export function spanJson(span: {
  readonly situation: string;
  readonly about: VerdictScope;
  readonly from: number;
  readonly until: number;
  readonly share: number;
}) {
  const { situation, about, from, until, share } = span;
  return { situation, scope: about, from: isoTime(from), until: isoTime(until), share: Math.round(share * 1e4) / 1e4 };
}

/** As everywhere in this program's JSON. */
export const isoTime = (time: number) => new Date(time).toISOString();

function figureJson({ signal, value, unit, source, of }: Evidence) {
  return { signal, value: short(value), unit, source, ...(of !== undefined && { of }) };
}

const short = (value: number) => Number(value.toPrecision(4));
