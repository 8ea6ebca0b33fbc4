import { it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { guardScript, type SpyJob } from '../../../src/collectors/stacks/guard.ts';
import { startStream } from '../../../src/collectors/stream.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { startWorkload } from '../../support/workload.ts';
import { madeContext } from '../made-context.ts';

it('spike', { timeout: 60000 }, async () => {
  const w = await startWorkload({ threads: [{ name: 'target-0', percent: 10 }] });
  const transport = createLocalTransport();
  await transport.connect();
  const go = (job: SpyJob, cancelMs?: number) =>
    new Promise<void>((resolve) => {
      const t0 = Date.now();
      let n = 0;
      void startStream({
        transport, clock: systemClock, name: 'stacks', talks: true,
        body: guardScript(madeContext({ options: { intervalMs: 1000, threads: 'proc', logs: [], pySpy: '/opt/pyspy/bin/py-spy' } } as never), job),
        onLine: (l) => { n++; if (l.startsWith('@') || n < 12) console.log(Date.now() - t0, l.slice(0, 140)); },
        onEnd: (e) => { console.log('END', Date.now() - t0, JSON.stringify(e)); resolve(); },
      }).then((s) => { if (cancelMs) setTimeout(() => s.send('cancel'), cancelMs); });
    });
  for (const job of [
    { what: 'dump', pid: w.pid }, { what: 'native', pid: w.pid }, { what: 'many', pid: w.pid, rounds: 2 },
    { what: 'record', pid: w.pid, seconds: 3 },
  ] as const) { console.log('=====', job.what); await go(job); }
  console.log('===== cancel'); await go({ what: 'record', pid: w.pid, seconds: 20 }, 2000);
  console.log('===== cancel many'); await go({ what: 'many', pid: w.pid, rounds: 20 }, 2000);
  await transport.close();
  await w.stop();
});
