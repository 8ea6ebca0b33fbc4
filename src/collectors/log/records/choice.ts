import type { FormatMemory, LogFormat } from '../formats/format.ts';
import { logFormats } from '../formats/registry.ts';
import type { ReaderOptions } from '../reader.ts';
import { byOutline } from '../outline.ts';
import { createAnchorIndex } from './anchors.ts';
import { headEnd } from './head.ts';

/** Which format a record of one log is in. */
export interface Choice {
  /** Undefined: none that is known. */
  of(text: string): LogFormat | undefined;
  /** Where its format's own text begins: behind a logger's head that it does not know of. */
  startOf(text: string): number;
  memoryOf(format: LogFormat): FormatMemory;
}

/** Tries what the user taught, then the format of the record before, then all that are known; a pinned one alone. */
export function createChoice({ pinned, taught = [] }: ReaderOptions): Choice {
  const isTried = ({ name }: LogFormat) => pinned === undefined || name === pinned;
  const own = taught.filter(isTried);
  const memories = new Map<string, FormatMemory>();
  let last: LogFormat | undefined;
  let newest: { readonly text: string; readonly found: Found | undefined } | undefined;

  const find = (text: string): Found | undefined => {
    for (const format of own) if (hasAnchor(text, format) && format.detect.test(text)) return { format, start: 0 };
    const candidates = candidatesFor(text);
    const again = last && candidates.includes(last) ? foundIn(text, last) : undefined;
    if (again) return again;
    for (const format of candidates) {
      const found = format === last || !isTried(format) ? undefined : foundIn(text, format);
      if (!found) continue;
      last = format;
      return found;
    }
    return undefined;
  };

  // A line is asked for as it comes, and when its record is read.
  const remember = (text: string): Found | undefined => {
    if (newest?.text !== text) newest = { text, found: find(text) };
    return newest.found;
  };

  return {
    of: (text) => remember(text)?.format,
    startOf: (text) => remember(text)?.start ?? 0,
    memoryOf({ name }) {
      const memory = memories.get(name) ?? new Map<string, unknown>();
      memories.set(name, memory);
      return memory;
    },
  };
}

const index = createAnchorIndex(logFormats);
const candidatesFor = byOutline((text) => index.candidates(text));

interface Found {
  readonly format: LogFormat;
  readonly start: number;
}

const hasAnchor = (text: string, { anchors }: LogFormat) =>
  anchors.length === 0 || anchors.some((anchor) => text.includes(anchor));

/** As it stands there, or behind the head of the user's own logger. */
function foundIn(text: string, format: LogFormat): Found | undefined {
  if (format.detect.test(text)) return { format, start: 0 };
  const bare = text.slice(headEnd(text)).trimStart();
  const start = text.length - bare.length;
  return start > 0 && format.detect.test(bare) ? { format, start } : undefined;
}
