import type { SavedFile } from '../collectors/stacks/saved-files.ts';
import { roleFinder } from '../model/roles/finder.ts';
import type { CaptureResult, CaptureSample } from '../model/samples.ts';
import { aboutCapture } from '../model/stacks/export/about.ts';
import { exportSpeedscope } from '../model/stacks/export/speedscope.ts';
import { exportSvg } from '../model/stacks/export/svg.ts';
import { exportText } from '../model/stacks/export/text.ts';
import { foldResults } from '../model/stacks/fold.ts';
import type { State } from '../model/store.ts';
import { version } from './version.ts';

/** What is written of every capture that is kept: text for the pager, and of what was sampled a flame graph and a file for speedscope. */
export function captureExports(
  state: State,
  capture: CaptureSample,
  results: readonly CaptureResult[],
): readonly SavedFile[] {
  const { run, threadNames, threads } = state;
  const folded = foldResults(results, { run: run?.run, threadNames, threads, roleOf: roleFinder(state) });
  const about = aboutCapture(state, capture, version);
  const text = { name: 'stacks.txt', text: exportText(folded, about) };
  if (capture.what === 'dump' || capture.what === 'native') return [text];
  return [
    text,
    { name: 'flame.svg', text: exportSvg(folded, about) },
    { name: 'speedscope.json', text: exportSpeedscope(folded, about) },
  ];
}
