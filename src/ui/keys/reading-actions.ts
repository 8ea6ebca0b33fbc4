import { nodeInLayout, stepFlame, type FlameStep } from '../../model/stacks/flame-walk.ts';
import { groupings } from '../../model/stacks/group.ts';
import { flameOf } from '../captures/flame.ts';
import { exportName, markdownOf, textOf } from '../captures/exports.ts';
import { readingRows } from '../captures/rows.ts';
import { captureRows, readCapture, type CaptureRow, type ReadCapture } from '../captures/select.ts';
import { groupingOf } from '../captures/view-rows.ts';
import type { CaptureFiles } from '../controls.ts';
import { innerSize } from '../parts/frame.tsx';
import type { Move, Notice } from '../ui-state.ts';
import type { KeyContext } from './context.ts';

/** The list of captures; what is kept on this machine comes when it was looked at. */
export function openList({ controls, dispatch }: KeyContext): void {
  dispatch({ type: 'captures' });
  void controls.files?.list().then(
    (list) => dispatch({ type: 'captureList', list }),
    (error: unknown) => dispatch(notice(sentence(error), 'warn')),
  );
}

/** Opens a capture of the State. */
export function readIt({ dispatch }: KeyContext, { id, fromList = false }: { id: string; fromList?: boolean }): void {
  dispatch({ type: 'notice', notice: undefined });
  dispatch({ type: 'read', id, fromList });
}

/** Opens the capture under the cursor of the list. */
export function readRow(context: KeyContext): void {
  const row = rowUnderCursor(context);
  if (!row) return;
  const { controls, dispatch } = context;
  const { id } = row.capture;
  if (!row.saved) return readIt(context, { id, fromList: true });
  void controls.files?.open(row.saved.folder).then(
    (saved) => dispatch({ type: 'read', id: saved.capture.id, saved, fromList: true }),
    (error: unknown) => dispatch(notice(sentence(error), 'warn')),
  );
}

/** The capture that the keys are for: the one that is read, or the one under the cursor of the list. */
export function readNow({ controls, ui }: KeyContext): ReadCapture | undefined {
  return readCapture(controls.store.getState(), ui.reading.capture, ui.reading.saved);
}

/** Remembers one to compare with; with another one that is remembered: what differs. */
export function compare(context: KeyContext): void {
  const { ui, dispatch } = context;
  const { marked, capture: id, saved } = ui.reading;
  if (id === undefined) return;
  if (marked?.id === id) {
    dispatch({ type: 'markCapture', marked: undefined });
    dispatch(notice('It is compared with nothing any more.'));
  } else if (!marked) {
    dispatch({ type: 'markCapture', marked: { id, saved } });
    dispatch(notice('Remembered: open another capture and press = there to see what differs.'));
  } else dispatch({ type: 'readingView', view: ui.reading.view === 'difference' ? 'stacks' : 'difference' });
}

/** Roles, threads, processes, and round again. */
export function groupNext(context: KeyContext): void {
  const read = readNow(context);
  if (!read) return;
  const at = groupings.indexOf(groupingOf(read, context.ui.reading));
  const by = groupings[(at + 1) % groupings.length];
  if (by) context.dispatch({ type: 'groupBy', by });
}

/** The cursor of the rows. */
export function moveRow({ controls, ui, dispatch }: KeyContext, move: Move): void {
  dispatch({ type: 'stackRow', move, count: readingRows(controls.store.getState(), ui.reading).length });
}

/** The cursor of the flame. */
export function moveFlame(context: KeyContext, step: FlameStep): void {
  const flame = flameNow(context);
  if (!flame) return;
  const { ui, dispatch } = context;
  const from = nodeInLayout(flame, ui.reading.flame.at ?? flame.zoom);
  dispatch({ type: 'flame', place: { ...ui.reading.flame, at: stepFlame(flame, from, step) } });
}

/** The node under the cursor has the whole width. */
export function zoomFlame(context: KeyContext): void {
  const flame = flameNow(context);
  if (!flame) return;
  const at = nodeInLayout(flame, context.ui.reading.flame.at ?? flame.zoom);
  context.dispatch({ type: 'flame', place: { zoom: at, at } });
}

/** One node out; from the root back to the rows. */
export function leaveFlame({ ui, dispatch }: KeyContext): void {
  const { zoom } = ui.reading.flame;
  if (!zoom?.parent) return dispatch({ type: 'readingView', view: 'stacks' });
  dispatch({ type: 'flame', place: { zoom: zoom.parent, at: zoom } });
}

/** The capture as text in the user's pager. */
export function page(context: KeyContext): void {
  const read = readNow(context);
  const { controls, dispatch, handOver } = context;
  if (!read || !controls.files) return;
  const init = { name: exportName(read, 'txt'), text: textOf(controls, read) };
  // Before the notice: the next key is the pager's.
  const shown = controls.files.page(init, handOver);
  // What a key said that was typed ahead stays.
  void shown.then((said) => said && dispatch({ type: 'notice', notice: said }));
}

/** Its path, on the clipboard. */
export function copyPath(context: KeyContext): void {
  const { dispatch } = context;
  const read = readNow(context);
  const path =
    read?.capture.files[0] ?? context.ui.reading.list?.find((each) => each.capture.id === read?.capture.id)?.folder;
  if (path === undefined)
    return dispatch(notice('This capture was not saved: there is no path to copy. e writes it to a file.', 'warn'));
  withFiles(context, async (files) => `Copied ${await files.copy(path)}: ${path}`);
}

/** Markdown for an issue report, beside the capture. */
export function exportMarkdown(context: KeyContext): void {
  const read = readNow(context);
  if (!read) return;
  withFiles(context, async (files) => {
    const path = await files.write({
      capture: read.capture,
      name: exportName(read, 'md'),
      text: markdownOf(context.controls, read),
    });
    return `Markdown for an issue report is in ${path}`;
  });
}

/** Does it and says how it went. */
function withFiles({ controls, dispatch }: KeyContext, job: (files: CaptureFiles) => Promise<string>) {
  if (!controls.files) return;
  void job(controls.files).then(
    (text) => dispatch(notice(text)),
    (error: unknown) => dispatch(notice(sentence(error), 'warn')),
  );
}

/** The rows of the list, and the one under its cursor. */
export function rowUnderCursor({ controls, ui }: KeyContext): CaptureRow | undefined {
  const rows = captureRows(controls.store.getState(), ui.reading);
  return rows[Math.min(ui.reading.listCursor, rows.length - 1)];
}

function flameNow(context: KeyContext) {
  const read = readNow(context);
  const { layout, ui } = context;
  if (!read || !layout) return undefined;
  return flameOf(read, ui.reading, innerSize(layout.body).width);
}

function notice(text: string, tone: Notice['tone'] = 'plain') {
  return { type: 'notice', notice: { text, tone } } as const;
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
