import { expect, test } from 'vitest';
import type { Session } from '../../src/commands/session.ts';
import type { CaptureKind, CaptureRequest, CaptureSample, Sample } from '../../src/model/samples.ts';
import { playDemo } from '../support/demo-recording.ts';

const root = 41_207;

interface Wish {
  readonly scenario?: string;
  readonly seconds: number;
  /** What is done at a second of the demo. */
  readonly at: Readonly<Record<number, (session: Session) => void>>;
}

async function samplesOf({ scenario = 'healthy', seconds, at }: Wish): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  await playDemo({
    ...{ scenario, seconds },
    onSample: (sample) => void samples.push(sample),
    onStep: (session, second) => at[second]?.(session),
  });
  return samples;
}

const start = (request: CaptureRequest) => (session: Session) => void session.captures.start(request);
const of = <K extends Sample['kind']>(samples: readonly Sample[], kind: K) =>
  samples.filter((sample): sample is Extract<Sample, { kind: K }> => sample.kind === kind);
const last = (samples: readonly Sample[], what: CaptureKind): CaptureSample | undefined =>
  of(samples, 'capture').findLast((sample) => sample.what === what);

test('the demo host plays every kind of capture', { timeout: 60_000 }, async () => {
  const samples = await samplesOf({
    seconds: 60,
    at: {
      10: start({ what: 'dump', pids: [root] }),
      15: start({ what: 'native', pids: [root] }),
      20: start({ what: 'many', pids: [root], rounds: 3, everySeconds: 1 }),
      30: start({ what: 'record', pids: [root, root + 400], seconds: 5, rate: 20 }),
      45: start({ what: 'gil', pids: [root], seconds: 5, rate: 50 }),
    },
  });
  for (const what of ['dump', 'native', 'many', 'record', 'gil'] as const)
    expect(last(samples, what), JSON.stringify(last(samples, what))).toMatchObject({ state: 'done' });

  const [plain, native] = of(samples, 'stacks');
  const target = (dump: typeof plain) => dump?.threads.find(({ name }) => name === 'target-0');
  expect(target(plain)?.frames.some((frame) => frame.native)).toBe(false);
  expect(target(native)?.frames[0]?.native).toBe(true);
  expect(target(native)?.frames.at(-1)).toMatchObject({ function: '_bootstrap_inner' });
  // Autograd's threads are Python's too, and have machine code only.
  expect(native?.threads.filter(({ name }) => name === undefined)).toHaveLength(8);

  const profiles = of(samples, 'profile');
  const many = profiles.find(({ what }) => what === 'many');
  expect(many).toMatchObject({ samples: 3, errors: 0 });
  const { startedAt = NaN, endedAt = NaN } = last(samples, 'many') ?? {};
  expect(endedAt - startedAt).toBeGreaterThanOrEqual(2000);
  const counts = (profile: typeof many) => profile?.stacks.reduce((sum, { count }) => sum + count, 0);
  const [record, worker] = profiles.filter(({ what }) => what === 'record');
  expect(record).toMatchObject({ rate: 20, seconds: 5, samples: 100 });
  expect(counts(worker)).toBeGreaterThanOrEqual(98);
  expect(counts(worker)).toBeLessThanOrEqual(100);
  // One at most has the GIL at a time.
  const gil = profiles.find(({ what }) => what === 'gil');
  expect(counts(gil)).toBeGreaterThan(25);
  expect(counts(gil)).toBeLessThanOrEqual(250);
});

test('a record that is cancelled gives what was sampled until then', { timeout: 60_000 }, async () => {
  const samples = await samplesOf({
    seconds: 30,
    at: {
      10: start({ what: 'record', pids: [root + 400], seconds: 30, rate: 20 }),
      15: ({ captures, store }) => store.getState().captures.forEach(({ id }) => captures.cancel(id)),
    },
  });
  expect(last(samples, 'record')).toMatchObject({ state: 'partial' });
  const count = of(samples, 'profile')[0]?.stacks.reduce((sum, each) => sum + each.count, 0);
  expect(count).toBeGreaterThan(60);
  expect(count).toBeLessThan(130);
});

test('a dump with native frames may leave the process stopped', { timeout: 60_000 }, async () => {
  const samples = await samplesOf({
    scenario: 'left-stopped',
    seconds: 60,
    at: { 10: start({ what: 'native', pids: [root] }), 30: start({ what: 'native', pids: [root] }) },
  });
  const at = (second: number) =>
    of(samples, 'threads').find(({ time }) => time >= (samples[0]?.time ?? 0) + second * 1000);
  const states = (second: number) => {
    const frame = at(second);
    return new Set(frame?.state.filter((_, i) => frame.pid[i] === root));
  };
  expect(states(25)).not.toContain('T');
  expect([...states(50)]).toEqual(['T']);
  const steps = (from: number, until: number) =>
    of(samples, 'log').filter(
      ({ time }) => time >= (samples[0]?.time ?? 0) + from * 1000 && time < (samples[0]?.time ?? 0) + until * 1000,
    );
  expect(steps(10, 28).length).toBeGreaterThan(3);
  expect(steps(33, 60)).toEqual([]);
});
