import { alarmNames } from '../../src/model/alarm-samples.ts';
import { catalogue } from '../../src/model/alarms/catalogue.ts';

/** Of docs/alarms.md: each alarm, its borders with their reasons, and when it is over. */
export function alarmsMarkdown(): string {
  return alarmNames.map(alarmMarkdown).join('\n\n');
}

/** All of them in a table. */
export function alarmsTable(): string {
  const rows = alarmNames.map((name) => {
    const { unit, worse, rule } = catalogue[name];
    const { threshold, clear, forMs, clearForMs, coolDownMs, severity } = rule;
    const border = worse === 'once' ? '' : `${worse === 'higher' ? '≥' : '≤'} ${withUnit(threshold, unit)}`;
    const over = worse === 'once' ? '' : withUnit(clear, unit);
    return [`\`${name}\``, border, time(forMs), over, time(clearForMs), time(coolDownMs), severity];
  });
  const head = ['alarm', 'threshold', 'for', 'clear', 'clear-for', 'cool-down', 'severity'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function alarmMarkdown(name: (typeof alarmNames)[number]): string {
  const { title, measures, because, over } = catalogue[name];
  return [
    `### \`${name}\`: ${title}`,
    '',
    `- **Measured:** ${measures}.`,
    `- **Border:** ${because.threshold}.`,
    `- **Times:** ${because.times}.`,
    `- **Severity:** ${because.severity}.`,
    `- **Over:** ${over}.`,
  ].join('\n');
}

const withUnit = (value: number, unit: string) => (unit === '' ? String(value) : `${value} ${unit}`);

function time(ms: number): string {
  if (ms === 0) return 'at once';
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
