import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { createScaledClock, systemClock } from '../../../src/clock.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { createSession } from '../../../src/commands/session.ts';
import { readOptions } from '../../../src/config/options.ts';
import type { BlackBoxSample, StacksSample } from '../../../src/model/samples.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { describeWith } from '../../support/requires.ts';
import { makeSpied, type Spied } from '../../support/spied.ts';
import { waitFor } from '../../support/waiting.ts';

/** Twenty seconds without a step are two then. */
const speed = 8;

describeWith(['python3', 'py-spy'], 'the evidence of a real process', () => {
  let spied: Spied;

  beforeAll(() => {
    spied = makeSpied();
  });
  // Nothing of it is left on the host.
  afterAll(async () => {
    await spied.gone();
    spied.remove();
  });

  /** Watches a process that makes steps. */
  async function watch({ onTestFinished }: TestContext, how: 'lock' | 'pipe' | 'end', pySpy = spied.pySpy) {
    const ends: (() => Promise<void> | void)[] = [];
    onTestFinished(async () => {
      for (const end of ends.reverse()) await end();
    });
    const folder = mkdtempSync(join(tmpdir(), 'traintop-box-'));
    ends.push(() => removeFolder(folder));
    const log = join(folder, 'train.log');
    writeFileSync(log, '');
    const script = join(import.meta.dirname, 'stands.py');
    const child = spawn('python3', [script, log, '24', '0.1', how], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, RANK: '0' },
    });
    const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
    ends.push(async () => {
      child.stdin.end();
      child.kill('SIGKILL');
      await gone;
    });
    const clock = createScaledClock(systemClock, speed);
    const saveIn = join(folder, 'data');
    mkdirSync(saveIn);
    const options = {
      ...readOptions('local', {}),
      ...{ pid: child.pid ?? 0, logs: [log], pySpy, intervalMs: 2000 },
    };
    const boxes: BlackBoxSample[] = [];
    const session = createSession(options, createLocalTransport(undefined, clock), clock, undefined, {
      ...{ saveIn, keepsWatch: true },
      see: (sample) => sample.kind === 'blackBox' && boxes.push(sample),
    });
    ends.push(async () => {
      await session.stop();
      clock.stop();
    });
    await session.runner.start();
    const done = () => waitFor('the evidence', () => boxes.find(({ endedAt }) => endedAt !== undefined), 20_000);
    return { session, boxes, done, pid: child.pid ?? 0, saveIn };
  }

  const textOf = (box: BlackBoxSample, name: string) =>
    box.parts.find((part) => part.name === name)?.lines?.join('\n') ?? '';

  test.concurrent(
    'that waits in a lock: its stacks, its wait in the kernel, its log, in a folder of the owner',
    async (context) => {
      const { session, done, pid, saveIn } = await watch(context, 'lock');
      const box = await done();
      // A machine that is busy skips frames of a clock that runs eight times as fast: then the alarm is first.
      expect(box.reason).toMatch(/^No step for \d+ s\b/);
      const dumps = session.store
        .getState()
        .results.filter((result): result is StacksSample => result.kind === 'stacks');
      const ofBox = dumps.filter(({ capture = '' }) => box.captures.includes(capture));
      expect(ofBox.map(({ native }) => native === true).sort()).toEqual([false, true]);
      for (const { threads } of ofBox)
        expect(threads.flatMap(({ frames }) => frames.map((frame) => frame.function))).toContain('wait_for_peer');
      expect(textOf(box, 'kernel stacks')).toMatch(new RegExp(`PID ${pid} \\(rank 0\\)[^]*S futex`));
      expect(textOf(box, 'threads')).toMatch(/futex/);
      expect(textOf(box, 'log')).toMatch(/step 24 \|/);
      const parent = join(saveIn, 'black-boxes');
      expect(box.folder).toMatch(new RegExp(`^${parent}/\\d{4}-[^/]*_no-step-for-`));
      expect(statSync(box.folder ?? '').mode & 0o777).toBe(0o700);
      const names = readdirSync(box.folder ?? '').sort();
      expect(names).toEqual([
        ...['box.json', 'host.txt', 'kernel-log.txt', 'kernel-stacks.txt', 'log.txt', 'nvidia-smi.txt', 'threads.txt'],
        ...['verdict.json', 'verdict.txt'],
      ]);
      for (const name of names) expect(statSync(join(box.folder ?? '', name)).mode & 0o777).toBe(0o600);
      const head = JSON.parse(readFileSync(join(box.folder ?? '', 'box.json'), 'utf8')) as Record<string, unknown>;
      expect(head).toMatchObject({ traintop: 'black box', state: box.state, captures: box.captures });
      expect(readdirSync(join(saveIn, 'captures'))).toHaveLength(2);
      // One for all the time that it stands.
      const before = session.store.getState().blackBoxes.length;
      expect(before).toBe(1);
    },
    40_000,
  );

  test.concurrent(
    'where py-spy is not: it says so, and has the rest',
    async (context) => {
      const { done } = await watch(context, 'pipe', '/nonexistent/py-spy');
      const box = await done();
      expect(box.state).toBe('partial');
      expect(box.notes?.join('\n')).toMatch(/native ones[^]*not tried[^]*dump: .*py-spy/);
      expect(textOf(box, 'kernel stacks')).toMatch(/pipe/);
    },
    40_000,
  );

  test.concurrent(
    'that ends: the log with its last words, and no capture',
    async (context) => {
      const { done } = await watch(context, 'end');
      const box = await done();
      expect(box.reason).toMatch(/^The run ended/);
      expect(box.captures).toEqual([]);
      expect(textOf(box, 'log')).toMatch(/RuntimeError: the end/);
      expect(existsSync(join(box.folder ?? '', 'box.json'))).toBe(true);
    },
    40_000,
  );

  test.concurrent(
    'that ends in the middle: what comes of it is kept, and the end is behind it',
    async (context) => {
      const { session, boxes, pid } = await watch(context, 'lock');
      await waitFor('a box that begins', () => boxes.length > 0, 20_000);
      process.kill(pid, 'SIGKILL');
      const box = await waitFor(
        'the end in it',
        () =>
          boxes.find(({ endedAt, notes }) => endedAt !== undefined && notes?.some((note) => /run ended/.test(note))),
        20_000,
      );
      expect(session.store.getState().blackBoxes).toHaveLength(1);
      expect(box.parts.filter(({ name }) => name === 'log')).toHaveLength(2);
    },
    40_000,
  );
});
