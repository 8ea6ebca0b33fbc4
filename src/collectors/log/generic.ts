import type { LogValues } from '../../model/samples.ts';
import { createDraft, type Draft } from './draft.ts';
import { createReader } from './values/listen.ts';
import type { Marks } from './values/scan-number.ts';
import { createScanner } from './values/scan.ts';
import { createTableReader } from './values/table.ts';
import type { KeyRules } from './values/rules.ts';

/** Reads the values of any trainer's records. Never throws. */
export interface GenericReader {
  readonly format: 'generic';
  /** `text` is safe text without launchers' prefixes. Undefined: the line says nothing. */
  read(text: string, rules?: KeyRules): LogValues | undefined;
  /** As `read`, but into a draft: of what a format has left over. */
  readInto(text: string, draft: Draft, rules?: KeyRules): void;
  /** As `read` of a line that is known to say nothing: it may name the columns of those below. */
  nothing(text: string): void;
  /** Nothing that it remembers of the lines before changes what it reads in the next one. */
  readonly isFresh: boolean;
  /** How it takes numbers to be written. */
  readonly marks: Marks;
}

const wrapped = /"(?:message|msg|log|text)"\s*:\s*"((?:[^"\\]|\\.){3,4000})"/;

/** Of an object that a logger wrote: the line in it, where that has figures. */
function messageOf(text: string): string | undefined {
  if (text.charCodeAt(0) !== 123) return undefined;
  const message = wrapped.exec(text)?.[1];
  return message !== undefined && /[=:\s][-+]?\d/.test(message) ? message.replace(/\\["\\/nt]/g, ' ') : undefined;
}

/**
 * The reader for any trainer, from left to right and by meaning: `key=value`, `key: value`, `key value`, values by their unit, Python dicts and
 * JSON, queues and stages of any shape, in several languages. It remembers of a log how it writes its numbers.
 */
export function createGenericReader(): GenericReader {
  const scanner = createScanner();
  const readInto = createReader(scanner.scan);
  const table = createTableReader();
  return {
    format: 'generic',
    nothing: table.header,
    get marks() {
      return scanner.marks;
    },
    get isFresh() {
      return !table.open && scanner.marks === 'point';
    },
    read(text, rules) {
      const draft = createDraft();
      if (rules) draft.metrics();
      else if (table.open && table.row(text, draft)) return draft.finish();
      readInto(text, draft, rules);
      const message = messageOf(text);
      if (message !== undefined) readInto(message, draft, rules);
      const values = draft.finish();
      if (!values && !rules) table.header(text);
      return values;
    },
    readInto(text, draft, rules) {
      draft.metrics();
      readInto(text, draft, rules);
    },
  };
}
