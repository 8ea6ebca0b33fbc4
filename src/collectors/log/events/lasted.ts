import { scanTime } from '../values/scan-time.ts';
import { blankReading } from '../values/scan-value.ts';

const before =
  /(?:\b(?:in|after|took|time:?|nach|après|en|após|depois de|dopo|po|na|sonra|за|через|спустя)|(?:用时|耗时|历时|共|所要時間|소요시간)[:：]?)\s?(?=\d)/gi;
const reading = blankReading();

/** How long the training was, as the sentence of its end says it: `after 18min 2s`, `in 1:02:03`; undefined: it says none. */
export function lastedIn(text: string): number | undefined {
  for (const { 0: word, index } of text.matchAll(before))
    if (scanTime(text, index + word.length, reading)) return reading.seconds;
  return undefined;
}
