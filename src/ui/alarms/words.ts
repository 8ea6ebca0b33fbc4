import type { AlarmSample, Severity } from '../../model/alarm-samples.ts';
import type { State } from '../../model/store.ts';
import { formatBytes, formatCount, formatDuration } from '../parts/format.ts';
import type { Line, Tone } from '../parts/line.ts';
import { ringing } from './select.ts';

/** How a severity looks: its shape and its word say what its colour says. */
export const severitySigns: Readonly<
  Record<Severity, { readonly mark: string; readonly tone: Tone; readonly word: string }>
> = {
  info: { mark: '●', tone: 'focus', word: 'note' },
  warning: { mark: '▼', tone: 'warn', word: 'warning' },
  critical: { mark: '▲', tone: 'bad', word: 'CRITICAL' },
};

/** In the header: how many of the worst ring, `+2` of others, until they were seen. Nothing while none rings. */
export function alarmBadge(state: Pick<State, 'alarms' | 'mutes' | 'committedAt'>): Line {
  const all = ringing(state);
  const unseen = all.filter(({ acknowledgedAt }) => acknowledgedAt === undefined);
  const [worst] = unseen.length > 0 ? unseen : all;
  if (!worst) return [];
  const { mark, tone, word } = severitySigns[worst.severity];
  if (unseen.length === 0) return [{ text: ` ${mark} ${all.length} seen `, tone }];
  const count = unseen.filter(({ severity }) => severity === worst.severity).length;
  const others = unseen.length === count ? '' : `+${unseen.length - count} `;
  return [{ text: ` ${mark} ${count} ${word} ${others}`, tone, inverse: worst.severity !== 'info' }];
}

/** The alarm and what it is about: `gpu-hot GPU 3`. */
export function whatText({ alarm, about }: AlarmSample): string {
  if (about === undefined) return alarm;
  return alarm === 'verdict' || alarm === 'pattern' ? about : `${alarm} ${about}`;
}

/** The figure that made it ring: `93 °C`; '' where there is none. */
export function figureText({ alarm, value, unit = '' }: AlarmSample): string {
  if (value === undefined) return '';
  if (alarm === 'verdict' && unit === '') return `${Math.round(100 * value)} %`;
  if (unit === 's') return formatDuration(value);
  if (unit === 'bytes' || unit === 'B') return formatBytes(value);
  const digits = Math.abs(value) >= 100 ? formatCount(Math.round(value)) : String(Number(value.toPrecision(3)));
  return `${digits}${unit === '' ? '' : ` ${unit}`}`;
}

/** How long it rings, or rang: from when what it tells of began. */
export function lastedText({ since, resolvedAt }: AlarmSample, now: number): string {
  return formatDuration(Math.max(0, (resolvedAt ?? now) - since) / 1000);
}
