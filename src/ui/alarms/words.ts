import type { AlarmSample, Severity } from '../../model/alarm-samples.ts';
import type { State } from '../../model/store.ts';
import { formatBytes, formatCount, formatDuration } from '../parts/format.ts';
import type { Line, Tone } from '../parts/line.ts';
import { ringing } from './select.ts';

/** How a severity looks: its shape and its word say what its colour says. */
export const severitySigns: Readonly<Record<Severity, { readonly mark: string; readonly tone: Tone }>> = {
  info: { mark: '●', tone: 'focus' },
  warning: { mark: '▼', tone: 'warn' },
  critical: { mark: '▲', tone: 'bad' },
};

/** In the header: how many ring and how bad the worst is. Nothing while none does. */
export function alarmBadge(state: Pick<State, 'alarms' | 'mutes' | 'committedAt'>): Line {
  const all = ringing(state);
  const unseen = all.filter(({ acknowledgedAt }) => acknowledgedAt === undefined);
  const [worst] = unseen.length > 0 ? unseen : all;
  if (!worst) return [];
  const { mark, tone } = severitySigns[worst.severity];
  const count = unseen.length > 0 ? unseen.length : all.length;
  const word = worst.severity === 'critical' ? 'CRITICAL' : worst.severity === 'info' ? 'note' : 'warning';
  const text = unseen.length > 0 ? ` ${mark} ${count} ${word} ` : ` ${mark} ${count} seen `;
  return [{ text, tone, inverse: unseen.length > 0 && worst.severity !== 'info' }];
}

/** The alarm and what it is about: `gpu-hot GPU 3`. */
export function whatText({ alarm, about }: AlarmSample): string {
  if (about === undefined) return alarm;
  return alarm === 'verdict' || alarm === 'pattern' ? about : `${alarm} ${about}`;
}

/** The figure that made it ring: `93 °C`; '' where there is none. */
export function figureText({ value, unit = '' }: AlarmSample): string {
  if (value === undefined) return '';
  if (unit === 's') return formatDuration(value);
  if (unit === 'bytes' || unit === 'B') return formatBytes(value);
  const digits = Math.abs(value) >= 100 ? formatCount(Math.round(value)) : String(Number(value.toPrecision(3)));
  return `${digits}${unit === '' ? '' : ` ${unit}`}`;
}

/** How long it rings, or rang: from when what it tells of began. */
export function lastedText({ since, resolvedAt }: AlarmSample, now: number): string {
  return formatDuration(Math.max(0, (resolvedAt ?? now) - since) / 1000);
}
