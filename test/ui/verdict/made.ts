import { emptyState, reduceState, type State } from '../../../src/model/state.ts';
import type { Sample } from '../../../src/model/samples.ts';
import type { Verdict, VerdictsSample } from '../../../src/model/verdict-samples.ts';
import type { Line } from '../../../src/ui/parts/line.ts';
import { base, makeRun, start } from '../made-store.ts';

export const none = { evidence: [], against: [], missing: [], next: [] } as const;

/** A hang as rules tell it: of one rank, with figures of two GPUs, something against it, and something that is missing. */
export const hang: Verdict = {
  situation: 'collective-hang',
  scope: { ranks: [3], gpus: [0, 1, 2] },
  confidence: 0.86,
  since: start - 72_000,
  summary: 'GPU 0 100 % busy at 121 of 700 W, tensor 0 %; last progress 94 s ago',
  evidence: [
    {
      signal: 'lateUtilization',
      of: 'GPU 0',
      value: 100,
      unit: '%',
      source: 'gpu',
      expected: 'at least 80',
    },
    { signal: 'latePower', of: 'GPU 0', value: 121.4, unit: 'W', source: 'gpu' },
    { signal: 'lateTensor', of: 'GPU 0', value: 0, unit: '%', source: 'gpm', expected: 'at most 5' },
    { signal: 'silence', value: 94, unit: 's', source: 'log', expected: 'at least 10' },
  ],
  against: [{ signal: 'mainSpins', of: 'TID 4022', value: 0.4, unit: '%', source: 'threads', expected: 'at least 80' }],
  missing: [{ signal: 'stackCollective', get: 'take stacks for a few seconds', key: 'r' }],
  next: [
    { text: 'dump rank 3: where it is instead of the collective', key: 'd' },
    { text: 'look for its last lines in the log' },
  ],
};

export const throttled: Verdict = {
  situation: 'throttled',
  scope: { gpus: [5], cause: 'thermal' },
  confidence: 0.6,
  since: start - 400_000,
  summary: '',
  evidence: [
    { signal: 'thermalShare', of: 'GPU 5', value: 84, unit: '%', source: 'gpu', expected: 'at least 20' },
    { signal: 'clockShare', of: 'GPU 5', value: 61, unit: '%', source: 'gpu', expected: 'at most 85' },
  ],
  against: [],
  missing: [],
  next: [{ text: 'look at the fans and the room: its temperature is on the GPUs panel', key: '1' }],
};

export const unknown: Verdict = {
  ...none,
  situation: 'unknown',
  scope: {},
  confidence: 0.3,
  since: start - 4000,
  summary: '',
  missing: [{ signal: 'gilHeld', get: 'take a GIL profile', key: 'G' }],
};

export function told(time: number, ...verdicts: readonly Verdict[]): VerdictsSample {
  return { ...base('gpu', time), kind: 'verdicts', verdicts };
}

/** A state in which a run is watched over a link that is up, with these Samples, as of a second after the start. */
export function stateOf(...samples: readonly Sample[]): State {
  const run = makeRun();
  const before: readonly Sample[] = [
    { ...base('link', start), kind: 'link', state: 'up' },
    { ...base('run', start), kind: 'run', phase: 'running', run, candidates: [run] },
  ];
  return { ...[...before, ...samples].reduce(reduceState, emptyState(start)), committedAt: start + 1000 };
}

export const textOf = (line: Line) => line.map(({ text }) => text).join('');
