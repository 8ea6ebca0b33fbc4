import type { LogEvent, LogLine, LogValues } from '../../../model/samples.ts';
import type { EventMemory } from './rule.ts';
import { eventIn } from './rules.ts';
import { createValueEvents } from './value-events.ts';

/** A record as its lines, values and level are known: what an event is found by. */
export interface JoinedRecord {
  /** Its lines, clean and without launchers' prefixes; at least one. */
  readonly texts: readonly string[];
  readonly values?: LogValues | undefined;
  readonly rank?: number | undefined;
  readonly level?: LogLine['level'];
  /** Of a traceback: the line that follows it, which names the exception. */
  readonly next?: string | undefined;
  /** Its words tell of nothing by themselves: that is known. */
  readonly isCalm?: boolean;
}

/** Tells what the records of one log tell of beside their figures. What it remembers of the log is bounded. */
export interface EventDetector {
  /** Takes each record once, in their order. Never throws. */
  detect(record: JoinedRecord): LogEvent | undefined;
}

/** A longer record is one of figures. */
const mostLines = 40;

/** A detector at the beginning of a log. */
export function createEventDetector(): EventDetector {
  const memory: EventMemory = { afterTraceback: new Set() };
  const figures = createValueEvents();

  const inLines = (record: JoinedRecord): LogEvent | undefined => {
    const end = Math.min(record.texts.length, mostLines);
    for (let i = 0; i < end; i++) {
      const text = record.texts[i] ?? '';
      const found = eventIn({ text: text.length > 2000 ? text.slice(0, 2000) : text, record, memory });
      if (found) return found;
    }
    return undefined;
  };

  return {
    detect(record) {
      const wasAwaited = memory.afterTraceback.size > 0 && memory.afterTraceback.has(record.rank);
      const found = record.isCalm && memory.afterTraceback.size === 0 ? undefined : inLines(record);
      if (wasAwaited && found?.kind !== 'traceback') memory.afterTraceback.delete(record.rank);
      const figure = figures.find(record);
      // Of one matter its figures too: `eval_loss` beside the words of an evaluation.
      if (!found || found.kind !== figure?.kind) return found ?? figure;
      return { kind: found.kind, details: { ...figure.details, ...found.details } };
    },
  };
}
