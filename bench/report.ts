import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Figures, mb, median, report, say } from './figures.ts';
import { manyThreads } from './many-threads.ts';
import { nightRecording } from './night.ts';

const limit = { ms: 3000, bytes: 5e6 };
const times = 5;

/** The report of a night, by the real program. */
export async function measureReport(): Promise<Figures> {
  const path = await nightRecording({ hours: 12, threads: manyThreads({ threads: 300, active: 60 }) });
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-report-'));
  try {
    const output = join(folder, 'night.html');
    const lasted = Array.from({ length: times }, () => {
      const start = performance.now();
      execFileSync(process.execPath, [resolve('bin/traintop.js'), 'report', path, '-o', output]);
      return performance.now() - start;
    });
    const [reportMs, reportBytes] = [median(lasted), statSync(output).size];
    say('report: twelve hours of the demo, 8 GPUs, 300 threads');
    report('traintop report, from start to end', `${Math.round(reportMs)} ms`, {
      text: '< 3 s',
      met: reportMs < limit.ms,
    });
    report('the page', mb(reportBytes), { text: '< 5 MB', met: reportBytes < limit.bytes });
    return { reportMs, reportBytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
