import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { logCollector } from '../../src/collectors/log/collector.ts';
import { createRunner } from '../../src/collectors/run.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { logPath } from '../../src/demo/places.ts';
import { createDirectDemoTransport } from '../../src/demo/transport.ts';
import type { LogSample, Sample } from '../../src/model/samples.ts';

test('the demo has its log for those who name it by a pattern, and no other', async () => {
  const startedAt = 1_700_000_000_000;
  const clock = createManualClock(startedAt);
  const samples: Sample[] = [];
  const pattern = logPath.replace('0612', '*');
  const runner = createRunner({
    transport: createDirectDemoTransport(createMachine({ seed: 27, startedAt }), clock),
    collectors: [logCollector],
    options: { intervalMs: 1000, threads: 'proc', logs: [pattern, '/nowhere.log'] },
    clock,
    onSample: (sample) => void samples.push(sample),
  });
  const started = runner.start();
  for (let i = 0; i < 200; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100);
  }
  await started;
  const logs = samples.filter((sample): sample is LogSample => sample.kind === 'log');
  expect(new Set(logs.map(({ path, source }) => `${source} ${path}`))).toEqual(new Set([`log ${logPath}`]));
  const steps = logs
    .filter(({ backlog }) => !backlog)
    .flatMap(({ lines }) => lines.flatMap((line) => line.values?.step ?? []));
  expect(steps.length).toBeGreaterThan(3);
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
  const states = samples.flatMap((sample) =>
    sample.kind === 'source' ? `${sample.source} ${sample.status} ${sample.reason ?? ''}` : [],
  );
  expect(states.findLast((state) => state.startsWith('log:2'))).toMatch(/^log:2 failed there is no \/nowhere\.log on /);
  expect(states).toContain('log live ');
  await runner.stop();
});
