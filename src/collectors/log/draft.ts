import type { LogField, LogValues, QueueReading, StageReading } from '../../model/samples.ts';
import { isQueueName } from './names.ts';

/** Collects what one line says until all of it is read. */
export interface Draft {
  /** Of several values for one field the one with the highest rank stays, of equals the first. */
  set(field: LogField, value: number, rank: number, scope?: 'gpu' | 'global'): void;
  /** `surely`: it is one whatever its name, as a format or the user says. */
  queue(reading: QueueReading, surely?: 'surely'): void;
  stage(reading: StageReading): void;
  other(key: string, value: number): void;
  /** Read at the end, if the line turned out to be a line of metrics. */
  later(fn: () => void): void;
  /** The line is one of metrics, whatever its keys. */
  metrics(): void;
  /** Nothing on this line is about the training loop. */
  quiet(): void;
  finish(): LogValues | undefined;
}

const mostOthers = 60;

/** A new Draft. A line about a validation says nothing of the training: its values go to `other` under `val_` names. */
export function createDraft(validation: boolean): Draft {
  const fields = new Map<LogField, { value: number; rank: number; scope: 'gpu' | 'global' | undefined }>();
  const queues: QueueReading[] = [];
  const stages: StageReading[] = [];
  const others = new Map<string, number>();
  const postponed: (() => void)[] = [];
  let metrics = false;
  let silent = validation;

  return {
    set(field, value, rank, scope) {
      const before = fields.get(field);
      if (!before || before.rank < rank) fields.set(field, { value, rank, scope });
    },
    queue(reading, surely) {
      if (surely || isQueueName(reading.name) || reading.low !== undefined || reading.capacity !== undefined)
        queues.push(reading);
    },
    stage: (reading) => void stages.push(reading),
    other(key, value) {
      if (others.size < mostOthers && key.length <= 80) others.set(key, value);
    },
    later: (fn) => void postponed.push(fn),
    metrics: () => void (metrics = true),
    quiet: () => void (silent = true),
    finish() {
      if (fields.size > 0 || metrics) for (const fn of postponed) fn();
      if (fields.size + queues.length + stages.length === 0 && (!metrics || others.size === 0)) return undefined;
      if (silent) {
        for (const [field, { value }] of fields) others.set(`val_${field}`, value);
        return { other: Object.fromEntries(others) };
      }
      const scope = fields.get('tokensPerSecond')?.scope;
      const values: Partial<Record<LogField, number>> = {};
      for (const [field, { value }] of fields) values[field] = value;
      return {
        ...values,
        ...(scope && { tokensPerSecondScope: scope }),
        ...(queues.length > 0 && { queues }),
        ...(stages.length > 0 && { stages }),
        ...(others.size > 0 && { other: Object.fromEntries(others) }),
      };
    },
  };
}
