import { rangesText } from '../ranges.ts';
import type { Evidence, MissingSignal } from '../verdict-samples.ts';
import type { Clue } from './rule.ts';
import type { Group } from './scopes.ts';
import { signals, sources, type SignalName } from './signals.ts';
import type { SteadyJudgement } from './steady.ts';
import { placeOfFigure } from './summary.ts';
import { thresholds } from './thresholds.ts';
import { figureText } from './words.ts';

/** So many figures are read at a glance. */
const most = 6;
/** Figures that lie nearer together than this share of the greatest are told as their mean. */
const near = 0.1;

interface Found {
  readonly clue: Clue;
  readonly value: number;
  readonly of?: string;
  /** Of a GPU's own signal. */
  readonly gpu?: number;
  /** It speaks against the rule where it is so: the rule expects the contrary. */
  readonly isAgainst?: boolean;
}

/** The figures of a group that carry it, or speak against it: those that its rule asks for first; of several GPUs the mean, or least and most. */
export function figuresOf({ judgements }: Group, which: 'held' | 'contrary'): readonly Evidence[] {
  const namesOf = (side: typeof which) => judgements.flatMap((each) => each[side].map(({ signal }) => signal));
  // A figure that is beyond one border of the rule and not beyond the next speaks for it.
  const told = new Set(which === 'contrary' ? namesOf('held') : []);
  const names = new Set(namesOf(which).filter((signal) => !told.has(signal)));
  return [...names]
    .sort((a, b) => placeOfFigure(a) - placeOfFigure(b))
    .flatMap((signal) => figuresOfSignal(judgements.flatMap((each) => findIn(each, which, signal) ?? [])))
    .slice(0, most);
}

/** Those of some signals, whatever is asked of them. */
export function figuresOfReadings(
  all: readonly Pick<SteadyJudgement, 'subject' | 'readings'>[],
  names: readonly SignalName[],
): readonly Evidence[] {
  return names.flatMap((signal) => figuresOfSignal(all.flatMap((each) => foundIn(each, { signal }) ?? [])));
}

/** What nobody told, each once, and how to get it. */
export function missingOf(names: Iterable<SignalName>): readonly MissingSignal[] {
  return [...new Set(names)].map((signal) => {
    const from: { readonly get: string; readonly key?: string } = sources[signals[signal].from];
    return { signal, get: from.get, ...(from.key !== undefined && { key: from.key }) };
  });
}

function findIn(judgement: SteadyJudgement, which: 'held' | 'contrary', signal: SignalName): Found | undefined {
  const [clue] = judgement[which].filter((each) => each.signal === signal).sort((a, b) => reachOf(b) - reachOf(a));
  const found = clue && foundIn(judgement, clue);
  const isAsked = judgement.rule.speaksFor.some((each) => each === clue || each.or?.some((other) => other === clue));
  return found && { ...found, isAgainst: which === 'contrary' && !isAsked };
}

/** The further, the more is asked: of two borders on one side the stronger one is told. */
function reachOf({ least, most }: Clue): number {
  if (least !== undefined) return thresholds[least].value;
  return most === undefined ? -Infinity : -thresholds[most].value;
}

function foundIn({ subject, readings }: Pick<SteadyJudgement, 'subject' | 'readings'>, clue: Clue): Found | undefined {
  const reading = readings[clue.signal];
  const isOwn = subject.kind === 'gpu' && isOfGpu(clue.signal);
  return reading && { clue, ...reading, ...(isOwn && { gpu: subject.index }) };
}

/** What log, host and run say is of the whole run, whichever GPU it is told of. */
function isOfGpu(signal: SignalName): boolean {
  const { source } = sources[signals[signal].from];
  return source !== 'log' && source !== 'host' && source !== 'processes' && source !== 'run';
}

function figuresOfSignal(found: readonly Found[]): readonly Evidence[] {
  const [first] = found;
  if (!first) return [];
  if (first.gpu === undefined || found.length === 1) return [evidence(first, first.of ?? gpuText([first.gpu]))];
  const sorted = found.toSorted((a, b) => a.value - b.value);
  const low = sorted[0] ?? first;
  const high = sorted.at(-1) ?? first;
  const gpus = found.flatMap(({ gpu }) => gpu ?? []).sort((a, b) => a - b);
  const mean = found.reduce((sum, { value }) => sum + value, 0) / found.length;
  if (high.value - low.value <= Math.max(1, near * Math.abs(high.value)))
    return [evidence({ ...first, value: mean }, gpuText(gpus))];
  return [low, high].map((each) => evidence(each, gpuText([each.gpu])));
}

function gpuText(gpus: readonly (number | undefined)[]): string | undefined {
  const told = gpus.flatMap((gpu) => gpu ?? []);
  if (told.length === 0) return undefined;
  return `${told.length === 1 ? 'GPU' : 'GPUs'} ${rangesText(told)}`;
}

function evidence(
  { clue: { signal, least, most }, value, isAgainst = false }: Found,
  of: string | undefined,
): Evidence {
  const { unit, from } = signals[signal];
  const expected = isAgainst ? contraryText(unit, least, most) : expectedText(unit, least, most);
  return {
    signal,
    ...(of !== undefined && { of }),
    // Three digits are what they are worth, and a recording is smaller by the rest.
    ...{ value: Number(value.toPrecision(3)), unit, source: sources[from].source },
    ...(expected !== undefined && { expected }),
  };
}

/** `at least 80 %`, `3 to 80 %`; undefined: it is enough that it is told. */
function expectedText(unit: string, least: Clue['least'], most: Clue['most']): string | undefined {
  const [low, high] = [least, most].map((name) => name && thresholds[name].value);
  const text = (value: number) => figureText({ value, unit });
  if (low !== undefined && high !== undefined) return `${low} to ${text(high)}`;
  if (high !== undefined) return high === 0 ? text(0) : `at most ${text(high)}`;
  return low === undefined || low === 0 ? undefined : `at least ${text(low)}`;
}

/** `below 80 %`, `above 5 %`: what the rule expects of a figure that speaks against it. */
function contraryText(unit: string, least: Clue['least'], most: Clue['most']): string | undefined {
  const name = least ?? most;
  if (name === undefined || (least !== undefined && most !== undefined)) return undefined;
  const { value } = thresholds[name];
  return value === 0 ? undefined : `${least === undefined ? 'above' : 'below'} ${figureText({ value, unit })}`;
}
