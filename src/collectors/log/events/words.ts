import { byOutline } from '../outline.ts';
import type { EventRule } from './rule.ts';

/** A line's events are told near its beginning. */
const longestSearched = 2000;
const slots = 8192;
/** A bit beside those of the rules: a word that ends as a class of exceptions does. */
export const errorWord = 1 << 28;
/** A word that says how bad a line is. */
export const levelWord = 1 << 29;
/** A letter beyond ASCII, or a word of another language. */
export const otherWord = 1 << 30;
const levels = [
  'warn',
  'err',
  'fatal',
  'critical',
  'crit',
  'severe',
  'emerg',
  'panic',
  'panicked',
  'fault',
  'dumped',
  'assertion',
];

const otherWords = [
  'gespeichert',
  'abgeschlossen',
  'beendet',
  'fertig',
  'epoca',
  'epoche',
  'terminata',
  'verlust',
  'perte',
  'perdita',
  'guardado',
  'entrenamiento',
  'fehler',
  'erreur',
  'warnung',
  'avertissement',
  'salvo',
  'salvato',
  'salvado',
  'gravado',
  'opgeslagen',
  'zapisany',
  'zapisano',
  'kaydedildi',
  'treinamento',
  'treino',
  'addestramento',
  'voltooid',
  'afgerond',
  'endlich',
  'finita',
  'finito',
  'finie',
  'eindig',
];

/** Which of some rules a line is to be searched by: bit n stands for rule n. A word too many costs time, one too few a finding. */
export type WordIndex = (text: string) => number;

/**
 * One pass over a line's letters looks each word up, so that the many lines without events cost little, however many rules there are
 * (at most 28).
 */
export function createWordIndex(rules: readonly EventRule[]): WordIndex {
  const table = new Int32Array(slots);
  const alsoTable = new Int32Array(slots);
  let single = errorWord | levelWord | otherWord;
  rules.forEach(({ words, also }, i) => {
    for (const word of words) table[slotOf(word)]! |= 1 << i;
    for (const word of also ?? []) alsoTable[slotOf(word)]! |= 1 << i;
    if (!also) single |= 1 << i;
  });
  for (const word of levels) table[slotOf(word)]! |= levelWord;
  for (const word of otherWords) table[slotOf(word)]! |= otherWord;

  return byOutline((text) => {
    const end = Math.min(text.length, longestSearched);
    let found = 0;
    let also = single;
    let hash = 0;
    let begin = 0;
    for (let i = 0; i <= end; i++) {
      const code = i < end ? text.charCodeAt(i) | 0x20 : 0;
      if (code >= 0x61 && code <= 0x7a) {
        if (hash === 0) begin = i;
        hash = (Math.imul(hash, 31) + code) | 0;
      } else {
        if (hash !== 0) {
          const slot = fold(hash);
          found |= table[slot]!;
          also |= alsoTable[slot]!;
          if (i - begin >= 5) found |= endOf(text, i);
          hash = 0;
        }
        // Not the glyphs of bars and frames.
        if (code >= 0xc0 && (code < 0x2000 || code >= 0x3000)) found |= otherWord;
      }
    }
    return found & also;
  });
}

/** Of a word that ends before `end`: whether it is a class of exceptions or warnings. */
function endOf(text: string, end: number): number {
  switch (text.charCodeAt(end - 1) | 0x20) {
    case 0x72: // r
      return (text.charCodeAt(end - 3) | 0x20) === 0x72 && (text.charCodeAt(end - 5) | 0x20) === 0x65 ? errorWord : 0;
    case 0x6e: // n
      return (text.charCodeAt(end - 4) | 0x20) === 0x74 && (text.charCodeAt(end - 5) | 0x20) === 0x70 ? errorWord : 0;
    case 0x74: // t
      return (text.charCodeAt(end - 3) | 0x20) === 0x75 || (text.charCodeAt(end - 3) | 0x20) === 0x78 ? errorWord : 0;
    case 0x67: // g
      return (text.charCodeAt(end - 6) | 0x20) === 0x61 && (text.charCodeAt(end - 7) | 0x20) === 0x77 ? levelWord : 0;
    default:
      return 0;
  }
}

function slotOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
  return fold(hash);
}

const fold = (hash: number) => (hash ^ (hash >>> 13)) & (slots - 1);
