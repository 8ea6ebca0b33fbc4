import type { LogField } from '../../../model/samples.ts';
import { meaningOfWords } from './name-rules.ts';
import { remember } from './remember.ts';
import { translate } from './tongues.ts';

/** What the value of a key is. */
export interface Meaning {
  /**
   * A field; `queue`, `wait`, `stage`: a part of one; `metric`: a number under its own key; `nothing`: no number that measures;
   * `rate`: told by its unit alone.
   */
  readonly as: LogField | 'queue' | 'wait' | 'stage' | 'metric' | 'nothing' | 'rate';
  /** Of two keys for one field in one record the higher counts (`reduced_train_loss` over the bar's rounded `loss`). */
  readonly rank: number;
  readonly scope?: 'gpu' | 'global';
  /** The unit of a bare number: of a time in powers of ten or seconds, of memory in bytes, of a share in percent. */
  readonly unit?: KeyUnit;
  /** Of a queue or a stage: its name without what is said of it. */
  readonly name?: string;
  readonly part?: Part;
  /** Alone on a line it says nothing: as often it is a setting. */
  readonly weak?: true;
}

/** Which of a queue's or a stage's numbers. */
export type Part = 'depth' | 'capacity' | 'low' | 'high' | 'wait' | 'average' | 'maximum' | 'count';

/** `factor` times a bare number is in seconds, bytes or percent; `power` where it is one of ten. */
export interface KeyUnit {
  readonly factor: number;
  readonly power?: number;
}

/** What a key means, in any spelling, by its words; undefined: it is not known. */
export const meaningOf = remember((key): Meaning | undefined =>
  key.length > 120 ? undefined : meaningOfWords(wordsOf(key), key),
);

/** A key's words in lower case and in English: `train/CE loss`, `train_ce-loss` and `TrainCELoss` are one name. */
function wordsOf(key: string): readonly string[] {
  const parted = key
    // `mem (GiB)`: one word.
    .replace(/([KMGT])iB(?![a-z])/g, '$1IB')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z]{2,})/g, '$1 $2')
    .replace(/['’]s\b/g, '')
    .toLowerCase()
    .replace(/%?\bmfu%?/, (word) => (word === 'mfu' ? word : 'mfu %'))
    .replace(/[_\-/.()[\]:#|"’]+/g, ' ')
    .trim();
  return translate(parted).split(/\s+/).filter(Boolean);
}
