import type { Clue, Rule } from '../../src/model/diagnosis/rule.ts';
import { rules } from '../../src/model/diagnosis/rules/index.ts';
import { signals, sources, type SignalMeaning, type SignalName } from '../../src/model/diagnosis/signals.ts';
import { thresholds, type ThresholdName } from '../../src/model/diagnosis/thresholds.ts';
import { situationWords } from '../../src/model/diagnosis/words.ts';
import { situations, type Situation } from '../../src/model/situations.ts';

/** Of docs/diagnosis.md: where the signals of each source stand on the screen, and how a missing one is had. */
export function sourcesMarkdown(): string {
  const rows = Object.entries(sources).map(([name, { get, key }]: [string, { get: string; key?: string }]) => [
    `\`${name}\``,
    places[name as keyof typeof sources],
    key === undefined ? get : `${get} (\`${key}\`)`,
  ]);
  return tableOf(['source', 'on the screen', 'where it is missing'], rows);
}

/** Where each is shown. */
const places: Readonly<Record<keyof typeof sources, string>> = {
  gpu: 'GPUs',
  gpm: 'GPUs',
  threads: 'Threads',
  waits: 'Threads, WAITS IN',
  stacks: 'the view of stacks (`S`), by class',
  native: 'the view of stacks (`S`), by class',
  gil: 'the view of stacks (`S`), who had the GIL (`i`)',
  log: 'Log, Throughput and Queues',
  host: 'Host',
  processes: 'Threads, by process (`g`)',
  run: 'the header, and the runs (`c`)',
};

/** The situations with their rules, in the order in which rules are asked. */
export function rulesMarkdown(): string {
  const order = [...new Set([...rules.map(({ situation }) => situation), ...situations])];
  return order.map(situationMarkdown).join('\n\n');
}

/** All borders, each with its reason. */
export function thresholdsMarkdown(): string {
  const rows = (Object.keys(thresholds) as ThresholdName[]).map((name) => {
    const asked = [...new Set(allClues.filter(({ least, most }) => least === name || most === name))];
    const names = [...new Set(asked.map(({ signal }) => signal))];
    const { value, because } = thresholds[name];
    return [`\`${name}\``, valueOf(value, names[0]), names.map((each) => `\`${each}\``).join(' '), because];
  });
  return tableOf(['border', 'value', 'asked of', 'because'], rows);
}

/** All signals, with what each is. */
export function signalsMarkdown(): string {
  const rows = Object.entries<SignalMeaning>(signals).map(([name, { words, unit, from, measured }]) => [
    `\`${name}\``,
    words,
    unit,
    `\`${from}\``,
    measured,
  ]);
  return tableOf(['signal', 'words', 'unit', 'source', 'how it is measured'], rows);
}

const cluesOf = ({ must, speaksFor, speaksAgainst, ceiling }: Rule) => [
  ...must,
  ...speaksFor,
  ...speaksAgainst,
  ...(ceiling?.unless ?? []),
];
const allClues: readonly Clue[] = rules.flatMap(cluesOf).flatMap((clue) => [clue, ...(clue.or ?? [])]);

function situationMarkdown(situation: Situation): string {
  const { name, says } = situationWords[situation];
  const own = rules.filter((rule) => rule.situation === situation);
  const title = `### ${name[0]?.toUpperCase()}${name.slice(1)}`;
  return [title, `\`${situation}\`. ${says}`, ...own.map(ruleMarkdown)].join('\n\n');
}

function ruleMarkdown(rule: Rule): string {
  const { cause, explains, of, most, ceiling, dwellMs, next } = rule;
  const limits = [
    ...(most === undefined ? [] : [`at most ${most} sure, for other things look the same`]),
    ...(ceiling ? [`at most ${ceiling.most} sure unless ${ceiling.unless.map(clueText).join(' or ')}`] : []),
    ...(dwellMs === undefined ? [] : [dwellMs === 0 ? 'told at once' : `told after ${dwellMs / 1000} s`]),
  ];
  const steps = next.map(({ text, key }) => (key === undefined ? text : `${text} (\`${key}\`)`));
  return [
    `${cause === undefined ? '' : `**${cause}.** `}${explains} Asked of ${subjects[of]}.`,
    '',
    ...cluesMarkdown('has to hold', rule.must),
    ...cluesMarkdown('speaks for it', rule.speaksFor),
    ...cluesMarkdown('speaks against it', rule.speaksAgainst),
    ...(limits.length > 0 ? [`- ${limits.join('; ')}`] : []),
    ...(steps.length > 0 ? [`- next: ${steps.join('; ')}`] : []),
  ].join('\n');
}

const subjects: Readonly<Record<Rule['of'], string>> = {
  run: 'the run',
  gpu: 'each GPU',
  queue: 'each queue',
};

function cluesMarkdown(name: string, clues: readonly Clue[]): readonly string[] {
  return clues.length === 0 ? [] : [`- ${name}: ${clues.map(clueText).join('; ')}`];
}

function clueText(clue: Clue): string {
  const { weight = 1, or = [], optional, needed } = clue;
  const notes = [
    ...(weight === 1 ? [] : [`weight ${weight}`]),
    ...(needed ? ['needed'] : []),
    ...(optional ? ['if told'] : []),
  ];
  return (
    [asked(clue), ...or.map((each) => `else ${asked(each)}`)].join(', ') +
    (notes.length > 0 ? ` (${notes.join(', ')})` : '')
  );
}

function asked({ signal, least, most }: Clue): string {
  const borders = [
    ...(least === undefined ? [] : [`at least ${valueOf(thresholds[least].value, signal)}`]),
    ...(most === undefined ? [] : [`at most ${valueOf(thresholds[most].value, signal)}`]),
  ];
  return `\`${signal}\` ${borders.length > 0 ? borders.join(' and ') : 'is told'}`;
}

function valueOf(value: number, signal: SignalName | undefined): string {
  const unit = signal === undefined ? '' : signals[signal].unit;
  return unit === '' ? String(value) : `${value} ${unit}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
