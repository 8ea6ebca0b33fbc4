import type { LogEvent } from '../../../model/samples.ts';
import { collectiveRules } from './collective-rules.ts';
import { courseRules } from './course-rules.ts';
import { deviceRules } from './device-rules.ts';
import { exceptionIn, exceptionRules, tracebackRule } from './exception-rules.ts';
import { exitRules } from './exit-rules.ts';
import { inOtherLanguages } from './languages.ts';
import { memoryRules } from './memory-rules.ts';
import { causeIn, messageIn, namedEvent, nameRule, withKeys } from './message.ts';
import { numberRules } from './number-rules.ts';
import type { EventLine, EventMemory, EventRule } from './rule.ts';
import { createWordIndex, errorWord, otherWord } from './words.ts';

/** Where two rules find something in one line, the first tells it. */
const failures: readonly EventRule[] = [
  tracebackRule,
  ...memoryRules,
  ...collectiveRules,
  ...deviceRules,
  ...exceptionRules,
  ...exitRules,
  ...numberRules,
];
const rules: readonly EventRule[] = [...failures, ...courseRules, nameRule];

/** Which rules a line is to be searched by, and the words of its level. */
export const wordsOf = createWordIndex(rules);

/** What a line tells of. */
export function eventIn(line: EventLine): LogEvent | undefined {
  const words = wordsOf(line.text);
  if (words === 0 && line.memory.afterTraceback.size === 0) return undefined;
  const message = messageIn(line.text);
  if (message === undefined) return inWords(line, words);
  // Keys and values beside the message are no words of it.
  const cause = ofCause(line);
  const isMemory = cause?.kind === 'cuda_oom' || cause?.kind === 'host_oom';
  const found = namedEvent(message) ?? (isMemory ? cause : (inWords({ ...line, text: message }, words) ?? cause));
  return found && withKeys(found, line.text);
}

/** A line that tells of nothing by itself, and from which nothing is kept. */
export function isCalm(text: string): boolean {
  const memory: EventMemory = { afterTraceback: new Set() };
  const event = eventIn({ text, record: { texts: [text] }, memory });
  return event === undefined && memory.afterTraceback.size === 0 && memory.summaryRank === undefined;
}

function ofCause({ text }: EventLine): LogEvent | undefined {
  const cause = causeIn(text);
  return cause === undefined ? undefined : failureIn(cause);
}

function inWords(line: EventLine, words: number): LogEvent | undefined {
  return (
    first(line, words & ((1 << rules.length) - 1)) ??
    (words & errorWord || line.memory.afterTraceback.size > 0 ? exceptionIn(line) : undefined) ??
    (words & otherWord ? inOtherLanguages(line.text) : undefined)
  );
}

/** The failure that a line alone tells of: for its level. */
export function failureIn(text: string): LogEvent | undefined {
  const words = wordsOf(text);
  const bits = words & ((1 << failures.length) - 1);
  if (bits === 0 && (words & errorWord) === 0) return undefined;
  const line: EventLine = { text, record: { texts: [text] }, memory: { afterTraceback: new Set() } };
  return first(line, bits) ?? (words & errorWord ? exceptionIn(line) : undefined);
}

function first(line: EventLine, words: number): LogEvent | undefined {
  let bits = words;
  for (let i = 0; bits !== 0; i++, bits >>>= 1) {
    const found = bits & 1 ? rules[i]?.find(line) : undefined;
    if (found) return found;
  }
  return undefined;
}
