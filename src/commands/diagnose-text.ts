import type { SubjectSignals } from '../model/diagnosis/engine.ts';
import { signals, sources, type SignalName } from '../model/diagnosis/signals.ts';
import { confidenceWord, figureText, scopeWords, signalWords, situationWords } from '../model/diagnosis/words.ts';
import type { Evidence, Verdict } from '../model/verdict-samples.ts';
import type { Line, Tone } from '../ui/parts/line.ts';
import { counter, dayOf, timeOfDay } from '../ui/parts/times.ts';
import { wrapText } from '../ui/parts/width.ts';
import type { Course } from './diagnose-course.ts';
import type { Recorded } from './diagnose-samples.ts';
import { missingTexts } from './diagnose-missing.ts';
import { timelineRows } from './diagnose-timeline.ts';
import { drawPage, pageLook, pageRule, type PageOutput } from './page.ts';

interface Page {
  readonly recorded: Recorded;
  readonly course: Course;
  readonly withSignals: boolean;
  readonly output: PageOutput;
  readonly env: NodeJS.ProcessEnv;
}

/** Columns of a verdict's table: what a row is; the signal; its figure; what the rule asks of it. */
const labelWidth = 10;
/** A signal's own. */
const figureWidth = 12;

/** The verdicts for people, the first as a headline; how they came about, and when which stood first. Times are of this machine's clock. */
export function diagnosisText({ recorded, course, withSignals, output, env }: Page): string {
  const look = pageLook(output, env);
  const { width } = look;
  const { verdicts, at } = course;
  const { isSaved } = recorded;
  const hasKeys = verdicts.some(({ next, missing }) =>
    [...next, ...(isSaved ? [] : missing)].some(({ key }) => key !== undefined),
  );
  return drawPage(
    [
      ...head(recorded, course, width),
      [],
      ...headline(course, width),
      ...verdicts.flatMap((verdict, i) => [[], ...verdictRows(verdict, { number: i + 1, at, width, isSaved })]),
      ...timelineRows(course.timeline, width),
      ...(withSignals ? course.signals.flatMap((each) => signalRows(each, width)) : []),
      ...(hasKeys ? [[], ...rows('Keys in parentheses are those of the screen of a live run.', width, 'dim')] : []),
    ],
    look,
  );
}

function head({ name, from, to, isDemo }: Recorded, { at, endedAt }: Course, width: number): readonly Line[] {
  const day = dayOf(from) === dayOf(to) ? '' : `${dayOf(to)} `;
  const ended = endedAt === undefined ? '' : `, before the run ended at ${timeOfDay(endedAt)}`;
  return [
    [{ text: 'traintop diagnose', tone: 'title' }, ...(isDemo ? [{ text: '  simulated', tone: 'warn' as const }] : [])],
    ...rows(name, width, 'focus'),
    ...rows(`${dayOf(from)} ${timeOfDay(from)} to ${day}${timeOfDay(to)}`, width, 'dim'),
    ...rows(`as of ${timeOfDay(at)}${ended}`, width, 'dim'),
  ];
}

function headline({ verdicts: [verdict], signals: all }: Course, width: number): readonly Line[] {
  if (!verdict) {
    const isOver = all.some(({ readings }) => readings.ended);
    return rows(
      isOver ? 'The run had ended, and nothing says that it failed.' : 'There is no verdict.',
      width,
      'strong',
    );
  }
  const { situation, summary } = verdict;
  return [
    ...rows(titleOf(verdict), width, 'strong'),
    ...rows(situationWords[situation].says, width),
    ...(summary === '' ? [] : rows(summary, width)),
  ];
}

/** `collective hang, rank 1 missing: sure (0.92)`. */
function titleOf(verdict: Verdict): string {
  const { situation, confidence, scope } = verdict;
  const about = [situationWords[situation].name, scopeWords(verdict), scope.cause ?? ''].filter((part) => part !== '');
  return `${about.join(', ')}: ${confidenceWord(confidence)} (${confidence.toFixed(2)})`;
}

interface Place {
  readonly number: number;
  readonly at: number;
  readonly width: number;
  readonly isSaved: boolean;
}

function verdictRows(verdict: Verdict, { number, at, width, isSaved }: Place): readonly Line[] {
  const { since, evidence, against, missing, next } = verdict;
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length));
  const figures = [...evidence, ...against];
  const asked = widest(figures.map(({ expected = '' }) => expected));
  const value = widest(figures.map(figureText)) + 2;
  const signal = Math.min(widest(figures.map(signalWords)), Math.max(16, width - labelWidth - value - asked - 2));
  const widths = { signal, value, asked };
  return [
    pageRule(`${number} ${titleOf(verdict)}`, width),
    ...textRows('since', [`${timeOfDay(since)}, for ${counter(at - since)}`], width),
    ...figureRows('for', evidence, widths),
    ...figureRows('against', against, widths),
    ...textRows('missing', missingTexts(missing, isSaved), width),
    ...textRows(
      'next',
      next.map(({ text, key }) => withKey(text, key)),
      width,
    ),
  ];
}

function figureRows(
  name: string,
  figures: readonly Evidence[],
  { signal, value, asked }: { readonly signal: number; readonly value: number; readonly asked: number },
): readonly Line[] {
  return figures.flatMap((figure, i): readonly Line[] => {
    const [first = '', ...more] = wrapText(signalWords(figure), signal);
    const { expected = '' } = figure;
    return [
      [
        label(name, i),
        { text: first.padEnd(signal) },
        { text: figureText(figure).padStart(value), tone: 'strong' },
        { text: `  ${expected.padEnd(asked)}`, tone: 'dim' },
      ],
      ...more.map((row): Line => [label('', 1), { text: row }]),
    ];
  });
}

function textRows(name: string, texts: readonly string[], width: number): readonly Line[] {
  return texts.flatMap((text) => wrapText(text, width - labelWidth)).map((text, i): Line => [label(name, i), { text }]);
}

/** Only the first of several rows has it. */
function label(name: string, row: number): Line[number] {
  return { text: (row === 0 ? ` ${name}` : '').padEnd(labelWidth), tone: 'dim' };
}

function withKey(text: string, key: string | undefined): string {
  return key === undefined ? text : `${text} (${key})`;
}

function signalRows({ subject, readings }: SubjectSignals, width: number): readonly Line[] {
  const all = Object.entries(readings).map(([name, reading]) => ({ name: name as SignalName, ...reading }));
  return [
    [],
    pageRule(`Signals of ${subjectText(subject)}`, width),
    ...all.map(({ name, value, of }): Line => {
      const { words, unit, from } = signals[name];
      const figure = figureText({ value, unit }).padStart(figureWidth);
      return [
        { text: ` ${name.padEnd(nameWidth)}` },
        { text: figure, tone: 'strong' },
        { text: `  ${words} (${sources[from].source}${of === undefined ? '' : `, ${of}`})`, tone: 'dim' },
      ];
    }),
  ];
}

const nameWidth = Math.max(...Object.keys(signals).map((name) => name.length));

function subjectText(subject: SubjectSignals['subject']): string {
  if (subject.kind === 'run') return 'the run';
  if (subject.kind === 'queue') return `queue ${subject.name}`;
  const { index, rank, role } = subject;
  return [`GPU ${index}`, ...(rank === undefined ? [] : [`rank ${rank}`]), ...(role === undefined ? [] : [role])].join(
    ', ',
  );
}

function rows(text: string, width: number, tone: Tone = 'plain'): readonly Line[] {
  return wrapText(text, width).map((row): Line => [{ text: row, tone }]);
}
