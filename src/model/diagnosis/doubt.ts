import type { NextStep, Verdict } from '../verdict-samples.ts';
import { figuresOfReadings, missingOf } from './figures.ts';
import { sources, signals, type Readings, type SignalName } from './signals.ts';
import type { Subject } from './subjects.ts';
import { summaryOf } from './summary.ts';

/** Says that there is not enough evidence, when that has been so for a while. */
export interface Doubt {
  take(now: number, isAnythingTold: boolean): void;
  /** The verdict `unknown`; undefined: something is told, was told a moment ago (or not as long ago as `patience`, ms), or there is nothing to tell of. */
  verdict(now: number, all: readonly Asked[], patience?: number): Verdict | undefined;
  forget(): void;
}

interface Asked {
  readonly subject: Subject;
  readonly readings: Readings;
}

/** A window of signals: what is told by then is all that comes. */
const patienceMs = 10_000;
/** What tells most of a run that nobody understands, and what of it is captured. */
const wanted = ['utilization', 'power', 'mainCpu', 'silence'] as const satisfies readonly SignalName[];
const captured = ['stackInput', 'gilHeld'] as const satisfies readonly SignalName[];

/** In no doubt yet. */
export function createDoubt(): Doubt {
  let since: number | undefined;
  let wasTold = false;
  return {
    take(now, isAnythingTold) {
      since = isAnythingTold ? undefined : Math.min(since ?? now, now);
      wasTold ||= isAnythingTold;
    },
    verdict(now, all, patience = patienceMs) {
      const isOver = all.some(({ readings }) => readings.ended);
      if (since === undefined || isOver) return undefined;
      // Where the link is gone nothing more will come.
      const isLost = wasTold && wanted.every((signal) => signal === 'silence' || !isTold(all, signal));
      return isLost || now - since >= patience ? unknown(since, all) : undefined;
    },
    forget() {
      since = undefined;
      wasTold = false;
    },
  };
}

/** Not enough evidence: what is missing and how to get it, else the figures that no rule knows. */
function unknown(since: number, all: readonly Asked[]): Verdict {
  const missing = wanted.filter((signal) => !isTold(all, signal));
  const evidence = figuresOfReadings(all, wanted);
  const figures = summaryOf(evidence, { own: all.map(({ readings }) => readings), others: [] });
  const untold = [...new Set(missing.map((signal) => words[sources[signals[signal].from].source]))];
  const lacks = untold.length > 0 && `nothing is told of ${untold.join(', ')}`;
  return {
    situation: 'unknown',
    scope: {},
    // Of three kinds of evidence, what is missing; what all of them leave open is as likely not to be known.
    confidence: missing.length > 0 ? 0.9 : 0.5,
    since,
    summary: [lacks || 'no rule holds', ...(figures === '' ? [] : [figures])].join('; '),
    evidence,
    against: [],
    missing: missingOf([...missing, ...captured.filter((signal) => !isTold(all, signal))]),
    next: missing.length > 0 ? [sourcesStep] : steps,
  };
}

function isTold(all: readonly Asked[], signal: SignalName): boolean {
  return all.some(({ readings }) => readings[signal]);
}

const words: Readonly<Partial<Record<(typeof sources)[keyof typeof sources]['source'], string>>> = {
  gpu: 'GPUs',
  threads: 'threads',
  log: 'the log',
};

const sourcesStep: NextStep = {
  text: 'traintop doctor says what answers on the host, and what to do where nothing does',
};
const steps: readonly NextStep[] = [
  { text: 'take stacks for a few seconds', key: 'r' },
  { text: 'take a GIL profile', key: 'G' },
];
