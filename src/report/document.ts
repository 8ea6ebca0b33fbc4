/** What a report says, in order; the page and the Markdown are two ways to write the same. All text is plain: who writes it makes it safe. */
export interface Document {
  readonly title: string;
  /** Below the title, small. */
  readonly about: string;
  readonly sections: readonly Section[];
  readonly charts: Charts;
  /** What stands at the very end. */
  readonly foot: string;
}

/** A heading and what is below it. */
export interface Section {
  /** A word, for links. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A piece of a section. */
export type Block =
  | { readonly is: 'lead' | 'text' | 'note'; readonly text: string }
  | { readonly is: 'figures'; readonly figures: readonly Figure[] }
  | { readonly is: 'table'; readonly head: readonly string[]; readonly rows: readonly Row[] }
  | { readonly is: 'bars'; readonly bars: readonly Bar[] }
  | ({ readonly is: 'strip' } & Strip)
  | { readonly is: 'charts'; readonly names: readonly string[] }
  | { readonly is: 'lines'; readonly lines: readonly string[] }
  | { readonly is: 'more'; readonly title: string; readonly blocks: readonly Block[] };

/** A number that stands out. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

/** A row of a table; cells that begin with a figure stand right. */
export type Row = readonly string[];

/** A part of a whole. */
export interface Bar {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  readonly text: string;
  readonly tone: Tone;
}

/** What something means for the run: colour stands beside words, never in their place. */
export type Tone = 'good' | 'pause' | 'bad' | 'unsure';

/** Which verdict stood first when. */
export interface Strip {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly StripPart[];
}

/** A stretch of the strip of verdicts. */
export interface StripPart {
  readonly from: number;
  readonly to: number;
  readonly letter: string;
  readonly label: string;
  readonly tone: Tone;
}

/** Curves over one axis of time. */
export interface Charts {
  /** Epoch seconds. */
  readonly times: readonly number[];
  /** Minutes east of UTC, in which the axis is labelled. */
  readonly zoneMinutes: number;
  readonly charts: readonly Chart[];
  /** Alarms and events, on every chart. */
  readonly marks: readonly Mark[];
}

/** One picture. */
export interface Chart {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly log?: true;
  /** The axis begins and ends there. */
  readonly range?: readonly [number, number];
  readonly curves: readonly Curve[];
}

/** Means, and where they are told the lowest and highest of each slot. */
export interface Curve {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

/** Something that happened. */
export interface Mark {
  /** Epoch seconds. */
  readonly at: number;
  readonly label: string;
  readonly tone: Tone;
}
