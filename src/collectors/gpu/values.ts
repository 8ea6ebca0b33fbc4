import type { GpusSample } from '../../model/samples.ts';
import type { Column, FieldId } from './fields.ts';
import type { GpuRow } from './rows.ts';

const numberFields = [
  'utilizationPercent',
  'memoryUtilizationPercent',
  'memoryUsedBytes',
  'memoryTotalBytes',
  'powerWatts',
  'powerLimitWatts',
  'temperatureCelsius',
  'memoryTemperatureCelsius',
  'smClockMhz',
  'memoryClockMhz',
  'smClockMaxMhz',
  'fanPercent',
  'eccUncorrected',
  'pcieGeneration',
  'pcieWidth',
] as const satisfies readonly FieldId[];
const wordFields = ['pstate', 'mig', 'persistence'] as const satisfies readonly FieldId[];

/** The columns that this query has; one that no GPU has a value for stays a column of nulls. */
export function valueColumns(rows: readonly GpuRow[], columns: readonly Column[]): Partial<GpusSample> {
  const has = (id: FieldId) => columns.some((column) => column.id === id);
  const values: Record<string, unknown> = {};
  for (const id of numberFields) if (has(id)) values[id] = rows.map((row) => row.numbers.get(id) ?? null);
  for (const id of wordFields) if (has(id)) values[id] = rows.map((row) => row.words.get(id) ?? null);
  if (has('throttleReasons')) values['throttleReasons'] = rows.map((row) => row.reasons);
  if (rows.some((row) => row.fault !== null)) values['faults'] = rows.map((row) => row.fault);
  return values;
}
