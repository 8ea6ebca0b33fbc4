/** A cell as a number; anything else (`[N/A]`, `ERR!`, `[Unknown Error]`, nothing) is no value. */
export function readNumber(cell: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : null;
}

/** A cell as a word; null when it stands for no value. */
export function readWord(cell: string): string | null {
  return cell === '' || isSilent(cell) || readFault(cell) !== undefined ? null : cell;
}

/** What a cell without a value tells of the GPU's health: `Unknown Error`, `GPU requires reset`, `ERR!`; undefined = nothing. */
export function readFault(cell: string): string | undefined {
  if (cell === 'ERR!') return cell;
  const inside = /^\[(.+)\]$/.exec(cell)?.[1];
  return inside === undefined || isSilent(cell) ? undefined : inside;
}

/** Not there on this GPU or driver: that is no fault. */
function isSilent(cell: string): boolean {
  return /^\[?(N\/A|Not Supported|Not Available|Not Found|Requested functionality has been deprecated)\]?$/i.test(cell);
}

/**
 * The names of the set bits of `clocks_event_reasons.active`, which are NVML's nvmlClocksEventReason constants. Bit 0 (idle) is
 * left out: it limits nothing. Null for a cell that is no mask.
 */
export function readReasons(cell: string): readonly string[] | null {
  if (!/^0x[0-9a-f]{1,16}$/i.test(cell)) return null;
  const mask = BigInt(cell);
  const names: string[] = [];
  for (let bit = 1; bit < 64; bit++) {
    if (mask & (1n << BigInt(bit))) names.push(reasonNames[bit] ?? `reason ${bit}`);
  }
  return names;
}

const reasonNames: readonly (string | undefined)[] = [
  undefined, // GpuIdle
  'app clocks', // ApplicationsClocksSetting
  'power cap', // SwPowerCap
  'hw slowdown', // HwSlowdown
  'sync boost', // SyncBoost
  'sw thermal', // SwThermalSlowdown
  'hw thermal', // HwThermalSlowdown
  'power brake', // HwPowerBrakeSlowdown
  'display clock', // DisplayClockSetting
];

/** `2026/11/29 13:45:53.034`, the host's local time, as epoch milliseconds of the host's clock; null for anything else. */
export function readTimestamp(cell: string, utcOffsetMinutes: number): number | null {
  const match = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})$/.exec(cell);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second, ms) - utcOffsetMinutes * 60_000;
}
