import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Runner } from '../../../src/collectors/run.ts';
import { createCaptures } from '../../../src/collectors/stacks/captures.ts';
import type { CaptureSample, ProfileSample, Sample, StacksSample } from '../../../src/model/samples.ts';
import { listCaptures, openCapture } from '../../../src/recording/saved-captures.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { describeWith } from '../../support/requires.ts';
import { makeSpied, type Spied } from '../../support/spied.ts';
import { waitFor } from '../../support/waiting.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'traintop-captures-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const capturesOf = (samples: readonly Sample[]) =>
  samples.filter((each): each is CaptureSample => each.kind === 'capture');
const countsByName = ({ threads, stacks }: ProfileSample) => {
  const counts = new Map<string, number>();
  for (const { thread, count } of stacks) {
    const name = threads[thread]?.name ?? '?';
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
};

describeWith(['python3', 'py-spy'], 'captures of a real process', () => {
  let workload: Workload;
  let runner: Runner;
  let spied: Spied;
  beforeAll(async () => {
    workload = await startWorkload({ threads: [{ name: 'target-0', percent: 30 }, { name: 'drafter-1' }] });
    spied = makeSpied();
    runner = await localRunner({ pySpy: spied.pySpy });
  });
  afterAll(async () => {
    await runner.stop();
    await workload.stop();
    spied.remove();
  });

  it('a dump joins names with TIDs of the kernel, and is kept for its owner only', async () => {
    const { capture, results } = await captureOn(runner, { what: 'dump', pids: [workload.pid] }, { dataDir });
    expect(capture).toMatchObject({ state: 'done', samples: 1, errors: 0, notes: [] });
    const [dump] = results as readonly StacksSample[];
    for (const { tid } of dump?.threads ?? []) {
      expect(readFileSync(`/proc/${workload.pid}/task/${tid}/stat`, 'utf8')).toBeTruthy();
    }
    expect(dump?.threads[0]).toMatchObject({ name: 'MainThread', tid: workload.pid });
    expect(dump?.threads.find(({ tid }) => tid === workload.tids['target-0'])?.frames.length).toBeGreaterThan(0);
    expect(dump).toMatchObject({ capture: capture.id, pid: workload.pid });
    const [kept] = await listCaptures(dataDir, Date.now());
    expect(kept?.folder).toMatch(/captures\/\d{4}-\d\d-\d\dT[\d-]+Z_local_dump_\d+$/);
    for (const path of [join(dataDir, 'captures'), kept?.folder ?? '']) expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(kept?.folder ?? '')) {
      expect(statSync(join(kept?.folder ?? '', name)).mode & 0o777, name).toBe(0o600);
    }
    const { capture: read, results: same } = await openCapture(kept?.folder ?? '', Date.now());
    expect({ ...read, time: 0, receivedAt: 0 }).toEqual({ ...capture, time: 0, receivedAt: 0 });
    expect(same).toEqual(results);
  });

  it('a native dump has frames of libraries', async () => {
    const { capture, results } = await captureOn(runner, { what: 'native', pids: [workload.pid] });
    expect(capture).toMatchObject({ state: 'done', notes: [] });
    const [dump] = results as readonly StacksSample[];
    expect(dump?.native).toBe(true);
    expect(dump?.threads.flatMap(({ frames }) => frames).some(({ native, file }) => native && /\.so/.test(file))).toBe(
      true,
    );
  });

  it('many dumps are folded, and told as they come', async () => {
    const { capture, results, samples } = await captureOn(runner, { what: 'many', pids: [workload.pid], rounds: 2 });
    expect(capture).toMatchObject({ state: 'done', samples: 2, errors: 0 });
    expect(capturesOf(samples).some(({ state, samples: n }) => state === 'running' && n !== undefined && n < 3)).toBe(
      true,
    );
    const [profile] = results as readonly ProfileSample[];
    expect(profile).toMatchObject({ samples: 2, errors: 0 });
    // A pause of one, and what the first dump took.
    expect(profile?.seconds).toBeGreaterThan(1);
    expect(profile?.rate).toBeUndefined();
    expect([...countsByName(profile as ProfileSample).values()]).toEqual([2, 2, 2]);
  });

  it('a record counts samples of all threads, the GIL share of one', async () => {
    const of = { pids: [workload.pid], seconds: 1, rate: 50 };
    const [record, gil] = await Promise.all([
      captureOn(runner, { what: 'record', ...of }, { dataDir }),
      captureOn(runner, { what: 'gil', ...of }),
    ]);
    expect(record.capture).toMatchObject({ state: 'done', rate: 50 });
    const [profile] = record.results as readonly ProfileSample[];
    expect(profile).toMatchObject({ rate: 50, pid: workload.pid });
    // py-spy looks at random moments: it may be done sooner.
    expect(profile?.seconds).toBeGreaterThan(0.2);
    expect(profile?.seconds).toBeLessThanOrEqual(1);
    // Each look counts each thread once.
    expect([...countsByName(profile as ProfileSample).values()]).toEqual(Array(3).fill(profile?.samples));
    expect(record.capture.files.map((path) => path.split('/').at(-1))).toEqual([
      `${workload.pid}.raw.txt`,
      'results.jsonl',
    ]);
    expect(gil.capture.state).toBe('done');
    expect((gil.results[0] as ProfileSample).stacks.length).toBeGreaterThan(0);
  });

  it('a record that is cancelled keeps its part, marked', async () => {
    const { capture, results } = await captureOn(
      runner,
      { what: 'record', pids: [workload.pid], seconds: 600 },
      {
        dataDir,
        onSample(sample, captures) {
          if (sample.kind === 'capture' && sample.state === 'running')
            void spied.sampling().then(() => captures.cancel(sample.id));
        },
      },
    );
    expect(capture.state).toBe('partial');
    const [profile] = results as readonly ProfileSample[];
    expect(profile?.seconds).toBeLessThan(60);
    expect(profile?.samples).toBeGreaterThan(0);
    const [kept] = await listCaptures(dataDir, Date.now());
    expect(kept?.capture).toMatchObject({ id: capture.id, state: 'partial' });
  });

  it('a capture that waits for its turn is cancelled at once, and takes none', async () => {
    const samples: Sample[] = [];
    const captures = createCaptures({
      host: 'local',
      runner,
      clock: systemClock,
      take: (sample) => samples.push(sample),
    });
    const record = { what: 'record', pids: [workload.pid], seconds: 600 } as const;
    const running = [captures.start(record), captures.start(record)];
    const waiting = captures.start({ what: 'dump', pids: [workload.pid] });
    await waitFor('both to run', () => capturesOf(samples).filter(({ state }) => state === 'running').length === 2);
    captures.cancel(waiting.id);
    await waiting.over;
    const last = (id: string) => capturesOf(samples).findLast((sample) => sample.id === id);
    expect(last(waiting.id)).toMatchObject({ state: 'cancelled', files: [] });
    expect(running.map(({ id }) => last(id)?.state)).toEqual(['running', 'running']);
    await captures.stop();
    expect(running.map(({ id }) => last(id)?.endedAt)).not.toContain(undefined);
    expect(captures.start(record).id).toBeTruthy();
  });
});
