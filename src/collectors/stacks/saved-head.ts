import type { Run } from '../../model/run.ts';
import type { CaptureResult, CaptureSample } from '../../model/samples.ts';

/** Tells of a capture in its folder: written before anything else, and anew when all is there. */
export const headFile = 'capture.json';

/** What its first field says. */
export const headFormat = 'traintop capture 1';

/** The text of that file. `state` is that of the Sample: one that stays `waiting` or `running` was never finished. */
export function headText(capture: CaptureSample, run: Run | undefined, results: readonly CaptureResult[]): string {
  const { kind: _k, source: _s, time: _t, receivedAt: _r, files, ...told } = capture;
  const root = run?.processes.find(({ pid }) => pid === run.rootPid);
  const head = {
    format: headFormat,
    ...told,
    ...(run && {
      run: { id: run.id, command: root?.commandLine.join(' ') ?? '', startTime: root?.startTime },
    }),
    processes: [...new Map(results.map((result) => [result.pid, result])).values()].map(({ pid, command }) => ({
      pid,
      rank: run?.processes.find((each) => each.pid === pid)?.rank,
      command,
    })),
    // The folder may be moved.
    files: files.map((path) => path.slice(path.lastIndexOf('/') + 1)),
  };
  return `${JSON.stringify(head, undefined, 2)}\n`;
}
