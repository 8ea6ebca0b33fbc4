import type { FormatMemory, LogFormat } from '../formats/format.ts';
import { logFormats } from '../formats/registry.ts';
import type { ReaderOptions } from '../reader.ts';
import { createAnchorIndex } from './anchors.ts';

/** Which format a record of one log is in. */
export interface Choice {
  /** Undefined: none that is known. */
  of(text: string): LogFormat | undefined;
  memoryOf(format: LogFormat): FormatMemory;
}

/** Tries what the user taught, then the format of the record before, then all that are known; a pinned one alone. */
export function createChoice({ pinned, taught = [] }: ReaderOptions): Choice {
  const all = [...taught, ...logFormats];
  const tried = pinned === undefined ? all : all.filter(({ name }) => name === pinned);
  const memories = new Map<string, FormatMemory>();
  const known = createAnchorIndex(tried.filter((format) => !taught.includes(format)));
  const own = tried.filter((format) => taught.includes(format));
  let last: LogFormat | undefined;
  let newest: { readonly text: string; readonly format: LogFormat | undefined } | undefined;

  const find = (text: string): LogFormat | undefined => {
    const taughtOne = own.find((format) => isIn(text, format));
    if (taughtOne || (last && isIn(text, last))) return taughtOne ?? last;
    for (const format of known.candidates(text)) {
      if (format !== last && format.detect.test(text)) return (last = format);
    }
    return undefined;
  };

  return {
    of(text) {
      // A line is asked for as it comes, and when its record is read.
      if (newest?.text === text) return newest.format;
      const format = find(text);
      newest = { text, format };
      return format;
    },
    memoryOf({ name }) {
      const memory = memories.get(name) ?? new Map<string, unknown>();
      memories.set(name, memory);
      return memory;
    },
  };
}

function isIn(text: string, { anchors, detect }: LogFormat): boolean {
  for (const anchor of anchors) if (text.includes(anchor)) return detect.test(text);
  return anchors.length === 0 && detect.test(text);
}
