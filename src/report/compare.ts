import { situationWords } from '../model/diagnosis/words.ts';
import type { ReportData } from './data.ts';
import type { Row, Section } from './document.ts';
import { at, valuesIn, type Slots } from './slots.ts';
import { absent, difference, hours, lasting, median, percent, plain, short, whole } from './words.ts';

const mostRows = 24;
/** A share that differs by less is the same. */
const mostSituations = 8;

/** Both side by side. What one of them has not is a dash. */
export function comparisonOf(data: ReportData, other: ReportData): Section {
  const rows: Row[] = [];
  const row = (name: string, of: (each: ReportData) => number | undefined, text: (value: number) => string) => {
    const [there, here] = [of(other), of(data)];
    if (there === undefined && here === undefined) return;
    rows.push([
      name,
      there === undefined ? absent : text(there),
      here === undefined ? absent : text(here),
      difference(there, here),
    ]);
  };
  row('Watched for', ({ from, to }) => to - from, lasting);
  const unit = data.pace?.unit ?? other.pace?.unit ?? 'tokens';
  const rate = (pick: 'median' | 'healthy') => (each: ReportData) =>
    each.pace?.unit === unit ? each.pace[pick] : undefined;
  row(`Median ${unit}/s`, rate('median'), short);
  row(`${unit}/s while healthy`, rate('healthy'), short);
  row(
    'Step time, median',
    ({ steps }) => steps?.seconds,
    (value) => `${plain(value, 3)} s`,
  );
  row('Steps done', ({ steps }) => steps?.done, whole);
  const step = sharedStep(data.slots, other.slots);
  if (step !== undefined) row(`Loss at step ${whole(step)}`, ({ slots }) => lossAt(slots, step), plain);
  row('Loss at the end', ({ loss }) => loss?.last, plain);
  row(
    'GPU utilization, median',
    (each) => gpuMedian(each, 'utilization'),
    (value) => `${plain(value, 3)} %`,
  );
  row(
    'GPU power, median',
    (each) => gpuMedian(each, 'power'),
    (value) => `${plain(value, 3)} W`,
  );
  row('GPU-hours lost', ({ losses }) => losses?.lost, hours);
  row('  of all', ({ losses }) => (losses && losses.total > 0 ? losses.lost / losses.total : undefined), percent);
  const shares = (each: ReportData) => shareOfVerdicts(each);
  const [here, there] = [shares(data), shares(other)];
  for (const name of [...new Set([...here.keys(), ...there.keys()])].slice(0, mostSituations))
    row(`Time ${name}`, (each) => (each === data ? here : there).get(name) ?? 0, percent);
  const stages = [...new Set([...stageNames(other), ...stageNames(data)])].slice(0, mostRows);
  for (const name of stages)
    row(
      `Stage ${name.slice('stage/'.length)}`,
      ({ slots }) => median(valuesIn(slots.series.get(name)?.mean)),
      (value) => `${plain(value, 3)} ms`,
    );
  return {
    id: 'against',
    title: 'Against another recording',
    blocks: [
      { is: 'table', head: ['', 'The other', 'This one', 'Difference'], rows },
      { is: 'note', text: `The other is ${other.path}.` },
    ],
  };
}

function stageNames({ slots }: ReportData): readonly string[] {
  return [...slots.series.keys()].filter((name) => name.startsWith('stage/'));
}

function gpuMedian({ runGpus, slots }: ReportData, field: string): number | undefined {
  return median(runGpus.flatMap(({ uuid }) => valuesIn(slots.series.get(`gpu/${uuid}/${field}`)?.mean)));
}

/** The last step that both have reached with a loss. */
function sharedStep(one: Slots, other: Slots): number | undefined {
  const last = (slots: Slots) =>
    valuesIn(slots.series.get('log/step')?.high).reduce((most, each) => Math.max(most, each), -Infinity);
  const step = Math.min(last(one), last(other));
  return Number.isFinite(step) && lossAt(one, step) !== undefined && lossAt(other, step) !== undefined
    ? step
    : undefined;
}

function lossAt({ series, count }: Slots, step: number): number | undefined {
  const [steps, loss] = [series.get('log/step'), series.get('log/loss')];
  for (let i = 0; i < count; i++)
    if (at(steps?.low, i) <= step && at(steps?.high, i) >= step) return finite(at(loss?.mean, i));
  // Between two slots.
  for (let i = 0; i < count; i++) if (at(steps?.low, i) > step) return finite(at(loss?.mean, i));
  return undefined;
}

const finite = (value: number) => (Number.isFinite(value) ? value : undefined);

function shareOfVerdicts({ spans, from, to }: ReportData): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const { situation, from: begin, until } of spans) {
    const { name } = situationWords[situation];
    shares.set(name, (shares.get(name) ?? 0) + (until - begin) / Math.max(1, to - from));
  }
  return new Map([...shares].filter(([, share]) => share >= 0.005).sort(([, a], [, b]) => b - a));
}
