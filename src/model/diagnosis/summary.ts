import type { Evidence } from '../verdict-samples.ts';
import { signals, type SignalName } from './signals.ts';

/** A headline has room for so many figures. */
const most = 4;

/** Signals in fewer words than a table of figures needs; null: it says nothing to who reads no further. */
const short: Partial<Record<SignalName, ((value: string) => string) | null>> = {
  utilization: (value) => `${value} busy`,
  lateUtilization: (value) => `${value} busy`,
  power: (value) => value,
  latePower: (value) => value,
  powerRise: null,
  latePowerRise: null,
  powerShare: (value) => `${value} of its power`,
  latePowerShare: (value) => `${value} of its power`,
  tensorActive: (value) => `tensor ${value}`,
  lateTensor: (value) => `tensor ${value}`,
  dramActive: (value) => `DRAM ${value}`,
  lateDram: (value) => `DRAM ${value}`,
  peers: null,
  peersAtWork: null,
  behindPeers: null,
  memoryMoves: null,
  utilizationSpread: null,
  peersUtilization: (value) => `the others ${value} busy`,
  peersPowerRise: (value) => `at ${value} of their power above idle`,
  queues: null,
  steps: null,
  silenceRatio: null,
  progress: null,
  silence: (value) => `last progress ${value} ago`,
  checkpointAge: (value) => `checkpoint in the log ${value} ago`,
  evaluationAge: (value) => `evaluation in the log ${value} ago`,
  warmupAge: (value) => `loading or compiling in the log ${value} ago`,
  errorAge: (value) => `an error in the log ${value} ago`,
  ended: (value) => `ended ${value} ago`,
  runAge: (value) => `began ${value} ago`,
  writeRate: (value) => `${value} written`,
  readRate: (value) => `${value} read`,
};

/** One sentence of the strongest figures: `GPU 0 100 % busy, 121 W, tensor 0 %; last progress 94 s ago`. */
export function summaryOf(evidence: readonly Evidence[]): string {
  const seen = new Set<string>();
  const told = evidence.flatMap((each) => {
    const words = wordsOf(each);
    // What is so now is so over the window too, in one breath.
    const matter = `${each.of} ${each.signal.replace(/^late/, '').toLowerCase()}`;
    if (words === undefined || seen.has(matter)) return [];
    seen.add(matter);
    return [{ of: each.of, words }];
  });
  const parts: { readonly of: string | undefined; readonly words: string[] }[] = [];
  for (const { of, words } of told.slice(0, most)) {
    const part = parts.find((each) => each.of === of);
    if (part) part.words.push(words);
    else parts.push({ of, words: [words] });
  }
  return parts.map(({ of, words }) => `${of === undefined ? '' : `${of} `}${words.join(', ')}`).join('; ');
}

/** Where a figure stands among the evidence: how busy it is leads, and what is no news of its own comes last. */
export function placeOfFigure(signal: SignalName): number {
  if (signal === 'utilization' || signal === 'lateUtilization') return 0;
  return short[signal] === null ? 2 : 1;
}

function wordsOf({ signal, value, unit }: Evidence): string | undefined {
  const name = signal as SignalName;
  const figure = figureText(value, unit);
  const say = short[name];
  if (say === null) return undefined;
  return say ? say(figure) : `${signals[name].words} ${figure}`;
}

/** Three digits are enough; times as a clock would say them. */
function figureText(value: number, unit: string): string {
  if (unit === 's' && value >= 120)
    return value < 7200 ? `${Math.round(value / 60)} min` : `${Math.round(value / 3600)} h`;
  const size = Math.abs(value);
  const digits = size >= 10 || Number.isInteger(value) ? 0 : size >= 1 ? 1 : 2;
  const number = Number(value.toFixed(digits)).toString();
  return unit === '' ? number : `${number} ${unit}`;
}
