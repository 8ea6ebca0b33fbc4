/** What a column of the query is for. */
export type FieldId =
  | 'timestamp'
  | 'index'
  | 'uuid'
  | 'utilizationPercent'
  | 'memoryUtilizationPercent'
  | 'memoryUsedBytes'
  | 'memoryTotalBytes'
  | 'powerWatts'
  | 'powerLimitWatts'
  | 'temperatureCelsius'
  | 'memoryTemperatureCelsius'
  | 'smClockMhz'
  | 'memoryClockMhz'
  | 'smClockMaxMhz'
  | 'fanPercent'
  | 'pstate'
  | 'throttleReasons'
  | 'eccUncorrected'
  | 'pcieGeneration'
  | 'pcieWidth'
  | 'mig'
  | 'persistence'
  | 'recovery'
  | 'name';

/** A column of the query: what it is for us and what this driver calls it. */
export interface Column {
  readonly id: FieldId;
  readonly name: string;
}

/** The columns of the two queries. */
export interface GpuColumns {
  /** Asked at every tick. */
  readonly fast: readonly Column[];
  /** Asked every five minutes; none, or the index and others. */
  readonly slow: readonly Column[];
}

/** The wish list restricted to what the driver lists (`--help-query-gpu`): one unknown name fails the whole query. */
export function chooseColumns(listed: readonly string[]): readonly Column[] {
  const known = new Set(listed.length > 0 ? listed : always);
  return wishes.flatMap(({ id, names }) => {
    const name = names.find((candidate) => known.has(candidate)) ?? (required.has(id) ? names[0] : undefined);
    return name === undefined ? [] : [{ id, name }];
  });
}

/**
 * The columns of the stream, and those of the slow one beside it, which begins with the index. On an H200 (driver 580.159.04) a query of all
 * takes 2.9 ms of CPU a GPU, idle, of which clocks.max.sm alone is 1.8, fan.speed and mig.mode.current are 0.45 each, pcie.link.width.current is
 * 0.19, and the others are 0.05 each (scripts/gpu-fields.sh measures it): on eight GPUs that was more than 2 % of a core.
 */
export function splitColumns(columns: readonly Column[]): GpuColumns {
  const slow = columns.filter(({ id }) => seldom.has(id));
  if (slow.length === 0) return { fast: columns, slow };
  return {
    fast: columns.filter(({ id }) => !seldom.has(id)),
    slow: [...columns.filter(({ id }) => id === 'index'), ...slow],
  };
}

const seldom: ReadonlySet<FieldId> = new Set(['smClockMaxMhz', 'fanPercent', 'pcieWidth', 'mig', 'persistence']);

/** The wishes that a driver does not list, by their newest names: their columns stay empty. */
export function missingFields(listed: readonly string[]): readonly string[] {
  const has = new Set(chooseColumns(listed).map(({ id }) => id));
  return wishes.flatMap(({ id, names }) => (has.has(id) ? [] : (names[0] ?? [])));
}

/** All wishes, by their newest names: what a driver of today lists. */
export const wishedFields = (): readonly string[] => wishes.flatMap(({ names }) => names[0] ?? []);

/** What a column of any query is for, by one of the names it has had; undefined for one that is not read. `rank` 0 is the best of its names. */
export function meaningOfField(name: string): { readonly id: FieldId; readonly rank: number } | undefined {
  const wish = wishes.find(({ names }) => names.includes(name));
  return wish && { id: wish.id, rank: wish.names.indexOf(name) };
}

/** Without these a row cannot be told from another. */
const required: ReadonlySet<FieldId> = new Set(['index', 'uuid', 'name']);

/**
 * The wish list, in our order, each with the names it has had, newest first. The name stands last: nvidia-smi quotes nothing, and a name may hold commas.
 *
 * power.draw, not power.draw.instant: it is in every driver, and since Ampere it is the mean of the last second, so that at one
 * reading a second no energy goes unseen; the instant value jumps by 100 W between two layers of a model.
 * enforced.power.limit before power.limit: the smallest of all limiters is the one that holds.
 */
const wishes: readonly { readonly id: FieldId; readonly names: readonly string[] }[] = [
  { id: 'timestamp', names: ['timestamp'] },
  { id: 'index', names: ['index'] },
  { id: 'uuid', names: ['uuid', 'gpu_uuid'] },
  { id: 'utilizationPercent', names: ['utilization.gpu'] },
  { id: 'memoryUtilizationPercent', names: ['utilization.memory'] },
  { id: 'memoryUsedBytes', names: ['memory.used'] },
  { id: 'memoryTotalBytes', names: ['memory.total'] },
  { id: 'powerWatts', names: ['power.draw'] },
  { id: 'powerLimitWatts', names: ['enforced.power.limit', 'power.limit'] },
  { id: 'temperatureCelsius', names: ['temperature.gpu'] },
  { id: 'memoryTemperatureCelsius', names: ['temperature.memory'] },
  { id: 'smClockMhz', names: ['clocks.current.sm', 'clocks.sm'] },
  { id: 'memoryClockMhz', names: ['clocks.current.memory', 'clocks.mem'] },
  { id: 'smClockMaxMhz', names: ['clocks.max.sm'] },
  { id: 'fanPercent', names: ['fan.speed'] },
  { id: 'pstate', names: ['pstate'] },
  { id: 'throttleReasons', names: ['clocks_event_reasons.active', 'clocks_throttle_reasons.active'] },
  { id: 'eccUncorrected', names: ['ecc.errors.uncorrected.volatile.total'] },
  { id: 'pcieGeneration', names: ['pcie.link.gen.gpucurrent', 'pcie.link.gen.current'] },
  { id: 'pcieWidth', names: ['pcie.link.width.current'] },
  { id: 'mig', names: ['mig.mode.current'] },
  { id: 'persistence', names: ['persistence_mode'] },
  { id: 'recovery', names: ['gpu_recovery_action'] },
  { id: 'name', names: ['name', 'gpu_name'] },
];

/** Names that every driver since 2015 has: asked even where the list of fields could not be read. */
const always: readonly string[] = [
  'timestamp',
  'index',
  'uuid',
  'utilization.gpu',
  'utilization.memory',
  'memory.used',
  'memory.total',
  'power.draw',
  'power.limit',
  'temperature.gpu',
  'clocks.sm',
  'pstate',
  'name',
];
