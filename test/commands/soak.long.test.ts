import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { manyThreads } from '../../bench/many-threads.ts';
import type { Session } from '../../src/commands/session.ts';
import { playDemo } from '../support/demo-recording.ts';

/** Then the newest ten minutes of the history are full. */
const warmUpMinutes = 11;
const minutes = 25;

/** The short form of `npm run soak:watch`, which goes on for an hour of real time. */
test(
  'what a watch keeps in memory does not grow: 8 GPUs, 300 threads, 50 log lines a second, recorded, alarms on',
  { timeout: 240_000 },
  async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const folder = mkdtempSync(join(tmpdir(), 'traintop-soak-'));
    const held: number[] = [];
    try {
      await playDemo({
        seconds: minutes * 60,
        threads: manyThreads({ threads: 300, active: 60 }),
        folder: join(folder, 'run'),
        keepsWatch: true,
        async onStep(session, second) {
          writeLog(session, second);
          if (second % 60 !== 0) return;
          for (let turn = 0; turn < 3; turn++) {
            collect();
            await new Promise(setImmediate);
          }
          const { heapUsed, external } = process.memoryUsage();
          held.push(heapUsed + external);
        },
      });
      const [first = NaN, last = NaN] = [held[warmUpMinutes], held.at(-1)];
      expect(held).toHaveLength(minutes);
      expect((last - first) / 1e6).toBeLessThan(10);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Half a second of a log beside the run's own. */
function writeLog(session: Session, second: number) {
  const time = session.clock.now();
  const lines = Array.from({ length: 25 }, (_, n) => ({
    time,
    text: `rank${n % 8} step ${Math.round(second * 2)} batch ${n} loss 2.${Math.round(second * 97) % 1000} 14.5K tok/s`,
    values: { step: Math.round(second * 2), loss: 2 + ((second * 97) % 1000) / 1000 },
  }));
  const head = { host: session.transport.target, source: 'log:2', time, receivedAt: time };
  session.take({ kind: 'log', ...head, path: '/out/rank.log', format: 'generic', lines });
}
