/** What stands for a value that the host did not give. Never 0. */
export const absent = '–';

type Value = number | null | undefined;

/** A share or load in whole percent: `98%`; 99.95 gives `100%`. At most 4 cells up to 999 %. */
export function formatPercent(value: Value): string {
  return text(value, (n) => `${Math.round(n)}%`);
}

/** A difference as a part: `+3.2%`, `-0.4%`, `+157%`; at most 6 cells up to 9999 %. */
export function formatDifference(part: Value): string {
  return text(part, (n) => {
    const size = Math.abs(100 * n);
    const digits = size < 9.95 ? size.toFixed(1) : String(Math.min(9999, Math.round(size)));
    return `${Number(digits) === 0 ? '' : n < 0 ? '-' : '+'}${digits}%`;
  });
}

/** With a fixed number of decimals: `99.8`; halves round as toFixed rounds. */
export function formatFixed(value: Value, decimals: number): string {
  return text(value, (n) => n.toFixed(decimals));
}

/** A CPU percentage of one core in at most 5 cells: `99.8`, `134.5`, `1250`. */
export function formatCpu(value: Value): string {
  return text(value, (n) => (n < 999.95 ? n.toFixed(1) : n.toFixed(0)));
}

/** Three significant digits with a decimal prefix, at most 5 cells: `142`, `1.42K`, `14.5K`, `1.00M`; whole numbers below 1000 stay whole. */
export function formatCount(value: Value): string {
  return text(value, (n) => {
    if (Number.isInteger(n) && Math.abs(n) < 1000) return String(n);
    return scaled({ value: n, base: 1000, prefixes: ['', 'K', 'M', 'G', 'T', 'P'] });
  });
}

/** Bytes in binary units, three significant digits: `118 GiB`, `1.50 TiB`; from 1000 of a unit the next is taken. */
export function formatBytes(value: Value): string {
  return text(value, (n) => {
    if (Math.abs(n) < 999.5) return `${Math.round(n)} B`;
    return scaled({ value: n, base: 1024, prefixes: [' B', ' KiB', ' MiB', ' GiB', ' TiB', ' PiB'] });
  });
}

/** As formatBytes, in at most 5 cells: `118G`, `1.50T`. */
export function formatBytesShort(value: Value): string {
  return text(value, (n) => {
    if (Math.abs(n) < 999.5) return `${Math.round(n)}B`;
    return scaled({ value: n, base: 1024, prefixes: ['B', 'K', 'M', 'G', 'T', 'P'] });
  });
}

/** Whole GiB without a unit, for columns that say it: `118`; below 10 with one decimal. */
export function formatGib(value: Value): string {
  return text(value, (n) => {
    const gib = n / 2 ** 30;
    return gib < 9.95 ? gib.toFixed(1) : gib.toFixed(0);
  });
}

/** Seconds as the two largest units: `3d 4h`, `2h 5m`, `5m 10s`, `42s`. */
export function formatDuration(seconds: Value): string {
  return text(Number.isFinite(seconds) ? seconds : undefined, (n) => {
    const total = Math.max(0, Math.round(n));
    const [days, hours, minutes] = [
      Math.floor(total / 86_400),
      Math.floor(total / 3600) % 24,
      Math.floor(total / 60) % 60,
    ];
    if (days > 0) return `${days}d ${hours}h`;
    if (hours > 0) return `${hours}h ${minutes}m`;
    return minutes > 0 ? `${minutes}m ${total % 60}s` : `${total}s`;
  });
}

/** A short time in three significant digits: `35.0ms`, `350ms`, `1.25s`, `125s`. */
export function formatSeconds(seconds: Value): string {
  return text(seconds, (n) => (Math.abs(n) < 0.9995 ? `${digits(n * 1000, 3)}ms` : `${digits(n, 3)}s`));
}

/** A loss or rate in `significant` digits: `2.301`, `0.02130`, `46.61`; very small and very large ones as `1.20e-5`. */
export function formatSignificant(value: Value, significant = 4): string {
  return text(value, (n) => {
    if (n === 0) return '0';
    const size = Math.abs(n);
    if (size < 1e-3 || size >= 1e6) return n.toExponential(Math.min(2, significant - 1));
    return digits(n, significant);
  });
}

function text(value: Value, finite: (value: number) => string): string {
  if (value === null || value === undefined) return absent;
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return finite(value);
}

function scaled({ value, base, prefixes }: { value: number; base: number; prefixes: readonly string[] }): string {
  let rest = value;
  let unit = 0;
  // 999.5 would be printed as 1000: it belongs to the next unit.
  while (Math.abs(rest) >= 999.5 && unit < prefixes.length - 1) {
    rest /= base;
    unit++;
  }
  return digits(rest, 3, unit === 0 ? 3 : 2) + (prefixes[unit] ?? '');
}

/** Significant digits without exponents; 99.95 has its rounding's digits (`100`), not one more. What is smaller than a cell is wide is 0. */
function digits(value: number, significant: number, mostDecimals = 12): string {
  const size = Math.abs(Number(value.toPrecision(significant)));
  const whole = size === 0 ? 1 : Math.floor(Math.log10(size)) + 1;
  return value.toFixed(Math.min(mostDecimals, Math.max(0, significant - whole)));
}
