import type { LogRecord } from '../../collectors/log/reader.ts';
import type { NumberedPiece } from './pieces.ts';
import { recordJson } from './record-json.ts';

/** What a record says, in the words of `--json`: `step 14, loss 3.24, queue q_hs low 9 high 10, stage fwd averageSeconds 0.088`. */
export function sayRecord(record: LogRecord<NumberedPiece>): string {
  const { line: _, format: __, ...json } = recordJson(record) as Readonly<Record<string, unknown>>;
  return Object.entries(json).flatMap(sayEntry).join(', ');
}

const names: Readonly<Record<string, string>> = { queues: 'queue ', stages: 'stage ', metrics: '' };

function sayEntry([key, value]: readonly [string, unknown]): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${key} ${String(value)}`];
  if (key === 'event') {
    const { kind, ...details } = value as Readonly<Record<string, unknown>>;
    const more = Object.entries(details).map(([name, detail]) => `${name} ${String(detail)}`);
    return [`event ${String(kind)}${more.length > 0 ? ` (${more.join(', ')})` : ''}`];
  }
  return Object.entries(value).map(([name, each]) => {
    const said = typeof each === 'object' && each !== null ? Object.entries(each).flat().join(' ') : String(each);
    return `${names[key] ?? `${key} `}${name} ${said}`;
  });
}
