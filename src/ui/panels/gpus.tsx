import { formatFixed, formatPercent } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { dotted } from '../parts/meter.ts';
import { clip, headerLine, inverted, placeColumns, rowLine } from '../parts/table.ts';
import { gpuGroups, groupNotes, groupRow } from './gpu-groups.ts';
import { compactGpu, gpuColumns, gpuRows, toneOf, words, type GpuRow } from './gpu-columns.ts';
import { gpuHolders } from './gpu-holders.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';
import { visibleRows } from './scroll.ts';

/** One row a GPU; two and more GPUs a row where there are more GPUs than rows. */
export function gpuLines(input: PanelInput): PanelBody {
  const { state, width, height } = input;
  const { gpus } = state;
  if (!gpus) return { lines: [] };
  const all = gpuRows(
    gpus,
    gpuHolders({ gpus, run: state.run?.run, processes: state.gpuProcesses, minors: state.facts?.nvidia?.minors }),
  );
  const groups = gpuGroups(all, state.gpuRoles);
  const rows = groups.flatMap((group) => group.rows);
  const room = height - rows.length - groups.length - 1;
  const isGrouped = groups.some(({ role }) => role !== undefined);
  const lined = isGrouped && room >= 0 ? groups.flatMap((group) => [groupRow(group), ...group.rows]) : rows;
  const lines = width < 1 || height < 1 ? [] : rows.length <= height ? table(input, lined) : compact(input, rows);
  return { lines, note: noteOf(gpus.name, rows, isGrouped ? groupNotes(groups) : []) };
}

/** The GPUs' panel. */
export const gpusPanel: Panel = {
  id: 'gpus',
  digit: '1',
  title: 'GPUs',
  Component: panelComponent({
    title: 'GPUs',
    digit: '1',
    slices: ['gpus', 'gpuProcesses', 'gpuRoles', 'run'],
    sources: ['gpu'],
    body: gpuLines,
    hasData: ({ gpus }) => gpus !== undefined,
  }),
  rowCount: ({ gpus }) => gpus?.uuid.length ?? 0,
};

function table(input: PanelInput, rows: readonly GpuRow[]): readonly Line[] {
  const { width, height, focused, view } = input;
  const placed = placeColumns(gpuColumns(input), width);
  const header = height > rows.length ? [headerLine(placed, width)] : [];
  let gpu = -1;
  return [
    ...header,
    ...rows.map((row) => {
      if (!row.group) gpu++;
      return rowLine(placed, row, { width, inverse: focused && !row.group && gpu === view.cursor });
    }),
  ];
}

/** As many GPUs a row as are needed, at least 27 cells each; what is still too much scrolls. */
function compact(input: PanelInput, rows: readonly GpuRow[]): readonly Line[] {
  const { width, height, focused, view } = input;
  const digits = Math.max(...rows.map(({ index }) => String(index).length));
  const most = Math.max(1, Math.floor((width + gap) / (26 + digits + gap)));
  const perLine = Math.min(most, Math.ceil(rows.length / height));
  const cell = Math.floor((width - gap * (perLine - 1)) / perLine);
  const cursor = Math.min(view.cursor, rows.length - 1);
  const count = Math.ceil(rows.length / perLine);
  const shown = visibleRows({ count, height, cursor: focused ? Math.floor(cursor / perLine) : 0 });
  return shown.map((line) => {
    const segments: Segment[] = [];
    rows.slice(line * perLine, (line + 1) * perLine).forEach((row, i) => {
      if (i > 0) segments.push({ text: ' '.repeat(gap) });
      const drawn = clip(compactGpu(input, row, { width: cell, digits }), cell);
      segments.push(...(focused && line * perLine + i === cursor ? inverted(drawn, cell) : drawn));
    });
    return segments;
  });
}

const gap = 2;

/** `8 × H200 · mean 87% · 4200 W · 3: hw thermal`. */
function noteOf(names: readonly (string | null)[], rows: readonly GpuRow[], roles: readonly Segment[]): Line {
  const pieces: Segment[] = [{ text: `${rows.length} × ${modelOf(names)}`, tone: 'dim' }];
  const utilizations = rows.map(({ utilization }) => utilization).filter((value) => value !== undefined);
  const powers = rows.map(({ power }) => power).filter((value) => value !== undefined);
  if (roles.length > 0) pieces.push(...roles);
  else if (utilizations.length > 0)
    pieces.push({ text: `mean ${formatPercent(sum(utilizations) / utilizations.length)}`, tone: 'dim' });
  if (powers.length > 0) pieces.push({ text: `${formatFixed(sum(powers), 0)} W`, tone: 'dim' });
  const worst = rows.find((row) => toneOf(row) === 'bad') ?? rows.find((row) => toneOf(row) === 'warn');
  if (worst) pieces.push({ text: `${worst.index}: ${words(worst)}`, tone: toneOf(worst) });
  return dotted(pieces);
}

/** The model's name without the maker's, when it is the same for all. */
function modelOf(names: readonly (string | null)[]): string {
  const short = new Set(names.map((name) => (name ?? 'GPU').replace(/^(NVIDIA|Tesla|GeForce|AMD|Instinct)\s+/gi, '')));
  const [only = 'GPU'] = short;
  return short.size === 1 ? only : 'GPU';
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
