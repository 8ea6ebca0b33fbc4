import type { Reading } from './scan-value.ts';

/** Words that follow each other before a value, and how they are tied to it. */
export interface Phrase {
  readonly text: string;
  /** Where each word begins and ends; the last ones, eight at most. */
  readonly starts: number[];
  readonly ends: number[];
  count: number;
  /** `=`, `:`, or 0: a blank at most. */
  tie: number;
}

/** Told what stands in a line, in order. */
export interface Listener {
  /** A value behind its words, or without any (`count` 0). */
  value(phrase: Phrase, reading: Reading, at: number): void;
  /** `key: word`, `key=word`, and the word. */
  word(phrase: Phrase, from: number, to: number): void;
  /** `[word]`. */
  mark(word: string): void;
  /** A value in parentheses behind a value. */
  aside(reading: Reading): void;
  /** A dict begins; returns where it ends. */
  dict(phrase: Phrase, at: number): number;
  /** Words that no value follows. */
  dropped(phrase: Phrase): void;
  /** Words in quotes, which are no name of what follows. */
  quoted(phrase: Phrase): void;
  /** A field ends: at `,`, `|`, an end of a line. */
  fence(phrase: Phrase, code: number): void;
}
