import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { bundleTypeScript } from '../../../scripts/lib/run-typescript.mjs';
import { systemClock } from '../../../src/clock.ts';
import { createCaptures } from '../../../src/collectors/stacks/captures.ts';
import { createSaver } from '../../../src/collectors/stacks/save.ts';
import type { CaptureKind, CaptureSample } from '../../../src/model/samples.ts';
import { listCaptures, openCapture } from '../../../src/recording/saved-captures.ts';
import { seeded } from '../../e2e/cuts.ts';
import { localRunner } from '../../support/capture.ts';
import { describeWith } from '../../support/requires.ts';
import { makeSpied, stateOf, type Spied } from '../../support/spied.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';

const seed = Number(process.env['TRAINTOP_SOAK_SEED'] ?? 5);
const cancels = 50;
const kills = 16;
/** Processes that are captured beside one another: two py-spy cannot hold one. */
const lanes = 4;
const kinds: readonly CaptureKind[] = ['record', 'native', 'many', 'dump', 'gil'];

describeWith(['python3', 'py-spy'], `captures that end at random moments (seed ${seed})`, () => {
  let targets: readonly Workload[];
  let spied: Spied;
  let script: string;
  const before = process.env['TMPDIR'];
  beforeAll(async () => {
    script = await bundleTypeScript('test/collectors/stacks/killed-monitor.ts');
    const threads = Array.from({ length: 6 }, (_, i) => ({ name: `t${i}`, percent: 2 }));
    targets = await Promise.all(Array.from({ length: lanes }, () => startWorkload({ threads })));
  });
  beforeEach(() => {
    spied = makeSpied();
    process.env['TMPDIR'] = spied.temp;
  });
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    spied.remove();
  });
  afterAll(async () => {
    await Promise.all(targets.map((target) => target.stop()));
    rmSync(script, { force: true });
  });

  it(`${cancels} that are cancelled leave no py-spy, no file without a mark, and no stopped process`, async () => {
    const random = seeded(seed);
    const dataDir = join(spied.home, 'data');
    const ended: CaptureSample[] = [];
    let left = cancels;
    const lane = async ({ pid }: Workload) => {
      const runner = await localRunner({ pySpy: spied.pySpy });
      const captures = createCaptures({
        host: 'local',
        runner,
        clock: systemClock,
        save: createSaver({ dataDir, run: () => undefined }),
        take: (sample) => sample.kind === 'capture' && sample.endedAt !== undefined && ended.push(sample),
      });
      while (left-- > 0) {
        const what = kinds[left % kinds.length] ?? 'dump';
        const { id, over } = captures.start({ what, pids: [pid], seconds: 600, rounds: 600 });
        await new Promise((resolve) => setTimeout(resolve, random() * 1200));
        captures.cancel(id);
        await over;
        expect(stateOf(pid), what).not.toMatch(/[Tt]/);
      }
      await runner.stop();
    };
    await Promise.all(targets.map(lane));
    await spied.gone();
    for (const { pid } of targets) expect(stateOf(pid)).not.toMatch(/[Tt]/);
    expect(ended).toHaveLength(cancels);
    expect(new Set(ended.map(({ state }) => state))).toContain('partial');
    const kept = ended.filter(({ state }) => state === 'partial' || state === 'done');
    await allAreMarked(dataDir, kept.length);
    // What could have gone on for ten minutes is a part.
    for (const { what, state } of ended) if (what !== 'dump' && what !== 'native') expect(state).not.toBe('done');
  }, 120_000);

  it(`a monitor that is killed ${kills} times leaves no py-spy, no file without a mark, and no stopped process`, async () => {
    const random = seeded(seed + 1);
    const dataDir = join(spied.home, 'data');
    let left = kills;
    const lane = async ({ pid }: Workload, at: number) => {
      while (left-- > 0) {
        const turned = kinds.map((_, i) => kinds[(i + left + at) % kinds.length] ?? 'dump');
        await monitorAndKill({ pid, kinds: turned, saveIn: dataDir, afterMs: random() * 2000 });
      }
    };
    await Promise.all(targets.map(lane));
    await spied.gone();
    for (const { pid } of targets) expect(stateOf(pid)).not.toMatch(/[Tt]/);
    const states = await allAreMarked(dataDir);
    expect(states.some((state) => state === 'waiting' || state === 'running')).toBe(true);
  }, 120_000);

  async function monitorAndKill(init: {
    readonly pid: number;
    readonly kinds: readonly CaptureKind[];
    readonly saveIn: string;
    readonly afterMs: number;
  }) {
    const { afterMs, ...what } = init;
    const start = `import { captureUntilKilled } from ${JSON.stringify(pathToFileURL(script).href)}; await captureUntilKilled(JSON.parse(process.argv[1]));`;
    const wish = JSON.stringify({ ...what, pySpy: spied.pySpy });
    const child = spawn(process.execPath, ['--input-type=module', '-e', start, wish], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  /** Each folder has its head, and one that says it is done has what it found. Gives the states. */
  async function allAreMarked(dataDir: string, count?: number): Promise<readonly string[]> {
    const folders = readdirSync(join(dataDir, 'captures')).filter((name) => !name.startsWith('.'));
    const now = Date.now();
    const list = await listCaptures(dataDir, now);
    expect(list).toHaveLength(folders.length);
    if (count !== undefined) expect(list).toHaveLength(count);
    for (const { capture, folder } of list) {
      if (capture.state !== 'done' && capture.state !== 'partial') continue;
      expect((await openCapture(folder, now)).results.length).toBeGreaterThan(0);
    }
    const later = await listCaptures(dataDir, now + 3_600_000);
    expect(later.filter(({ capture }) => capture.state === 'waiting' || capture.state === 'running')).toEqual([]);
    return list.map(({ capture }) => capture.state);
  }
});
