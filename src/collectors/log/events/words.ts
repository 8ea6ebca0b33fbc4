import type { EventRule } from './rule.ts';

/** A line's events are told near its beginning. */
const longestSearched = 2000;
const slots = 8192;

/** Which of some rules a line is to be searched by: bit n stands for rule n. A word too many costs time, one too few a finding. */
export type WordIndex = (text: string) => number;

/**
 * One pass over a line's letters looks each word up, so that the many lines without events cost little, however many rules there are
 * (at most 31).
 */
export function createWordIndex(rules: readonly EventRule[]): WordIndex {
  const table = new Int32Array(slots);
  rules.forEach(({ words }, i) => {
    for (const word of words) table[slotOf(word)]! |= 1 << i;
  });
  return (text) => {
    const end = Math.min(text.length, longestSearched);
    let found = 0;
    let hash = 0;
    for (let i = 0; i < end; i++) {
      const code = text.charCodeAt(i) | 0x20;
      if (code >= 0x61 && code <= 0x7a) hash = (Math.imul(hash, 31) + code) | 0;
      else if (hash !== 0) {
        found |= table[fold(hash)]!;
        hash = 0;
      }
    }
    return hash === 0 ? found : found | table[fold(hash)]!;
  };
}

function slotOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
  return fold(hash);
}

const fold = (hash: number) => (hash ^ (hash >>> 13)) & (slots - 1);
