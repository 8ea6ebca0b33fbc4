import { find, words, type Line } from './line.ts';
import type { Meaning } from './names.ts';
import { remember } from './remember.ts';
import type { Phrase } from './listener.ts';
import type { Reading } from './scan-value.ts';
import { secondsOf, take, takeStage } from './take.ts';

const statistic =
  /^(?:avg|average|mean|max|maximum|min|minimum|n|count|calls|std|med|median|p\d\d|cap|capacity|depth|size|len|low|high|cur|current|wait|waited|peak|reserved|allocated|alloc|used|active)$/i;
const isStatistic = remember((word) => statistic.test(word));
const plainly = /^(?:avg|average|mean|max|maximum|n|count|calls|p\d\d)$/i;

/** Reads what is said of the thing that was named before: `fwd avg=5.08ms max=7.9ms n=587`. False: it is none of these. */
export function takeStatistic(line: Line, phrase: Phrase, reading: Reading): boolean {
  const last = words(phrase, phrase.count - 1);
  if (!isStatistic(last) || line.rules?.has(last)) return false;
  if (phrase.count > 1 && !isOwn(line, phrase, last)) return false;
  const { subject, draft, place } = line;
  if (/^(?:peak|reserved|allocated|alloc|used|active)$/i.test(last)) {
    const memory = line.memory && phrase.count === 1 ? find(line, `mem ${last}`) : undefined;
    return memory !== undefined && take(last, memory, reading, place);
  }
  if (subject === '') return false;
  const known = find(line, subject);
  if (known?.as === 'queue' || (!known && line.queued)) {
    // `queue=3 wait=1.8s` are two things, `queue: 3, wait: 1.8s` and `queue act depth=3 cap=8 wait=1.8s` are one.
    if (/^wait/i.test(last)) {
      if (phrase.tie === 61 && line.owner !== subject) return false;
      const seconds = secondsOf(reading, undefined);
      if (seconds !== undefined) draft.queue({ name: known?.name ?? subject, waitSeconds: seconds });
      return seconds !== undefined;
    }
    const joined = find(line, known ? `${subject}_${last}` : `queue_${last}`);
    if (joined?.as !== 'queue' || !take(subject, { ...joined, name: known?.name ?? subject }, reading, place))
      return false;
    line.owner = subject;
    return true;
  }
  if (/^wait/i.test(last)) return false;
  // A wait with a mean and a maximum is timed as a stage is: `step.allreduce_wait avg=14.7ms max=19.3ms`.
  if (!known || known.as === 'stage' || known.as === 'wait') {
    const part = partOf(last);
    // `fwd 120.5ms (max 240.1)`
    const unit = known?.unit ?? line.timers ?? line.unit;
    if (part && (part === 'count' ? draft.telling : reading.unit?.of === 'time' || unit))
      return takeStage(
        (known?.as === 'stage' ? known.name : undefined) ?? subject,
        { part, ...(unit && { unit }) },
        reading,
        draft,
      );
  }
  if (known && known.as !== 'nothing' && /^cur/i.test(last)) return take(subject, known, reading, place);
  if (!/^(?:avg|average|mean|max|maximum|min|minimum|std|med|median|p\d\d)$/i.test(last)) return false;
  if (reading.kind === 'number') draft.other(`${subject}_${last}`, reading.first.value);
  return true;
}

/** `queue=loader depth=7 wait_ms=12.5` */
export function takeWait({ subject, draft }: Line, name: string, { unit }: Meaning, reading: Reading): boolean {
  const seconds = /^wait/i.test(name) ? secondsOf(reading, unit) : undefined;
  if (seconds !== undefined) draft.queue({ name: subject, waitSeconds: seconds });
  return seconds !== undefined;
}

/** `fwd 120.5ms x12`: how often. */
export function takeCalls({ unit, subject, draft }: Line, word: string): boolean {
  if (!unit || subject === '' || !/^x\d{1,9}$/i.test(word)) return false;
  draft.stage({ name: subject, count: Number(word.slice(1)) });
  return true;
}

/** `drafter.backward avg=5.08ms`: the words before are the thing; `batch size: 8`, `grad norm max: 3` are keys of their own. */
function isOwn(line: Line, phrase: Phrase, last: string): boolean {
  if (find(line, words(phrase, 0))) return false;
  const before = words(phrase, 0, phrase.count - 1);
  const of = find(line, before)?.as;
  if (of !== 'queue' && of !== 'stage' && (phrase.tie === 58 || !plainly.test(last))) return false;
  line.subject = before;
  return true;
}

function partOf(word: string): 'average' | 'maximum' | 'count' | undefined {
  if (/^max/i.test(word)) return 'maximum';
  if (/^(?:n|count|calls)$/i.test(word)) return 'count';
  return /^(?:avg|average|mean)$/i.test(word) ? 'average' : undefined;
}
