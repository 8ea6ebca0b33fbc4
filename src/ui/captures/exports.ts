import type { CaptureSample } from '../../model/samples.ts';
import { aboutCapture } from '../../model/stacks/export/about.ts';
import { exportMarkdown } from '../../model/stacks/export/markdown.ts';
import { exportText } from '../../model/stacks/export/text.ts';
import type { Controls } from '../controls.ts';
import type { ReadCapture } from './select.ts';

/** The capture as text, for a pager. */
export function textOf(controls: Controls, { capture, folded }: ReadCapture): string {
  return exportText(folded, aboutOf(controls, capture));
}

/** The capture as Markdown, for an issue report. */
export function markdownOf(controls: Controls, { capture, folded }: ReadCapture): string {
  return exportMarkdown(folded, aboutOf(controls, capture));
}

/** A name for a file of it: `stacks.txt`. */
export function exportName({ capture }: { readonly capture: CaptureSample }, ending: string): string {
  return `${capture.what}.${ending}`;
}

function aboutOf({ store, files }: Controls, capture: CaptureSample) {
  return aboutCapture(store.getState(), capture, files?.version ?? '');
}
