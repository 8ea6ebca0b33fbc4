import { span } from '../events/found.ts';

export { span };

/** A figure with as many places as it is worth. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) || Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

/** A count of bytes: `1.2 GB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const at = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${figure(value / 1000 ** at)} ${units[at]}`;
}

/** A rate: `14.5 k tokens/s`. */
export function rateText(value: number, unit: string): string {
  return value >= 10_000 ? `${figure(value / 1000)}k ${unit}/s` : `${figure(value)} ${unit}/s`;
}

/** A text of a bearable length. */
export function short(text: string, most = 160): string {
  const one = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return one.length > most ? `${one.slice(0, most)}…` : one;
}
