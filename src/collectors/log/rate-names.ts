import { meaningOf } from './names.ts';
import { numberPattern } from './numbers.ts';

const rate = String.raw`(?:(?:tok|tokens?|samples?|seqs?|imgs?|images?|it|iter|steps?|batch(?:es)?)/s(?:ec(?:ond)?)?|s(?:ec)?/(?:it|iter|step|batch))`;
const rateForm = new RegExp(`^${rate}$`, 'i');
/** Names are bounded: else a line of `a(a(a(` is read to its end from each of them. */
const pattern = new RegExp(
  String.raw`(?<![\w.'"/-])((?:[A-Za-z][\w./()-]{0,80}[ ])?[A-Za-z][\w./-]{0,80})(?:\s?[=:]\s*|\s+)${numberPattern}(?=\s+${rate}(\s*:\s*|\s+)${numberPattern})`,
  'gi',
);
/** Whether a word is a rate: a unit, or the name of one. */
export const isRate = (word: string): boolean => rateForm.test(word);

/** These may have such a unit themselves: `tps 900 tok/s`. */
const rated: readonly string[] = ['tokensPerSecond', 'samplesPerSecond', 'stepSeconds'];

/**
 * Parts what would be read as a number with its unit and is two things: in `lr 3.0e-4 tok/s 10015` and in `loss: 2.1 tok/s: 10015` the
 * rate is the name of what follows. (`loss 2.1 950 tok/s 45 ms`: here it is a unit.)
 */
export function partRateNames(field: string): string {
  if (!field.includes('/s') && !/s(?:ec)?\/[ibs]/.test(field)) return field;
  let partedUntil = -1;
  return field.replace(pattern, (whole: string, key: string, separator: string, at: number) => {
    const last = key.slice(key.indexOf(' ') + 1);
    if (!separator.includes(':') && !isNamed(key, last)) return whole;
    partedUntil = at + whole.length;
    return `${whole},`;

    function isNamed(name: string, word: string): boolean {
      // A rate that is a name itself: it stands first, or behind what was parted.
      if (isRate(word)) return partedUntil >= 0 || /^[\s\W]*$/.test(field.slice(0, at));
      const meaning = meaningOf(name) ?? meaningOf(word);
      return meaning !== undefined && !rated.includes(meaning.field);
    }
  });
}
