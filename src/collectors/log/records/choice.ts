import type { FormatMemory, LogFormat } from '../formats/format.ts';
import { logFormats } from '../formats/registry.ts';
import type { ReaderOptions } from '../reader.ts';

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
  let last: LogFormat | undefined;
  return {
    of(text) {
      for (const format of taught) if (isIn(text, format) && tried.includes(format)) return format;
      if (last && isIn(text, last)) return last;
      const found = tried.find((format) => format !== last && isIn(text, format));
      if (found) last = found;
      return found;
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
