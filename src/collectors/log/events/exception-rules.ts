import { headEnd } from '../records/head.ts';
import { told, type EventLine, type EventRule } from './rule.ts';

/** Names and places that are metrics elsewhere: `train - ERROR - `, `ERROR:root:`, `__main__:main:12 - `. */
const restOfHead =
  /^(?:[\w.]+ - (?:ERROR|CRITICAL|FATAL) - |(?:ERROR|CRITICAL|FATAL):(?:[\w.]+:(?! ))?\s*)?(?:[\w.]+:[\w<>]+:\d+ - )?/;
const saysError = /\b(?:ERROR|CRITICAL|FATAL|EXCEPTION|error|critical)\b|^\[?[EF]\d/;
const longestMessage = 300;

/** `torch.OutOfMemoryError: CUDA out of memory`, as Python ends a traceback; `RayTaskError(ValueError): ...` */
const raised = /^((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:\([\w.]+\))?)(?:: ?(.*))?$/;
const errorName = /(?:Error|Exception|Interrupt|SystemExit|Exit)(?:\([\w.]+\))?$/;
/** Classes whose message may be a bare number. */
const numberedName = /^(?:KeyError|IndexError|SystemExit|StopIteration|AssertionError|OSError)$/;

/** A whole traceback. */
export const tracebackRule: EventRule = {
  words: ['traceback'],
  find({ text, record, memory }) {
    if (!/\bTraceback \(most recent call last\):?\s*$/.test(text)) return undefined;
    if (memory.afterTraceback.size < 1024) memory.afterTraceback.add(record.rank);
    // A group's own line stands within its frame: `  | ExceptionGroup: several (2 sub-exceptions)`.
    const group = record.texts.find((line) => /^\s+\| (?:\w+\.)*\w*Group: /.test(line));
    const [, exception, message] = raised.exec((group ?? record.next ?? '').replace(/^[\s|+]+/, '')) ?? [];
    const lines = record.texts.length - record.texts.indexOf(text);
    return told('traceback', { exception, message: shortMessage(message), lines });
  },
};

/** Exceptions that have a kind of their own, or are not Python's. */
export const exceptionRules: readonly EventRule[] = [
  {
    words: ['childfailederror'],
    find({ text }) {
      const match = /(?:^|\s)((?:\w+\.)*ChildFailedError):/.exec(text);
      return match ? told('torchrun_child_failed', { exception: match[1] }) : undefined;
    },
  },
  {
    // The others of these words are classes that the rules before know.
    words: ['terminate', 'fatal'],
    find({ text }) {
      const thrown = /^terminate called (?:after throwing an instance of '([^']+)'|without an active exception)/.exec(
        text,
      );
      if (thrown) return told('exception', { exception: thrown[1] });
      const fatal = /^Fatal Python error: (.+)$/.exec(text);
      return fatal
        ? told('exception', { exception: 'Fatal Python error', message: shortMessage(fatal[1]) })
        : undefined;
    },
  },
];

/** An exception's own line. It is looked for by its place and not by words: any class may end a traceback. */
export function exceptionIn({ text, record, memory }: EventLine): ReturnType<EventRule['find']> {
  const isAwaited = memory.afterTraceback.has(record.rank);
  const head = isAwaited ? 0 : headLength(text);
  if (head > 0 && !saysError.test(text.slice(0, head))) return undefined;
  const body = head > 0 ? text.slice(head) : text;
  const match = raised.exec(body);
  if (!match) return undefined;
  const [, exception = '', message = ''] = match;
  if (!isAwaited && (!errorName.test(exception) || !isClass(exception) || isReading(exception, message)))
    return undefined;
  if (isAwaited && !isClass(exception)) return undefined;
  return told('exception', { exception, message: shortMessage(message), hint: hintOf(message) });
}

/** What a logger writes before its message. */
function headLength(text: string): number {
  const head = headEnd(text);
  return head + (restOfHead.exec(text.slice(head))?.[0].length ?? 0);
}

/** A name of a class: a capital in its last part. `Error: 3 of 10 files` is no exception of Python. */
function isClass(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.', name.indexOf('(') < 0 ? undefined : name.indexOf('(')) + 1);
  return /^_?[A-Z]/.test(last) && !/^(?:Error|Exception|Exit)$/.test(name);
}

/** `MeanSquaredError: 0.0123` is a measure, `KeyError: 3` is none. */
function isReading(name: string, message: string): boolean {
  return /^[-+]?[\d.,]+(?:e[-+]?\d+)?\s?%?(?:\s*[,|;]|$)/i.test(message.trim()) && !numberedName.test(name);
}

/** What is known to be behind a message that does not say it itself. */
function hintOf(message: string): string | undefined {
  if (/killed by signal: Killed\b/.test(message)) return 'host OOM killer';
  if (
    /killed by signal: Bus error\b|\bout of shared memory\b|\bunable to (?:open|allocate|mmap) shared memory\b/i.test(
      message,
    )
  )
    return 'shared memory is full';
  if (/No space left on device/.test(message)) return 'disk full';
  return undefined;
}

function shortMessage(message: string | undefined): string | undefined {
  const text = message?.trim();
  return text === undefined || text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`;
}
