import { zoneText } from '../import/axis.ts';
import type { FileReport } from '../import/files.ts';
import type { Import } from '../import/open-import.ts';
import { safeText } from '../model/text.ts';

interface Input {
  readonly output: string;
  readonly name: string;
  readonly made: Import;
  readonly samples: number;
  readonly bytes: number;
}

/** What was made of which file, what was not and why, and what was taken for granted. */
export function importText({ output, name, made, samples, bytes }: Input): string {
  const { from, to, utcOffsetMinutes, assumed } = made;
  const at = (time: number) => new Date(time + utcOffsetMinutes * 60_000).toISOString();
  const time = (value: number) => at(value).slice(11, 19);
  const day = at(from).slice(0, 10);
  const rows = made.reports().flatMap((report) => reportLines(report, time));
  return [
    `${output}: ${name}, ${day} ${time(from)} to ${time(to)} (${zoneText(utcOffsetMinutes)}), ${samples} Samples, ${kilobytes(bytes)}`,
    ...rows,
    ...(assumed.length > 0 ? ['Taken for granted:', ...assumed.map((text) => `  ${text}.`)] : []),
    '',
  ]
    .map(safeText)
    .join('\n');
}

function reportLines(
  { file, gives, from, to, notes, rejected }: FileReport,
  time: (value: number) => string,
): readonly string[] {
  const span = from === undefined || to === undefined ? '' : `, ${time(from)} to ${time(to)}`;
  const { count, first } = rejected;
  const unread = first
    ? [`${count} ${count === 1 ? 'line' : 'lines'} could not be read, first line ${first.line}: ${first.text}`]
    : [];
  return [
    `  ${`--${file.kind}`.padEnd(12)} ${file.name}: ${gives}${span}`,
    ...[...notes, ...unread].map((note) => `    ${note}`),
  ];
}

function kilobytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
