/** What a piece of text means; the theme gives it a colour. No meaning by colour alone: words or shapes say the same. */
export type Tone =
  'plain' | 'dim' | 'strong' | 'title' | 'focus' | 'ok' | 'warn' | 'bad' | `series${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`;

/** A piece of a row in one tone. Its text is safe for a terminal (model/text.ts). */
export interface Segment {
  readonly text: string;
  readonly tone?: Tone;
  readonly inverse?: boolean;
}

/** One row of the screen, left to right. */
export type Line = readonly Segment[];
