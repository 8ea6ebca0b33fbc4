import { readFamily } from './records/bar-shapes.ts';
import { readDrawn } from './records/drawn-bar.ts';
import { remember } from './values/remember.ts';
import { readDuration, readNumber } from './numbers.ts';
import { lookup } from './lookup.ts';

/** A progress bar, whoever draws it. */
export interface Bar {
  /** The library that draws it so. */
  readonly format: 'tqdm' | 'rich' | 'keras' | 'alive_progress' | 'indicatif' | 'progressbar' | 'bar';
  readonly description: string;
  readonly done: number;
  readonly total?: number;
  /** As printed: one of the two. */
  readonly secondsPerItem?: number;
  readonly itemsPerSecond?: number;
  /** What is counted: `it`, `step`, `tok`; absent: the bar does not say. */
  readonly unit?: string;
  readonly elapsedSeconds?: number;
  readonly etaSeconds?: number;
  /** What the bar shows after its rate: `loss=2.81, lr=0.0001`. */
  readonly postfix: string;
  /** Text that follows the bar on its line: a bar has no line end of its own. */
  readonly rest: string;
}

/** The bar that a line begins with, if it does. */
export function readBar(text: string): Bar | undefined {
  const found = readFamily(text) ?? readDrawn(text);
  if (!found) return undefined;
  const { format, description, done, total, rate, elapsed, eta, postfix = '', rest = '' } = found;
  const elapsedSeconds = duration(elapsed);
  const etaSeconds = duration(eta);
  const bar: Writable<Bar> = {
    format,
    description: description === '' ? '' : description.replace(/[:\s]+$/, '').trim(),
    done: readNumber(done),
    postfix: postfix.trim(),
    rest,
  };
  if (total !== undefined) bar.total = readNumber(total);
  if (rate !== undefined) readRate(rate.trim(), bar);
  if (elapsedSeconds !== undefined) bar.elapsedSeconds = elapsedSeconds;
  if (etaSeconds !== undefined) bar.etaSeconds = etaSeconds;
  return bar;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The bar of the training loop, going by its words: `Map`, `Validation` and `Loading checkpoint shards` are others. */
export function isTraining({ description, postfix, unit }: Bar): boolean {
  // mmcv draws its evaluations so.
  if (unit === 'task' || isData(unit)) return false;
  const told = description === '' ? true : tellsTraining(description);
  return told ?? /(?:^|[\s,/_])loss\s?[=:]/i.test(postfix);
}

/** Undefined: it does not say. */
const tellsTraining = remember((description): boolean | undefined => {
  if (other.test(description)) return false;
  if (epochRow.test(description)) return true;
  const words = description.replace(/[^\p{L}]+/gu, ' ').trim();
  const isTold =
    words === '' || training.test(words) || /\btrain(?:ing)?\b/i.test(words) || /\bloss\b/i.test(description);
  return isTold || undefined;
});

/** The bar of an evaluation, as far as its words say. */
export const isEvaluation = ({ description, unit }: Bar): boolean =>
  !isData(unit) &&
  (description === '' || unit === 'task' || /\bval(?:id)?|\beval|\btest|\bsanity\b|\bpredict/i.test(description));

/** What is loaded: `pip install` draws so, and says when it is there. */
const isData = (unit = '') => /^(?:[kKMGT]?i)?B$|^bytes?$|^files?$/i.test(unit);

/** It counts the steps of one epoch. */
export const isOfEpoch = ({ description, format }: Bar): boolean =>
  format === 'keras' || /\bepoch|^ep\b/i.test(description) || epochRow.test(description);

/** Ultralytics' row: `70/1000  6.74G  1.082  0.4707`. */
const epochRow = /^\d+\/\d+\s+[\d.]+[GMK]?\s+[\d.]+\s/;
const other =
  /\bval(?:id(?:at\w*)?)?\b|\beval\w*|\btest\w*|\bsanity\b|\bpredict\w*|\bload\w*|\bdownload\w*|\bmap\b|\btokeniz\w*|\bgenerating\b|\bfilter\w*|\bpreproc\w*|\bprepar\w*|\bsav\w*|\bcopy\w*|\bpack\w*|\bupload\w*|\bextract\w*|\bcach\w*|\bwarm\s?up\b|\bcaptur\w*|\bfetch\w*|\bpars\w*|\breading\b|\bcompil\w*|\bbuild\w*|\brollout|\bgenerat\w*|\binference\b|\bprocess\w*|\bconvert\w*|\bgroup\w*|\bshard\w*/i;
const training =
  /^(?:(?:the )?(?:train\w*|steps?|epochs?|ep|iter(?:ation)?s?|batch(?:es)?|fit(?:ting)?|fine ?tun\w*|progress|optim\w*|update\w*|global step|loop)\s?)+$/i;

const rateForm = /^~?\s?([-+]?[\d.,]+(?:[eE][-+]?\d+)?)\s?([kKMGT](?=[A-Za-z]*\/))?\s?([A-Za-zµ]*)\s?\/\s?([A-Za-z]+)$/;

/** `3.34s/it`, `27.7it/s`, `33.1step/s`, `6.77Mit/s`, `34.1/s`; the first frame's `?it/s` is no rate. */
function readRate(text: string, bar: Writable<Bar>): void {
  const [, amount, power = '', unit = '', per = ''] = rateForm.exec(text) ?? [];
  if (amount === undefined) return;
  const value = readNumber(amount + power);
  if (per === 's' || per === 'sec') {
    bar.itemsPerSecond = value;
    if (unit !== '') bar.unit = unit;
    return;
  }
  const scale = scales[unit];
  if (scale === undefined) return;
  bar.secondsPerItem = value / scale;
  bar.unit = per;
}

const scales = lookup<number>({ s: 1, sec: 1, ms: 1e3, us: 1e6, µs: 1e6 });

const duration = (text: string | undefined) => (text === undefined ? undefined : readDuration(text.trim()));
