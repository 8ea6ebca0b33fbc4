import { safeText } from '../../model/text.ts';
import { readFault, readNumber, readReasons, readTimestamp, readWord } from './cells.ts';
import type { Column, FieldId } from './fields.ts';

/** One GPU's row of a round. */
export interface GpuRow {
  readonly index: number;
  readonly uuid?: string;
  readonly name: string | null;
  /** Epoch milliseconds of the host's clock. */
  readonly hostTime?: number;
  readonly numbers: ReadonlyMap<FieldId, number | null>;
  readonly words: ReadonlyMap<FieldId, string | null>;
  readonly reasons: readonly string[] | null;
  readonly fault: string | null;
}

const mebibyte = 1024 * 1024;
const wordFields: ReadonlySet<FieldId> = new Set(['pstate', 'mig', 'persistence']);
const identity: ReadonlySet<FieldId> = new Set(['timestamp', 'index', 'uuid', 'name']);

/** Reads one row by position: headers change with the driver. Undefined when it is no row of this query. */
export function readGpuRow(line: string, columns: readonly Column[], utcOffsetMinutes: number): GpuRow | undefined {
  const cells = splitCells(line, columns.length);
  if (!cells) return undefined;
  const cell = (id: FieldId) => cells[columns.findIndex((column) => column.id === id)] ?? '';
  const index = /^\d{1,3}$/.test(cell('index')) ? Number(cell('index')) : undefined;
  if (index === undefined) return undefined;
  const numbers = new Map<FieldId, number | null>();
  const words = new Map<FieldId, string | null>();
  for (const { id } of columns) {
    if (wordFields.has(id)) words.set(id, readSafeWord(cell(id)));
    else if (id === 'memoryUsedBytes' || id === 'memoryTotalBytes') {
      const mebibytes = readNumber(cell(id));
      numbers.set(id, mebibytes === null ? null : mebibytes * mebibyte);
    } else if (!identity.has(id) && id !== 'throttleReasons' && id !== 'recovery')
      numbers.set(id, readNumber(cell(id)));
  }
  const uuid = readSafeWord(cell('uuid'));
  const hostTime = readTimestamp(cell('timestamp'), utcOffsetMinutes);
  return {
    index,
    ...(uuid !== null && { uuid }),
    name: readSafeWord(cell('name')),
    ...(hostTime !== null && { hostTime }),
    numbers,
    words,
    reasons: readReasons(cell('throttleReasons')),
    fault: readFaults(cells, cell('recovery')),
  };
}

/** The cells of a row whose last one may hold the separator: nvidia-smi quotes nothing. */
export function splitCells(line: string, count: number): readonly string[] | undefined {
  const parts = line.split(', ');
  if (parts.length < count) return undefined;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(', ')].map((cell) => cell.trim());
}

function readSafeWord(cell: string): string | null {
  const word = readWord(cell);
  return word === null ? null : safeText(word);
}

/** Every different fault of the row, and what the driver recommends (`gpu_recovery_action`), or null. */
function readFaults(cells: readonly string[], recovery: string): string | null {
  const faults = new Set(cells.flatMap((cell) => readFault(cell) ?? []));
  const action = readWord(recovery);
  if (action !== null && !/^none$/i.test(action)) faults.add(`driver asks for: ${action}`);
  return faults.size === 0 ? null : safeText([...faults].join('; ')).slice(0, 200);
}
