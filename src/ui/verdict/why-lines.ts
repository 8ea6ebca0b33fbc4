import { confidenceWord, figureText, scopeWords, signalWords, situationWords } from '../../model/diagnosis/words.ts';
import type { State } from '../../model/store.ts';
import type { Evidence, Verdict } from '../../model/verdict-samples.ts';
import { bar } from '../parts/bar.ts';
import { composeRow } from '../parts/compose-row.ts';
import { formatDuration } from '../parts/format.ts';
import type { Line, Tone } from '../parts/line.ts';
import { rightCell } from '../parts/meter.ts';
import { placeColumns, rowLine, type Column, type PlacedColumn } from '../parts/table.ts';
import { dayOf, timeOfDay } from '../parts/times.ts';
import { displayWidth, fitText, plainText, wrapText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import { verdictAge } from './age.ts';
import { nothingYet } from './headline-line.ts';
import { placeOf, type Place } from './places.ts';
import { situationSigns } from './signs.ts';

/** What the rows of Why are made of. */
export interface WhyInput {
  readonly state: State;
  readonly width: number;
  /** A recording is played. */
  readonly isReplay?: boolean;
}

/** The situations that hold, the cause first, each with its figures: what speaks for it and against it, what is not known, what to do. */
export function whyLines(input: WhyInput): readonly Line[] {
  const { state } = input;
  // Longer rows are hard to follow with the eye.
  const width = Math.min(input.width, widest);
  const verdicts = state.verdicts?.verdicts ?? [];
  if (!state.verdicts || verdicts.length === 0) return wrapped(nothingYet(input), width, 'dim');
  const { heldTo } = verdictAge(state, state.verdicts);
  const placed = placeColumns(columnsOf(verdicts), width - indent.length);
  return verdicts.flatMap((verdict, i) => [
    ...(i === 0 ? [] : [[]]),
    titleLine(verdict, width),
    ...wrapped(`${sinceText(verdict, heldTo, drawnAt(state))} ${situationWords[verdict.situation].says}`, width, 'dim'),
    ...figures('speaks for it', verdict.evidence, placed, width),
    ...figures('speaks against it', verdict.against, placed, width),
    ...missing(verdict, width),
    ...steps(verdict, width),
  ]);
}

const widest = 120;
const indent = '  ';
const barWidth = 10;

function titleLine(verdict: Verdict, width: number): Line {
  const { situation, scope, confidence } = verdict;
  const { mark, tone } = situationSigns[situation];
  const about = scopeWords(verdict);
  const right: Line = [
    // A pane beside the run has room for the figure only.
    ...bar([{ share: confidence, tone }], width < 72 ? 0 : barWidth),
    { text: ` ${Math.round(100 * confidence)} %`.padStart(6) },
    { text: ` ${confidenceWord(confidence)}`.padEnd(8) },
  ];
  return composeRow({
    left: [
      { rank: 0, line: [{ text: `${mark} ${situationWords[situation].name}`, tone }] },
      ...(about === '' ? [] : [{ rank: 1, line: [{ text: about, tone: 'strong' }] as const }]),
      ...(scope.cause === undefined ? [] : [{ rank: 3, line: [{ text: plainText(scope.cause) }], shortest: 12 }]),
    ],
    right: situation === 'unknown' ? [] : [{ rank: 2, line: right }],
    width,
  });
}

/** `Since 14:02:11, for 1m 12s.` */
function sinceText({ since }: Verdict, heldTo: number, now: number): string {
  const day = dayOf(since) === dayOf(now) ? '' : `${dayOf(since)} `;
  return `Since ${day}${timeOfDay(since)}, for ${formatDuration(Math.max(0, heldTo - since) / 1000)}.`;
}

interface Figure {
  readonly words: string;
  readonly value: string;
  readonly expected: string;
  readonly place: Place | undefined;
}

/** Of all verdicts alike: as wide as their words, where there is room. */
function columnsOf(verdicts: readonly Verdict[]): readonly Column<Figure>[] {
  const all = verdicts.flatMap(({ evidence, against }) => [...evidence, ...against]);
  const longest = (least: number, texts: readonly string[]) =>
    Math.max(least, ...texts.map((text) => displayWidth(plainText(text))));
  const words = longest(24, all.map(signalWords));
  const expected = Math.min(
    24,
    longest(
      8,
      all.map(({ expected = '' }) => expected),
    ),
  );
  return [
    { title: '', width: 24, maxWidth: words, priority: 0, cell: ({ words }, w) => ({ text: fitText(words, w) }) },
    { title: 'VALUE', width: 9, align: 'right', priority: 0, cell: ({ value }, w) => rightCell(value, w, 'strong') },
    {
      title: 'EXPECTED',
      width: expected,
      priority: 2,
      cell: ({ expected }, w) => ({ text: fitText(expected, w), tone: 'dim' }),
    },
    {
      title: 'FOUND ON',
      width: 12,
      priority: 1,
      cell: ({ place }, w) =>
        place
          ? [{ text: place.key, tone: 'focus' }, { text: fitText(` ${place.name}`, w - place.key.length) }]
          : { text: ' '.repeat(w) },
    },
  ];
}

type Placed = readonly PlacedColumn<Figure>[];

function figures(title: string, all: readonly Evidence[], placed: Placed, width: number): readonly Line[] {
  if (all.length === 0) return [];
  return [
    heading(title, placed),
    ...all.flatMap((figure): readonly Line[] => {
      const { expected = '' } = figure;
      const [words = '', ...more] = wrapText(plainText(signalWords(figure)), placed[0]?.width ?? width);
      const row: Figure = { words, value: figureText(figure), expected, place: placeOf(figure) };
      return [
        [{ text: indent }, ...rowLine(placed, row, { width: width - indent.length })],
        ...more.map((text): Line => [{ text: indent + text }]),
      ];
    }),
  ];
}

/** The titles of the columns, the first of them what these figures are. */
function heading(title: string, placed: Placed): Line {
  return [
    { text: indent },
    ...placed.flatMap(({ column, width }, i): Line => [
      ...(i === 0 ? [] : [{ text: ' ' }]),
      { text: fitText(i === 0 ? title : column.title, width, column.align), tone: i === 0 ? 'title' : 'dim' },
    ]),
  ];
}

function missing({ missing }: Verdict, width: number): readonly Line[] {
  if (missing.length === 0) return [];
  return [
    [{ text: `${indent}not known`, tone: 'title' }],
    ...missing.flatMap(({ signal, get, key }) => keyed(`${signalWords({ signal })}: ${get}`, key, width)),
  ];
}

function steps({ next }: Verdict, width: number): readonly Line[] {
  if (next.length === 0) return [];
  return [[{ text: `${indent}next`, tone: 'title' }], ...next.flatMap(({ text, key }) => keyed(text, key, width))];
}

/** A sentence behind its key, or behind a dot. */
function keyed(text: string, key: string | undefined, width: number): readonly Line[] {
  return wrapText(plainText(text), Math.max(8, width - indent.length - 2)).map((row, i): Line => [
    { text: indent },
    { text: i > 0 ? '  ' : `${key ?? '·'} `, tone: key === undefined ? 'dim' : 'focus' },
    { text: row },
  ]);
}

function wrapped(text: string, width: number, tone: Tone): readonly Line[] {
  return wrapText(plainText(text), width).map((row): Line => [{ text: row, tone }]);
}
