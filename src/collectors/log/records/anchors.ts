import type { LogFormat } from '../formats/format.ts';

/** Finds which of many formats have an anchor in a text: one walk over it, however many there are. */
export interface AnchorIndex {
  /** In the order of the list. */
  candidates(text: string): readonly LogFormat[];
}

interface Anchor {
  readonly text: string;
  /** Where the pair of characters stands in it by which it is looked for. */
  readonly offset: number;
  readonly format: number;
}

const slots = 4096;
const slotOf = (first: number, second: number) => (first * 31 + second) & (slots - 1);
/** Anchors stand near the beginning; a line may have 16 kB. */
const longest = 4000;

/** An index of these formats, by the rarest two characters of each anchor. */
export function createAnchorIndex(formats: readonly LogFormat[]): AnchorIndex {
  const buckets = new Array<Anchor[] | undefined>(slots).fill(undefined);
  const taken = new Uint8Array(slots);
  const always: number[] = [];
  /** Anchors of one character. */
  const short: Anchor[] = [];
  formats.forEach(({ anchors }, format) => {
    if (anchors.length === 0) always.push(format);
    for (const text of anchors) {
      if (text.length < 2) {
        short.push({ text, offset: 0, format });
        continue;
      }
      const offset = rarestPair(text);
      const slot = slotOf(text.charCodeAt(offset), text.charCodeAt(offset + 1));
      (buckets[slot] ??= []).push({ text, offset, format });
      taken[slot] = 1;
    }
  });
  const seen = new Uint8Array(formats.length);
  return {
    candidates(text) {
      const end = Math.min(text.length, longest);
      let found: number[] | undefined = always.length > 0 ? [...always] : undefined;
      let first = text.charCodeAt(0);
      for (let at = 0; at < end; at++) {
        const second = text.charCodeAt(at + 1);
        const slot = slotOf(first, second);
        first = second;
        if (taken[slot] === 0) continue;
        for (const anchor of buckets[slot] ?? []) {
          if (seen[anchor.format] === 1 || !text.startsWith(anchor.text, at - anchor.offset)) continue;
          seen[anchor.format] = 1;
          (found ??= []).push(anchor.format);
        }
      }
      for (const anchor of short) {
        if (seen[anchor.format] === 1 || !text.includes(anchor.text)) continue;
        seen[anchor.format] = 1;
        (found ??= []).push(anchor.format);
      }
      if (found === undefined) return none;
      for (const format of found) seen[format] = 0;
      return found.sort((a, b) => a - b).flatMap((format) => formats[format] ?? []);
    },
  };
}

/** Of lines of logs small letters and spaces are the most, and tell the least. */
function rarestPair(text: string): number {
  const weight = (at: number) => (/[a-z ]/.test(text[at] ?? '') ? 6 : /[\d.,:=]/.test(text[at] ?? '') ? 3 : 1);
  let best = 0;
  for (let at = 1; at + 1 < text.length; at++)
    if (weight(at) * weight(at + 1) < weight(best) * weight(best + 1)) best = at;
  return best;
}

const none: readonly LogFormat[] = [];
