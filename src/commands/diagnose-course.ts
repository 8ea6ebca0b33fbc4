import { createDiagnosis, type SubjectSignals } from '../model/diagnosis/engine.ts';
import type { Sample } from '../model/samples.ts';
import type { State } from '../model/state.ts';
import { withVerdicts, type VerdictSpan } from '../model/verdict-spans.ts';
import type { Verdict, VerdictScope, VerdictsSample } from '../model/verdict-samples.ts';

/** What a diagnosis came to, and how it went until then. Times are epoch ms. */
export interface Course {
  /** The moment of the verdicts. */
  readonly at: number;
  readonly verdicts: readonly Verdict[];
  readonly signals: readonly SubjectSignals[];
  /** Which verdict stood first when, oldest first, until `at`. */
  readonly timeline: readonly TimelineSpan[];
  /** When the run ended, where `at` is the moment before that. */
  readonly endedAt?: number;
}

/** A span with what its verdict was about. */
export interface TimelineSpan extends VerdictSpan {
  readonly about: VerdictScope;
  /** Of the time from the beginning until the moment of the course, 0 to 1. */
  readonly share: number;
}

interface Init {
  /** In order of `receivedAt`. */
  readonly samples: AsyncIterable<Sample>;
  /** Where they begin in the middle of a run: what was known of it. */
  readonly known?: State;
  /** The moment; absent: the last, or that before the end of the run where it ended well. */
  readonly at?: number;
  /** Of the collectors. */
  readonly intervalMs: number;
}

/** Asks a diagnosis of its own what these Samples say; undefined where there were none. */
export async function followCourse({ samples, known, at = Infinity, intervalMs }: Init): Promise<Course | undefined> {
  const diagnosis = createDiagnosis(known);
  const timeline = createTimeline(intervalMs);
  let ended: { readonly at: number; readonly before: Course | undefined } | undefined;

  function now(): Course | undefined {
    const verdicts = diagnosis.now();
    return (
      verdicts && {
        at: verdicts.receivedAt,
        verdicts: verdicts.verdicts,
        signals: diagnosis.signals(),
        timeline: timeline.until(verdicts),
      }
    );
  }

  for await (const sample of samples) {
    if (sample.receivedAt > at) break;
    if (sample.kind === 'run') {
      if (sample.phase !== 'ended') ended = undefined;
      else ended ??= { at: sample.receivedAt, before: now() };
    }
    for (const found of diagnosis.find(sample)) timeline.add(found);
  }
  const last = now();
  const endedWell = at === Infinity && last?.verdicts[0]?.situation !== 'dead';
  return endedWell && ended?.before ? { ...ended.before, endedAt: ended.at } : last;
}

/** Spans without a bound: one a change of mind, which takes seconds. */
function createTimeline(intervalMs: number) {
  const over: SpanAbout[] = [];
  let open: SpanAbout | undefined;
  let before: VerdictsSample | undefined;
  let began: number | undefined;

  function next(sample: VerdictsSample): readonly SpanAbout[] {
    // The one that goes on is made of the last: it has its scope.
    const spans: readonly (VerdictSpan & Partial<SpanAbout>)[] = withVerdicts(open ? [open] : [], sample, {
      before,
      intervalMs,
    });
    return spans.map((span) => ({ ...span, about: span.about ?? sample.verdicts[0]?.scope ?? {} }));
  }
  return {
    add(sample: VerdictsSample) {
      const spans = next(sample);
      over.push(...spans.slice(0, -1));
      open = spans.at(-1);
      before = sample;
      began ??= sample.receivedAt;
    },
    until(sample: VerdictsSample): readonly TimelineSpan[] {
      const all = sample.receivedAt - (began ?? sample.receivedAt);
      return [...over, ...next(sample)].map((span) => ({
        ...span,
        share: all > 0 ? (span.until - span.from) / all : 1,
      }));
    },
  };
}

type SpanAbout = Omit<TimelineSpan, 'share'>;
