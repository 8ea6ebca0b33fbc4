import type { StackClass } from '../../classes/names.ts';
import type { FlameNode, FlameOptions } from '../flame.ts';
import { flameTree } from '../flame.ts';
import type { Folded } from '../fold.ts';
import { classShares } from '../group.ts';
import { percent, titleOf, utc, type ExportAbout } from './about.ts';
import { classColours } from './colours.ts';
import { xml } from './xml.ts';

const width = 1200;
const margin = 10;
const rowHeight = 18;
/** Of the monospace font at 12 px: Python names are ASCII nearly always, and wider text only ends a little late. */
const characterWidth = 7.25;
/** Pixels: what is narrower cannot be seen, and hides in its parent. */
const narrowest = 0.4;
const titleHeight = 78;

/** A flame graph as one static picture, the root above: no script, so that it opens where scripts are not let in. */
export function exportSvg(folded: Folded, about: ExportAbout, options: FlameOptions = {}): string {
  const levels = folded.processes.length > 1 ? (['process', 'role'] as const) : (['role'] as const);
  const root = flameTree(folded.stacks, { levels, ...options });
  const { cells, depth, hidden } = cellsOf(root);
  const legend = legendOf(folded, titleHeight + (depth + 1) * rowHeight + 14);
  const title = titleOf(about, folded);
  const what = `${utc(about.capture.startedAt)} · ${order(options)} · ${about.versions.join(' · ')}`;
  const note = hidden > 0 ? ` · ${hidden} too narrow to be drawn` : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${legend.bottom}" viewBox="0 0 ${width} ${legend.bottom}" role="img">`,
    `<title>${xml(title)}</title>`,
    `<style>text{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#111}text.t{font-size:15px;font-weight:bold}` +
      `text.n{font-style:italic}rect{stroke:#fff;stroke-width:.5}g:hover rect{stroke:#000;stroke-width:1}</style>`,
    `<rect width="100%" height="100%" fill="#fff" stroke="none"/>`,
    `<text class="t" x="${margin}" y="24">${xml(cut(title, 9.1, width - 2 * margin))}</text>`,
    ...[what + note, about.capture.notes.join(' ')].map(
      (line, i) =>
        `<text x="${margin}" y="${44 + i * 18}">${xml(cut(line, characterWidth, width - 2 * margin))}</text>`,
    ),
    ...cells,
    ...legend.lines,
    '</svg>',
    '',
  ].join('\n');
}

function order({ order = 'outermost' }: FlameOptions): string {
  return order === 'outermost' ? 'outermost frames above' : 'innermost frames above';
}

interface Place {
  readonly node: FlameNode;
  readonly x: number;
  readonly width: number;
}

function cellsOf(root: FlameNode) {
  const cells: string[] = [];
  let hidden = 0;
  let depth = 0;
  let row: readonly Place[] = root.count > 0 ? [{ node: root, x: margin, width: width - 2 * margin }] : [];
  for (; row.length > 0; depth++) {
    const next: Place[] = [];
    for (const place of row) {
      cells.push(cellOf(place, root));
      let { x } = place;
      for (const node of place.node.children) {
        const wide = (node.weight / place.node.weight) * place.width;
        if (wide < narrowest) hidden++;
        else next.push({ node, x, width: wide });
        x += wide;
      }
    }
    row = next;
  }
  return { cells, depth, hidden };
}

function cellOf({ node, x, width: wide }: Place, root: FlameNode): string {
  const { label, count, self, frame, depth } = node;
  const y = titleHeight + depth * rowHeight;
  const own = self > 0 && self < count ? `, ${self} of them end here` : '';
  const about = `${label}\n${count} of ${root.count}, ${percent(node.weight / root.weight)}${own}\n${node.class}`;
  const text = cut(label, characterWidth, wide - 6);
  const place = `x="${fixed(x)}" y="${y}" width="${fixed(wide)}" height="${rowHeight - 1}"`;
  return (
    `<g><title>${xml(about)}</title><rect ${place} rx="1" fill="${frame ? classColours[node.class] : '#d8d8d8'}"/>` +
    (text === ''
      ? ''
      : `<text${frame?.native ? ' class="n"' : ''} x="${fixed(x + 3)}" y="${y + 13}">${xml(text)}</text>`) +
    '</g>'
  );
}

/** What the colours mean, with the share of each class, in as many lines as it takes. */
function legendOf({ stacks }: Folded, top: number) {
  const lines: string[] = [];
  let [x, y] = [margin, top];
  const add = (of: StackClass, share: number) => {
    const text = `${of} ${percent(share)}`;
    const wide = 22 + text.length * characterWidth + 16;
    if (x + wide > width - margin) [x, y] = [margin, y + rowHeight];
    lines.push(
      `<rect x="${fixed(x)}" y="${y}" width="14" height="14" fill="${classColours[of]}"/>` +
        `<text x="${fixed(x + 20)}" y="${y + 12}">${xml(text)}</text>`,
    );
    x += wide;
  };
  for (const { class: of, share } of classShares(stacks)) add(of, share);
  return { lines, bottom: y + rowHeight + margin };
}

/** Text that fits; nothing where not even three characters do. */
function cut(text: string, each: number, room: number): string {
  const most = Math.floor(room / each);
  if (text.length <= most) return text;
  return most < 3 ? '' : `${text.slice(0, most - 1)}…`;
}

function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}
