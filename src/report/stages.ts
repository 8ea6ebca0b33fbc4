import type { StagesOf, Trouble } from './data.ts';
import { slotAt, valuesIn, type Slots } from './slots.ts';

const hourMs = 3_600_000;
const mostStages = 24;
/** What is compared has at least this part of the time. */
const leastPart = 0.1;

interface Init {
  readonly slots: Slots;
  readonly troubles: readonly Trouble[];
  readonly span: { readonly from: number; readonly to: number };
}

/** Before the first trouble and from then on, where one began in the midst; else the beginning and the end. */
export function stagesOf({ slots, troubles, span }: Init): StagesOf | undefined {
  const names = [...slots.series.keys()].filter((name) => name.startsWith('stage/')).slice(0, mostStages);
  if (names.length === 0) return undefined;
  const length = span.to - span.from;
  const least = Math.max(leastPart * length, 2 * slots.slotMs);
  const first = troubles.find((each) => each.span.from - span.from >= least && span.to - each.span.from >= least);
  const edge = Math.min(hourMs, length / 3);
  const [before, after] = first
    ? ([
        [span.from, first.span.from],
        [first.span.from, span.to],
      ] as const)
    : ([
        [span.from, span.from + edge],
        [span.to - edge, span.to],
      ] as const);
  const mean = (name: string, [from, to]: readonly [number, number]) => {
    const values = valuesIn(slots.series.get(name)?.mean, slotAt(slots, from), slotAt(slots, to) + 1);
    return values.length === 0 ? undefined : values.reduce((sum, each) => sum + each, 0) / values.length;
  };
  const rows = names.map((name) => {
    const [was, is] = [mean(name, before), mean(name, after)];
    return {
      name: name.slice('stage/'.length),
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
    };
  });
  const part = edge === hourMs ? 'hour' : 'third';
  return {
    before: first ? 'before the first trouble' : `the first ${part}`,
    after: first ? 'from then on' : `the last ${part}`,
    rows,
  };
}
