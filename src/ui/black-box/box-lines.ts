import { captureNames, ofWhom } from '../../model/capture-words.ts';
import type { BlackBoxPart } from '../../model/black-box-samples.ts';
import type { BlackBoxSample, CaptureSample } from '../../model/samples.ts';
import type { State } from '../../model/store.ts';
import { formatDuration } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { dayOf, timeOfDay } from '../parts/times.ts';
import { plainText, wrapText } from '../parts/width.ts';

/** All of a box as rows, and in which of them its sections begin. */
export interface BoxLines {
  readonly lines: readonly Line[];
  readonly sections: readonly number[];
}

/** What is read first stands first; text for its own sake, last. */
const order: readonly BlackBoxPart['name'][] = [
  'verdict',
  'kernel stacks',
  'kernel log',
  'threads',
  'nvidia-smi',
  'host',
  'log',
];

const titles: Readonly<Record<BlackBoxPart['name'], string>> = {
  verdict: 'Verdict and its evidence',
  'kernel stacks': 'In the kernel',
  'kernel log': "The kernel's log",
  threads: 'Threads and what they wait in',
  'nvidia-smi': 'nvidia-smi -q',
  host: 'Host, GPUs and disks',
  log: 'Log',
};

/** Boxes are drawn at each commit, and their text stays. */
const known = new WeakMap<BlackBoxSample, { readonly key: string; readonly made: BoxLines }>();

/** The rows of a box for a screen this wide. */
export function boxLines(box: BlackBoxSample, { captures, run, committedAt }: State, width: number): BoxLines {
  const own = box.captures.map((id) => captures.find((capture) => capture.id === id));
  const key = `${width} ${dayOf(committedAt)} ${own.map((each) => `${each?.state} ${each?.samples}`).join()}`;
  const before = known.get(box);
  if (before?.key === key) return before.made;
  const lines: Line[] = [...headLines(box, committedAt, width)];
  const sections: number[] = [];
  const section = (title: string, at: number | undefined, rows: readonly Line[]) => {
    lines.push([]);
    sections.push(lines.length);
    const when: readonly Segment[] = at === undefined ? [] : [{ text: `  ${timeOfDay(at)}`, tone: 'dim' }];
    lines.push([{ text: title, tone: 'title' }, ...when], ...rows);
  };
  const stacks = own.flatMap((capture, i) => captureLines(capture, box.captures[i] ?? '', run?.run, width));
  const none: Line = [{ text: box.endedAt === undefined ? 'None yet.' : 'None were taken.', tone: 'dim' }];
  section('Stacks', undefined, stacks.length > 0 ? stacks : [none]);
  const parts = box.parts.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name) || a.takenAt - b.takenAt);
  for (const part of parts) section(titles[part.name], part.takenAt, partLines(part, width));
  const made = { lines, sections };
  known.set(box, { key, made });
  return made;
}

function headLines(
  { reason, startedAt, endedAt, state, folder, notes = [] }: BlackBoxSample,
  now: number,
  width: number,
) {
  const day = dayOf(startedAt) === dayOf(now) ? '' : `${dayOf(startedAt)} `;
  const took = endedAt === undefined ? 'being taken now' : `taken in ${formatDuration((endedAt - startedAt) / 1000)}`;
  const how = state === 'partial' ? '; not all of it could be had' : '';
  return [
    ...wrapped(reason, width, 'strong'),
    ...wrapped(`${day}${timeOfDay(startedAt)}, ${took}${how}.`, width, state === 'partial' ? 'warn' : 'plain'),
    ...notes.flatMap((note) => wrapped(note, width, 'warn')),
    ...(folder === undefined ? [] : wrapped(folder, width, 'dim')),
  ];
}

function captureLines(
  capture: CaptureSample | undefined,
  id: string,
  run: Parameters<typeof ofWhom>[1],
  width: number,
): readonly Line[] {
  if (!capture) return wrapped(`Capture ${id} is not known here any more.`, width, 'dim');
  const { what, state, pids, samples, failure } = capture;
  const got = samples === undefined ? '' : `, ${samples} of ${pids.length}`;
  const text = `${captureNames[what]} of ${ofWhom(pids, run)}: ${state}${got}`;
  return [
    ...wrapped(text, width, state === 'done' ? 'ok' : state === 'failed' ? 'bad' : 'plain'),
    ...(failure === undefined ? [] : wrapped(failure, width, 'warn')),
  ];
}

function partLines({ lines = [], failure, cut }: BlackBoxPart, width: number): readonly Line[] {
  return [
    ...(failure === undefined ? [] : wrapped(failure, width, 'warn')),
    ...lines.flatMap((line) => rowsOf(line, width)),
    ...(cut && lines.length === 0
      ? wrapped('Its text is in the recording where it was taken, and in the folder.', width, 'dim')
      : []),
    ...(cut && lines.length > 0 ? wrapped('It was longer: the rest is in the folder.', width, 'dim') : []),
  ];
}

/** A line with its indentation, wrapped where it is too long. */
function rowsOf(line: string, width: number): readonly Line[] {
  const text = plainText(line);
  if (text.length <= width) return [[{ text }]];
  const indent = /^ */.exec(text)?.[0].slice(0, Math.floor(width / 3)) ?? '';
  return wrapText(text.trimStart(), Math.max(8, width - indent.length)).map((row): Line => [{ text: indent + row }]);
}

function wrapped(text: string, width: number, tone: Tone): readonly Line[] {
  return wrapText(plainText(text), width).map((row): Line => [{ text: row, tone }]);
}
