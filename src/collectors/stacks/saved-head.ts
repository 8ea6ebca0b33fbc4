import type { Run } from '../../model/run.ts';
import { savedFormat } from '../../model/saved-capture.ts';
import type { CaptureResult, CaptureSample } from '../../model/samples.ts';

/** The head of a kept capture. `state` is that of the Sample: one that stays `waiting` or `running` was never finished. */
export function headText(capture: CaptureSample, run: Run | undefined, results: readonly CaptureResult[]): string {
  const root = run?.processes.find(({ pid }) => pid === run.rootPid);
  const captured = new Map(results.map((result) => [result.pid, result.command]));
  const head = {
    format: savedFormat,
    ...capture,
    // The folder may be moved.
    files: capture.files.map((path) => path.slice(path.lastIndexOf('/') + 1)),
    ...(run && { run: { id: run.id, command: root?.commandLine.join(' ') ?? '', startTime: root?.startTime } }),
    processes: [...captured].map(([pid, command]) => ({
      pid,
      rank: run?.processes.find((each) => each.pid === pid)?.rank,
      command,
    })),
  };
  return `${JSON.stringify(head, undefined, 2)}\n`;
}

/** The results of a kept capture. */
export function resultsText(results: readonly CaptureResult[]): string {
  return results.map((result) => `${JSON.stringify(result)}\n`).join('');
}
