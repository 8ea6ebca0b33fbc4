import type * as S from '../model/samples.ts';
import type * as is from './shape.ts';

/** The heads of Samples are written the same way for all kinds. */
type HeadField = keyof S.SampleBase<string>;
type Present<T> = Exclude<T, undefined>;
type ListField<T> = { [F in keyof T]-?: Present<T[F]> extends readonly unknown[] ? F : never }[keyof T];
type CellOf<T> = Present<T> extends readonly (infer Cell)[] ? Cell : never;

/** How the Samples of one kind are written, read and checked. */
export interface Kind {
  /** Rows with equal cells in these columns are one thing over time; none: it has no rows. The hint saves bytes, nothing leans on its being right. */
  readonly keys: readonly string[];
  /** By column what a cell is; lists of one length. */
  readonly columns: Readonly<Record<string, is.Field>>;
  readonly fields: Readonly<Record<string, is.Field>>;
  /** Each is written whole and leans on no other: it is found without those before it. */
  readonly alone: boolean;
}

/** The compiler's proof of which Sample an entry of the table is for. */
export type KindOf<T> = Kind & { readonly of?: (sample: T) => void };

/** Of Samples of rows: one list a column. */
export function rows<T extends S.Sample>(
  keys: readonly ListField<T>[],
  columns: {
    readonly [F in ListField<T>]: Record<never, never> extends Pick<T, F>
      ? is.Optional<CellOf<T[F]>>
      : is.Shape<CellOf<T[F]>>;
  },
  others: is.Fields<Omit<T, HeadField | ListField<T>>>,
): KindOf<T> {
  return {
    keys: keys as readonly string[],
    columns: columns as Kind['columns'],
    fields: others as Kind['fields'],
    alone: false,
  };
}

/** Of Samples without rows. */
export function fields<T extends S.Sample>(all: is.Fields<Omit<T, HeadField>>): KindOf<T> {
  return { keys: [], columns: {}, fields: all as Kind['fields'], alone: false };
}

/** Of Samples that lean on no other. */
export function alone<T extends S.Sample>(all: is.Fields<Omit<T, HeadField>>): KindOf<T> {
  return { ...fields<T>(all), alone: true };
}
