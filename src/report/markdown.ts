import { code, codeBlock } from '../model/stacks/export/code.ts';
import type { Bar, Block, Chart, Document, Figure, Row, Section, Strip } from './document.ts';
import { absent, plain, short } from './words.ts';

const sparkCells = 60;
/** Curves of one chart: GPUs are many, and alike. */
const mostCurves = 8;
/** Lines of a block: who reads an issue wants to see what it was, and has the rest in the page and the evidence. */
const mostLines = 12;
const mostWidth = 200;
const most = 60_000;

/** The report as Markdown, for a pull request or an issue. Nothing in it links, notifies or becomes HTML. */
export function reportMarkdown(document: Document): string {
  const head = [`# ${inline(document.title)}`, inline(document.about)];
  const foot = inline(document.foot);
  const sections = document.sections.map((section) => sectionText(section, document).join('\n\n'));
  const room = most - foot.length;
  const kept: string[] = [...head];
  let used = kept.join('\n\n').length;
  let left = 0;
  for (const text of sections) {
    if (used + text.length > room) left++;
    else {
      kept.push(text);
      used += text.length + 2;
    }
  }
  if (left > 0) kept.push(`${left} sections are left out: they would make it longer than an issue may be.`);
  return `${[...kept, `<sub>${foot}</sub>`].join('\n\n')}\n`;
}

function sectionText({ title, blocks }: Section, document: Document): readonly string[] {
  return [`## ${inline(title)}`, ...blocks.flatMap((block) => blockText(block, document))];
}

function blockText(block: Block, document: Document): readonly string[] {
  switch (block.is) {
    case 'lead':
    case 'text':
      return [inline(block.text)];
    case 'note':
      return [`_${inline(block.text)}_`];
    case 'figures':
      return [table(['Figure', 'Value', ''], block.figures.map(figureRow))];
    case 'table':
      return [table(block.head, block.rows)];
    case 'bars':
      return [table(['', 'Share', ''], block.bars.map(barRow))];
    case 'strip':
      return [strip(block)];
    case 'charts':
      return sparks(document.charts.charts.filter(({ name }) => block.names.includes(name)));
    case 'lines':
      return [linesText(block.lines)];
    case 'more':
      return [
        `<details><summary>${inline(block.title)}</summary>`,
        ...block.blocks.flatMap((each) => blockText(each, document)),
        '</details>',
      ];
  }
}

/** The last ones, for a log; a stack is short enough. */
function linesText(lines: readonly string[]): string {
  const left = Math.max(0, lines.length - mostLines);
  const shown = lines.slice(left).map((line) => (line.length > mostWidth ? `${line.slice(0, mostWidth)} ...` : line));
  return codeBlock([
    ...(left > 0 ? [`... ${left} lines before these: in the page and in the evidence`] : []),
    ...shown,
  ]);
}

function figureRow({ label, value, note = '' }: Figure): Row {
  return [label, value, note];
}

function barRow({ label, share, text }: Bar): Row {
  const full = Math.round(share * 20);
  return [label, `${'█'.repeat(full)}${'░'.repeat(20 - full)}`, text];
}

function table(head: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inline).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** One letter for each slice: the verdict that stood first for the longest in it. */
function strip({ from, to, parts }: Strip) {
  const width = (to - from) / sparkCells || 1;
  const letters = Array.from({ length: sparkCells }, (_, i) => {
    const [begin, end] = [from + i * width, from + (i + 1) * width];
    let best = { letter: '·', ms: 0 };
    for (const part of parts) {
      const ms = Math.min(part.to, end) - Math.max(part.from, begin);
      if (ms > best.ms) best = { letter: part.letter, ms };
    }
    return best.letter;
  });
  const names = new Map(parts.map(({ letter, label }) => [letter, label.replace(/ \(.*/, '')]));
  const legend = [...names].map(([letter, name]) => `${letter} ${name}`).join(', ');
  return [codeBlock([letters.join('')]), inline(`Verdicts: ${legend}.`)].join('\n\n');
}

/** What is one curve, or two, is seen at once. */
function sparks(charts: readonly Chart[]): readonly string[] {
  const [few, many] = [charts.filter(isFew), charts.filter((chart) => !isFew(chart))];
  return [
    ...sparkTable(few),
    ...many.flatMap((chart) => [
      `<details><summary>${inline(chart.title)}</summary>`,
      ...sparkTable([chart]),
      '</details>',
    ]),
  ];
}

const isFew = ({ curves }: Chart) => curves.length <= 2;

function sparkTable(charts: readonly Chart[]): readonly string[] {
  const rows = charts.flatMap(({ title, unit, curves }) => [
    ...curves.slice(0, mostCurves).map(({ label, values }): Row => {
      const known = values.filter((value) => value !== null);
      const text = (value: number) => (unit === '' ? plain(value) : `${short(Number(value.toPrecision(4)))} ${unit}`);
      const range = known.length === 0 ? absent : `${text(Math.min(...known))} to ${text(Math.max(...known))}`;
      return [curves.length === 1 ? title : `${title}, ${label}`, spark(values, unit === ''), range];
    }),
    ...(curves.length > mostCurves ? [[`${title}: ${curves.length - mostCurves} more`, '', ''] as const] : []),
  ]);
  return rows.length === 0 ? [] : [table(['', 'Course', 'Range'], rows)];
}

const steps = '▁▂▃▄▅▆▇█';

/** The means of as many slices; a slice without a value is a gap. What varies by little looks so, but for a loss. */
function spark(values: readonly (number | null)[], isFree: boolean): string {
  const count = Math.min(sparkCells, values.length);
  const slices = Array.from({ length: count }, (_, i) => {
    const part = values.slice(Math.floor((i * values.length) / count), Math.floor(((i + 1) * values.length) / count));
    const known = part.filter((value) => value !== null);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
  const known = slices.filter((value) => value !== undefined);
  const high = Math.max(...known);
  const low = isFree ? Math.min(...known) : Math.min(...known, high > 0 ? high * 0.75 : Infinity);
  return slices
    .map((value) => {
      if (value === undefined) return ' ';
      const part = high === low ? 0.5 : (value - low) / (high - low);
      return steps[Math.min(steps.length - 1, Math.floor(part * steps.length))];
    })
    .join('');
}

/** Text of a host as text: what Markdown, GitHub or HTML would make something of is escaped; backticks of our own sentences are code. */
function inline(text: string): string {
  return text
    .split(/(`traintop [a-z -]+`)/)
    .map((part, i) => (i % 2 === 1 ? code(part.slice(1, -1)) : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  return (
    text
      .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
      .replace(/[\\`*_[\]|~]/g, '\\$&')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // Nobody is notified, nothing becomes a link to an issue or a page.
      .replace(/@(?=\w)/g, '@\u200b')
      .replace(/#(?=\d)/g, '#\u200b')
      .replace(/\b(https?|ftp|www)(?=[:.])/gi, '$1\u200b')
  );
}
