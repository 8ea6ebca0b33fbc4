import { rangesText, rankText } from '../ranges.ts';
import type { Situation } from '../situations.ts';
import type { Evidence, NextStep, Verdict } from '../verdict-samples.ts';
import { signals } from './signals.ts';

/** What a situation is called on the screen and in docs; `says` is a sentence for who does not know it. */
export interface SituationWords {
  readonly name: string;
  /** Where there is little room. */
  readonly short: string;
  /** Where there is room for one letter: another for each situation. */
  readonly letter: string;
  readonly says: string;
}

const words = (name: string, short: string, letter: string, says: string): SituationWords => ({
  name,
  short,
  letter,
  says,
});

/** The words for each situation. */
export const situationWords: Readonly<Record<Situation, SituationWords>> = {
  'compute-bound': words('compute-bound', 'compute', 'C', 'The GPUs work all the time: their speed sets the pace.'),
  'bandwidth-bound': words(
    'memory-bandwidth-bound',
    'bandwidth',
    'B',
    'The GPUs work all the time, and the speed of their memory sets the pace.',
  ),
  'input-bound': words('input-bound', 'input', 'I', 'The GPUs wait for batches: reading or preparing data is slower.'),
  'launch-bound': words(
    'launch-bound',
    'launch',
    'L',
    'The kernels are shorter than the time in which the CPU starts the next one.',
  ),
  'sync-bound': words('sync-bound', 'sync', 'S', 'The training thread stops again and again until the GPU is done.'),
  'gil-contention': words(
    'GIL contention',
    'GIL',
    'G',
    'Threads of one Python process take the interpreter lock from each other.',
  ),
  'allocator-churn': words(
    'allocator churn',
    'allocator',
    'A',
    'Device memory is given back and asked for again in every step.',
  ),
  'copy-bound': words('copy-bound', 'copy', 'Y', 'Copies between host and device set the pace.'),
  'collective-wait': words('waiting in a collective', 'wait', 'W', 'All ranks wait for the slowest one in every step.'),
  'collective-hang': words('collective hang', 'hang', 'H', 'Ranks wait in a collective that another one never joins.'),
  'producer-bound': words('producer-bound', 'producer', 'P', 'A queue runs empty: who fills it is too slow.'),
  'consumer-bound': words('consumer-bound', 'consumer', 'Q', 'A queue is full: who empties it is too slow.'),
  throttled: words('throttled', 'throttled', 'T', 'The GPU lowers its clocks for heat or its power supply.'),
  'host-overloaded': words('host overloaded', 'host', 'O', 'The run gets too little of the CPUs, memory or disks.'),
  'warming-up': words('warming up', 'warm-up', 'U', 'The run loads, compiles or takes its first steps.'),
  checkpointing: words('checkpointing', 'checkpoint', 'K', 'The run writes a checkpoint.'),
  evaluating: words('evaluating', 'eval', 'E', 'The run evaluates; it does not train meanwhile.'),
  stalled: words('stalled', 'stalled', 'Z', 'No progress for much longer than usual, and nothing that works on it.'),
  dead: words('dead', 'dead', 'D', 'The processes of the run are gone, or one of them is.'),
  unknown: words('not enough evidence', 'unknown', '?', 'What is known fits no situation well enough.'),
};

/** What a verdict is about, in short: `rank 3 missing`, `GPU 0`, `role actor`, `queue q_hs`; '' where it is the run as a whole. Why is not in it. */
export function scopeWords({ situation, scope }: Pick<Verdict, 'situation' | 'scope'>): string {
  const { ranks = [], gpus = [], role, queue } = scope;
  const missing = ranks.length === 0 ? undefined : ranksSaid[situation];
  if (missing !== undefined) return missing(rankText(ranks));
  const parts = [
    ...(ranks.length > 0 ? [rankText(ranks)] : []),
    // A role names its GPUs, and a rank its own one.
    ...(gpus.length > 0 && role === undefined && !(ranks.length === 1 && gpus.length === 1) ? [gpuText(gpus)] : []),
    ...(role === undefined ? [] : [`role ${role}`]),
    ...(queue === undefined ? [] : [`queue ${queue}`]),
  ];
  return parts.join(', ');
}

/** What ranks of a scope are there. */
const ranksSaid: Partial<Record<Situation, (ranks: string) => string>> = {
  'collective-hang': (ranks) => `${ranks} missing`,
  'collective-wait': (ranks) => `for ${ranks}`,
};

/** `GPU 0`, `GPUs 2-7`. */
function gpuText(gpus: readonly number[]): string {
  return `${gpus.length === 1 ? 'GPU' : 'GPUs'} ${rangesText(gpus)}`;
}

/** From where on a confidence (0 to 1) has which word. */
const sureFrom = 0.75;
const likelyFrom = 0.5;

/** A confidence (0 to 1) as a word. */
export function confidenceWord(confidence: number): 'sure' | 'likely' | 'perhaps' {
  return confidence >= sureFrom ? 'sure' : confidence >= likelyFrom ? 'likely' : 'perhaps';
}

/** What a figure is of: `GPU 0 utilization`, `utilization of all but GPU 3`. */
export function signalWords({ signal, of }: Pick<Evidence, 'signal' | 'of'>): string {
  const known = Object.hasOwn(signals, signal) ? signals[signal as keyof typeof signals].words : signal;
  if (of === undefined || signal === 'peers' || signal === 'peersAtWork') return known;
  // They are of all others: the name of one GPU says which, that of several would not.
  if (known.endsWith(ofOthers))
    return of.startsWith('GPUs') ? known : `${known.slice(0, -ofOthers.length)} of all but ${of}`;
  return `${of} ${known}`;
}

const ofOthers = ' of the others';

/** A value with its unit: `98 %`, `121 W`, `0.35 s`, `12 min`, `11`. */
export function figureText({ value, unit }: Pick<Evidence, 'value' | 'unit'>): string {
  if (unit === 's' && value >= 120) return value < 7200 ? `${Math.round(value / 60)} min` : `${digits(value / 3600)} h`;
  const text = digits(value);
  return unit === '' ? text : `${text} ${unit}`;
}

/** What to do next, as words with their key: `take a GIL profile (G)`; of a verdict that has nothing to do, undefined. */
export function adviceOf({ next, missing }: Pick<Verdict, 'next' | 'missing'>): string | undefined {
  const step: NextStep | undefined = next[0] ?? (missing[0] && { ...missing[0], text: missing[0].get });
  if (!step) return undefined;
  return step.key === undefined ? step.text : `${step.text} (${step.key})`;
}

/** As many as a figure is worth: whole from 10 on. */
function digits(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 9.95) return String(Math.round(value));
  return String(Number(value.toFixed(size >= 0.995 ? 1 : 2)));
}
