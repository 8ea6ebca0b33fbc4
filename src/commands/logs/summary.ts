import type { LogRecord } from '../../collectors/log/reader.ts';
import type { NumberedPiece } from './pieces.ts';
import { recordJson } from './record-json.ts';

/** Counts what a log said. */
export interface Summary {
  /** A record that said something; `left`: numbers of it that were not read. */
  told(record: LogRecord<NumberedPiece>, left: number): void;
  silent(reason: string): void;
  text(): string;
}

/** Keys of `metrics` that are named. */
const mostMetrics = 12;
/** What a log says may have a new name in each line. */
const mostNames = 1000;

/** Nothing is counted yet. */
export function createSummary(): Summary {
  const formats = new Map<string, { records: number; left: number; readonly fields: Map<string, number> }>();
  const reasons = new Map<string, number>();
  const events = new Map<string, number>();
  const up = (counts: Map<string, number>, key: string) => {
    if (counts.has(key) || counts.size < mostNames) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  return {
    told(record, left) {
      if (record.event) up(events, record.event.kind);
      if (!record.values) return;
      const name = record.format ?? 'generic';
      const counts = formats.get(name) ?? { records: 0, left: 0, fields: new Map<string, number>() };
      formats.set(name, counts);
      counts.records++;
      if (left > 0) counts.left++;
      for (const field of fieldsOf(record)) up(counts.fields, field);
    },
    silent: (reason) => up(reasons, reason),
    text() {
      const rows = [...formats].flatMap(([name, { records, left, fields }]) => [
        `${name}: ${count(records, 'record')}${left > 0 ? `, ${left} with numbers that were not read` : ''}`,
        `  ${listed(fields, 40)}`,
      ]);
      const silent = [...reasons.values()].reduce((sum, number) => sum + number, 0);
      const unread = [...reasons].map(([reason, number]) => `  ${number}: ${reason}`);
      return [
        '',
        ...(rows.length > 0 ? rows : ['Nothing was read.']),
        ...(events.size > 0 ? [`events: ${listed(events, 40)}`] : []),
        ...(silent > 0 ? [`not read: ${count(silent, 'record')}`, ...unread] : []),
        '',
      ].join('\n');
    },
  };
}

function fieldsOf(record: LogRecord<NumberedPiece>): readonly string[] {
  const { line: _, format: __, event: ___, repeats: ____, ...json } = recordJson(record) as Record<string, unknown>;
  return Object.entries(json).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return [key];
    const names = Object.keys(value);
    const short = key === 'metrics' ? names.slice(0, mostMetrics) : names;
    return short.map((name) => `${key}.${name}`);
  });
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

function listed(counts: ReadonlyMap<string, number>, most: number): string {
  const all = [...counts].map(([name, number]) => `${name} ${number}`);
  return all.length > most ? `${all.slice(0, most).join(', ')}, and ${all.length - most} more` : all.join(', ');
}
