import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mb, report, say } from './figures.ts';
import { replayDemo } from './replay.tsx';

const seconds = 3600;
const everySeconds = 600;
/** Histories are full after ten minutes, the log's 2,000 lines after half an hour; then nothing may grow. */
const allowed = 0.05;

/** Whether memory grows with time: an hour of the demo on the replay's clock, a dump every five minutes. */
export async function measureGrowth(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used: number[] = [];
  let frames = 0;
  const dumps = Array.from({ length: seconds / 300 }, (_, n) => 60 + n * 300);
  await replayDemo({
    columns: 160,
    rows: 50,
    seconds,
    keys: dumps.flatMap((at) => [[at, 'd'] as const, [at + 1, 'q'] as const]),
    onBytes(bytes) {
      if (bytes !== '\x1b[?2026h' || ++frames % everySeconds !== 0) return;
      collect();
      used.push(process.memoryUsage().heapUsed);
    },
  });
  const [first = 0, last = 0] = [used[2], used.at(-1)];
  say('growth: an hour of the demo at 160x50 on a clock turned by hand, a dump every 5 minutes');
  report('heap after each 10 minutes', used.map((bytes) => (bytes / 1e6).toFixed(1)).join(' '));
  report('from 30 minutes to the hour', mb(last - first), {
    text: `< ${allowed * 100} %`,
    met: last < first * (1 + allowed),
  });
}
