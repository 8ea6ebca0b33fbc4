import { spellBytes, spellDuration } from '../doctor/spell.ts';
import { cutText, displayWidth, fitText, plainText } from '../ui/parts/width.ts';
import type { ListedRecording } from './recordings.ts';

const heads = ['recording', 'length', 'size', 'events', 'state', 'host', 'run'] as const;
/** Columns of figures. */
const isRight = [false, true, true, true, false, false, false];
/** The widest that a host's name may be. */
const hostWidth = 24;

interface Init {
  readonly base: string;
  readonly listed: readonly ListedRecording[];
  readonly output: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;
}

/** A table for people: what does not fit into a terminal is cut at the end of each row, and nothing where there is none. */
export function recordingsText({ base, listed, output }: Init): string {
  const recordings = listed.filter(({ content }) => content);
  const others = listed.filter(({ content }) => !content);
  const rows = recordings.map(cellsOf);
  const widths = heads.map((head, at) => Math.max(...[head, ...rows.map((row) => row[at] ?? '')].map(displayWidth)));
  const width = output.isTTY ? Math.max(40, output.columns - 1) : Infinity;
  const bytes = recordings.reduce((sum, { files }) => sum + (files?.bytes ?? 0), 0);
  const count = recordings.length === 1 ? '1 recording' : `${recordings.length} recordings`;
  const lines = [
    `${plainText(base)}: ${recordings.length === 0 ? 'no recordings' : `${count}, ${spellBytes(bytes)}`}`,
    ...(rows.length > 0 ? ['', ...[[...heads], ...rows].map((row) => lineOf(row, widths))] : []),
    ...(others.length > 0 ? ['', ...others.map(({ name, fault = '' }) => plainText(`${name}: ${fault}`))] : []),
  ];
  return lines.map((line) => `${cutText(line, width)}\n`).join('');
}

function cellsOf({ name, content, files }: ListedRecording): readonly string[] {
  if (!content || !files) return [name];
  const { from, to, events, hostname, target, demo, imported, run } = content;
  const states = { closed: '', unknown: '', written: 'recording', cut: 'cut off', elsewhere: 'not closed' };
  const host = hostname ?? target;
  return [
    plainText(name),
    spellDuration(to - from),
    spellBytes(files.bytes),
    String(events),
    states[files.end],
    cutText(plainText(demo ? `${host} (demo)` : imported ? `${host} (imported)` : host), hostWidth),
    plainText(run ?? ''),
  ];
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, at) => fitText(cell, widths[at] ?? 0, isRight[at] ? 'right' : 'left'))
    .join('  ')
    .trimEnd();
}

/** One object; times are ISO 8601. What is not known is absent. */
export function recordingsJson(base: string, listed: readonly ListedRecording[]): string {
  const recordings = listed.map(({ name, path, content, files, fault }) => ({
    name,
    path,
    ...(content && {
      from: new Date(content.from).toISOString(),
      to: new Date(content.to).toISOString(),
      seconds: (content.to - content.from) / 1000,
      target: content.target,
      hostname: content.hostname,
      run: content.run,
      events: content.events,
      ...(content.demo && { demo: true }),
      ...(content.imported && { imported: true }),
    }),
    ...(files && { bytes: files.bytes, parts: files.parts, ...(files.end !== 'unknown' && { state: files.end }) }),
    fault,
  }));
  return `${JSON.stringify({ folder: base, recordings }, null, 2)}\n`;
}
