import { meaningOfField, type Column, type FieldId } from '../collectors/gpu/fields.ts';

/** Which cell of a row is what. */
export interface SmiLayout {
  /** Cells of a row. */
  readonly width: number;
  /** The columns that are read, and where they stand. */
  readonly columns: readonly (Column & { readonly at: number })[];
  /** What tells one GPU from another, where there is no index. */
  readonly identityAt?: number;
  readonly hasTimes: boolean;
  /** Names of columns that nothing is made of. */
  readonly unused: readonly string[];
  /** What was taken for granted. */
  readonly assumed?: string;
}

/** The layout that a header line or the user's list of fields gives: names as nvidia-smi has them, units in brackets or not. */
export function layoutOf(names: readonly string[]): SmiLayout {
  const plain = names.map((name) => name.replace(/^([^[]*) \[.*\]$/, '$1').trim());
  const known = plain.map((name) => meaningOfField(name) ?? lesser.get(name));
  // Of two names for the same the better, of equals the first.
  const isBest = (at: number) =>
    known.every(
      (other, i) =>
        other?.id !== known[at]?.id || rank(other) > rank(known[at]) || (rank(other) === rank(known[at]) && i >= at),
    );
  const columns = plain.flatMap((name, at) => {
    const meaning = known[at];
    return meaning && isBest(at) ? [{ id: meaning.id, name, at }] : [];
  });
  const has = (id: FieldId) => columns.some((column) => column.id === id);
  const identityAt = has('index') ? -1 : plain.findIndex((name) => identities.includes(name));
  return {
    width: names.length,
    columns,
    ...(identityAt >= 0 && { identityAt }),
    hasTimes: has('timestamp'),
    unused: plain.filter((_, at) => !columns.some((column) => column.at === at) && at !== identityAt),
  };
}

/** The names that a header has are all names of nvidia-smi's fields, or most of them; a row of values has hardly one. */
export function isHeader(cells: readonly string[]): boolean {
  return cells.filter((cell) => /^[a-z][a-zA-Z_.]*(?: \[.*\])?$/.test(cell)).length > cells.length / 2;
}

/** The layout of rows without a header, where their form leaves no doubt; undefined where it does. */
export function recogniseRow(cells: readonly string[]): SmiLayout | undefined {
  const shape = shapes.find(
    ({ forms }) => forms.length === cells.length && forms.every((form, i) => form.test(cells[i] ?? '')),
  );
  return shape && { ...layoutOf(shape.fields), assumed: shape.fields.join(',') };
}

/** The mean of the last second is what `power.draw` is since Ampere; without it the others are better than nothing. */
const lesser: ReadonlyMap<string, { readonly id: FieldId; readonly rank: number }> = new Map([
  ['power.draw.average', { id: 'powerWatts', rank: 10 }],
  ['power.draw.instant', { id: 'powerWatts', rank: 11 }],
]);
const rank = (meaning: { readonly rank: number } | undefined) => meaning?.rank ?? Infinity;

const identities: readonly string[] = ['uuid', 'gpu_uuid', 'pci.bus_id', 'gpu_bus_id', 'serial', 'gpu_serial'];

const time = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{3}$/;
const count = /^(?:\d+|\[N\/A\])$/;
const percent = /^(?:\d|[1-9]\d|100|\[N\/A\])$/;
const watts = /^(?:\d+\.\d\d|\[N\/A\])$/;
const mask = /^0x[0-9a-fA-F]{16}$/;
const word = /^\S.*$/;

/** Two queries whose rows cannot be taken for another's: the mask is where it is, and watts have two decimals. */
const shapes: readonly { readonly fields: readonly string[]; readonly forms: readonly RegExp[] }[] = [
  {
    fields:
      'timestamp,index,utilization.gpu,utilization.memory,power.draw,memory.used,clocks.sm,clocks_event_reasons.active'.split(
        ',',
      ),
    forms: [time, count, percent, percent, watts, count, count, mask],
  },
  {
    fields:
      'timestamp,index,uuid,name,utilization.gpu,utilization.memory,memory.used,memory.total,temperature.gpu,power.draw,power.limit,clocks.sm,clocks.mem,pstate,fan.speed,clocks_event_reasons.active,pcie.link.gen.current,pcie.link.width.current,ecc.errors.uncorrected.volatile.total,mig.mode.current'.split(
        ',',
      ),
    forms: [
      ...[
        time,
        count,
        /^GPU-/,
        word,
        percent,
        percent,
        count,
        count,
        count,
        watts,
        watts,
        count,
        count,
        /^P\d+$/,
        percent,
      ],
      ...[mask, /^\d$/, /^\d+$/, count, word],
    ],
  },
];
