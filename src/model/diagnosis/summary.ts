import type { Evidence } from '../verdict-samples.ts';
import { matterOf, otherPhrases, ownPhrases, unsaid, type Said } from './phrases.ts';
import { signals, type Readings, type SignalName } from './signals.ts';
import { wattsOf, wattsText } from './watts.ts';
import { figureText } from './words.ts';

/** A headline has room for so many figures. */
const most = 4;

/** Readings of what a verdict is about, and of the other GPUs: a headline tells their power too. */
export interface AboutVerdict {
  readonly own: readonly Readings[];
  readonly others: readonly Readings[];
}

const nothingMore: AboutVerdict = { own: [], others: [] };

/** One figure, or the least and the most of several GPUs. */
interface Told {
  readonly signal: SignalName;
  readonly evidence: readonly [Evidence, ...Evidence[]];
}

/** One sentence of the strongest figures: `GPU 0 100 % busy at 121 of 700 W, tensor cores 0 %; last progress 94 s ago`. */
export function summaryOf(evidence: readonly Evidence[], about: AboutVerdict = nothingMore): string {
  const told = onceEach(evidence);
  const gpus = gpusOf(told);
  const whose = gpus === '' ? '' : gpus.startsWith('GPUs') ? 'their ' : 'its ';
  const own: string[] = [];
  const others: string[] = [];
  for (const each of told) {
    if (own.length + others.length >= most) break;
    const { signal } = each;
    const phrase = otherPhrases[signal] ?? ownPhrases[signal] ?? generic(signal);
    const words = phrase({ ...saidOf(each), whose, readings: about.own[0] ?? {} });
    if (words === undefined) continue;
    (otherPhrases[signal] ? others : own).push(words + powerBeside(signal, about, evidence));
  }
  const isSaid = told.some(({ signal }) => signal === 'utilization' || signal === 'lateUtilization');
  const ofGpus = `${gpus === '' ? '' : `${gpus} `}${own.join(', ')}`;
  const parts = [...(own.length === 0 ? [] : [ofGpus]), ...others];
  // What is loudest stands first: the GPUs, where they are what it is about.
  return (isSaid || own.length === 0 ? parts : [...others, ofGpus]).join('; ');
}

/** Where a figure stands among the evidence: how busy it is leads, and what is no news of its own comes last. */
export function placeOfFigure(signal: SignalName): number {
  if (signal === 'utilization' || signal === 'lateUtilization') return 0;
  return unsaid.has(signal) ? 2 : 1;
}

/** Of each matter the first, with both ends of it; power is told beside how busy a GPU is. */
function onceEach(evidence: readonly Evidence[]): readonly Told[] {
  const found = new Map<string, Told>();
  for (const each of evidence) {
    const signal = each.signal as SignalName;
    if (unsaid.has(signal)) continue;
    const matter = matterOf(signal);
    const before = found.get(matter);
    if (!before) found.set(matter, { signal, evidence: [each] });
    else if (before.signal === signal) found.set(matter, { signal, evidence: [...before.evidence, each] });
  }
  if (found.has('utilization')) for (const matter of ['power', 'powershare']) found.delete(matter);
  return [...found.values()];
}

/** `GPUs 0-4`: the name of what the figures are of; of a thread or a process its GPU's. */
function gpusOf(told: readonly Told[]): string {
  const own = told.filter(({ signal }) => otherPhrases[signal] === undefined);
  const names = own.flatMap(({ evidence }) => evidence.map(({ of = '' }) => of).filter((of) => of.startsWith('GPU')));
  const several = own.some(({ evidence }) => evidence.length > 1);
  return names.find((name) => name.startsWith('GPUs ')) ?? (several ? 'GPUs' : (names[0] ?? ''));
}

function saidOf({ evidence: [first, ...more] }: Told): Pick<Said, 'figure' | 'value' | 'of'> {
  const { value, of } = first;
  const last = more.at(-1);
  const figure = last ? `${rounded({ value, unit: '' }, first.unit)} to ${rounded(last)}` : rounded(first);
  return { figure, value, ...(of !== undefined && { of }) };
}

/** Whole percents and seconds are what one remembers. */
function rounded({ value, unit }: Pick<Evidence, 'value' | 'unit'>, of = unit): string {
  if (of === '%')
    return value > 0 && value < 0.5
      ? `under ${figureText({ value: 1, unit })}`
      : figureText({ value: Math.round(value), unit });
  return figureText({ value: of === 's' && value >= 2 ? Math.round(value) : value, unit });
}

/** ` at 121 of 700 W`. */
function powerBeside(signal: SignalName, { own, others }: AboutVerdict, evidence: readonly Evidence[]): string {
  const part = { utilization: 'window', lateUtilization: 'late', peersUtilization: 'window' } as const;
  if (!(signal in part)) return '';
  const isOwn = signal !== 'peersUtilization';
  const watts = wattsOf(isOwn ? own : others, part[signal as keyof typeof part]);
  if (watts) return ` at ${wattsText(watts)}`;
  const power = isOwn
    ? evidence.find((each) => each.signal === (signal === 'utilization' ? 'power' : 'latePower'))
    : undefined;
  return power ? ` at ${figureText(power)}` : '';
}

function generic(signal: SignalName) {
  return ({ figure }: Said) => `${signals[signal].words} ${figure}`;
}
