import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Runner } from '../../../src/collectors/run.ts';
import { gilShares, type GilShare } from '../../../src/model/classes/gil.ts';
import type { StackClass } from '../../../src/model/classes/names.ts';
import { foldResults, type Folded } from '../../../src/model/stacks/fold.ts';
import type { CaptureResult } from '../../../src/model/samples.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { describeWith, pythonsToTry, requiredTool } from '../../support/requires.ts';
import { startStates, type States } from '../../support/states.ts';

pythonsToTry().forEach((python, i) => ofPython(python, { isWhole: i === 0 }));

/** Six seconds each for the GIL: of the second one the truest only. */
function ofPython(python: string, { isWhole }: { readonly isWhole: boolean }) {
  describeWith([python, 'py-spy'], `threads of known behaviour in ${python}`, () => {
    let runner: Runner;
    let states: States | undefined;
    beforeAll(async () => void (runner = await localRunner({ pySpy: requiredTool('py-spy') })));
    afterEach(async () => {
      await states?.stop();
      states = undefined;
    });
    afterAll(() => runner.stop());

    it('a native dump has the class of each', async () => {
      const names = ['loop_0', 'loop_1', 'hashing', 'sleeping', 'locked', 'event', 'getting', 'receiving', 'child'];
      states = await startStates(requiredTool(python), names);
      const steady = {
        sleeping: ['idle'],
        locked: ['lock wait'],
        event: ['lock wait'],
        getting: ['input wait'],
        receiving: ['network I/O'],
        child: ['lock wait'],
      };
      // With two loops beside them the others take a while to be where they stay.
      await settled(states.pid, 'native', steady);
      const found = await classesOf(states.pid, 5, 'native');
      expect(found).toMatchObject(steady);
      // These two share the GIL, and one of them has it whenever somebody looks.
      for (const name of ['loop_0', 'loop_1'])
        expect(['Python', 'GIL wait']).toEqual(expect.arrayContaining([...(found[name] ?? ['none'])]));
      // It comes back for the GIL now and then.
      expect(['native', 'GIL wait']).toEqual(expect.arrayContaining([...(found.hashing ?? ['none'])]));
      expect(found.hashing).toContain('native');
    });

    it('plain dumps have it where frames of Python tell', async () => {
      states = await startStates(requiredTool(python), ['sleeping', 'event', 'getting', 'child', 'hashing']);
      const steady = { sleeping: ['idle'], event: ['lock wait'], getting: ['input wait'], child: ['lock wait'] };
      await settled(states.pid, 'dump', steady);
      const found = await classesOf(states.pid, 5, 'dump');
      expect(found).toMatchObject(steady);
      expect(found.hashing).toContain('native');
    });

    it('the GIL of a loop with pauses is held as long as the loop itself measures', async () => {
      states = await startStates(requiredTool(python), ['half', 'sleeping']);
      const before = await states.held();
      const { share, unread, looks, threads } = await gilOf(states.pid);
      const after = await states.held();
      const truth = (after.held - before.held) / (after.seconds - before.seconds);
      // 600 looks at random moments: the deviation of such a count is 2 points.
      expect(share + unread / looks).toBeGreaterThan(truth - 0.08);
      expect(share).toBeLessThan(truth + 0.08);
      expect(threads[0]?.thread).toBe('half');
    });

    if (isWhole) {
      it('the GIL of three loops is always held, and each loop has its part', async () => {
        states = await startStates(requiredTool(python), ['loop_0', 'loop_1', 'loop_2']);
        const { share, unread, looks, threads } = await gilOf(states.pid);
        expect(share + unread / looks).toBeGreaterThan(0.95);
        expect(threads.map(({ thread }) => thread).toSorted()).toEqual(['loop_0', 'loop_1', 'loop_2']);
        for (const each of threads) expect(each.share).toBeGreaterThan(0.1);
      });

      it('the GIL of a thread that hashes is free', async () => {
        states = await startStates(requiredTool(python), ['hashing', 'sleeping', 'event']);
        const { share, looks } = await gilOf(states.pid);
        expect(looks).toBe(600);
        expect(share).toBeLessThan(0.05);
      });
    }

    async function settled(pid: number, what: 'native' | 'dump', steady: Record<string, readonly string[]>) {
      const names = Object.keys(steady);
      for (let round = 0; round < 20; round++) {
        const found = await classesOf(pid, 1, what);
        if (names.every((name) => found[name]?.join() === steady[name]?.join())) return;
      }
    }

    /** By name, the classes that a thread had in some dumps. */
    async function classesOf(pid: number, rounds: number, what: 'native' | 'dump') {
      const classes: Record<string, Set<StackClass>> = {};
      for (let round = 0; round < rounds; round++) {
        const { capture, results } = await captureOn(runner, { what, pids: [pid] });
        expect(capture).toMatchObject({ state: 'done', notes: [] });
        for (const { thread, class: of } of folded(results).stacks) (classes[thread] ??= new Set()).add(of);
      }
      return Object.fromEntries(Object.entries(classes).map(([name, some]) => [name, [...some]]));
    }

    /** The share of the GIL, which is the one that the kept file counts. */
    async function gilOf(pid: number): Promise<GilShare> {
      const dataDir = mkdtempSync(join(tmpdir(), 'traintop-gil-'));
      try {
        const request = { what: 'gil', pids: [pid], seconds: 6, rate: 100 } as const;
        const { capture, results } = await captureOn(runner, request, { dataDir });
        expect(capture.state).toBe('done');
        const [share] = gilShares(folded(results));
        if (!share) throw new Error('there is no share');
        const counted = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.raw.txt'))
          .flatMap((name) => readFileSync(join(dataDir, name), 'utf8').split('\n'))
          .reduce((sum, line) => sum + Number(/ (\d+)$/.exec(line)?.[1] ?? 0), 0);
        expect(Math.abs(share.share - counted / 600)).toBeLessThan(0.05);
        return share;
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    }
  });
}

function folded(results: readonly CaptureResult[]): Folded {
  return foldResults(results, { run: undefined, threadNames: new Map(), roleOf: () => undefined });
}
