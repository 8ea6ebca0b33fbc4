import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWaits } from '../../../src/collectors/threads/waits.ts';
import type { WaitsSample } from '../../../src/model/samples.ts';
import { waitOf, type ThreadWait } from '../../../src/model/waits/thread-wait.ts';
import { longWait, shortWait } from '../../../src/model/waits/words.ts';
import { describeWith } from '../../support/requires.ts';
import { isRunning } from '../../support/processes.ts';
import { waitFor } from '../../support/waiting.ts';
import { withLive } from './live.ts';

interface Program {
  readonly pid: number;
  /** In D: it waits for a child made with vfork. */
  readonly stuck: number;
  readonly child: number;
  /** On one core. */
  readonly loops: readonly number[];
  readonly tids: Readonly<Record<string, number>>;
}

let folder: string;
let python: ChildProcess;
let program: Program;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waits-'));
  symlinkSync('/bin/busybox', join(folder, 'awk'));
  python = spawn('python3', [join(import.meta.dirname, 'waits.py'), join(folder, 'fifo')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!python.stdout) throw new Error('no output');
  const [line] = (await once(createInterface({ input: python.stdout }), 'line')) as [string];
  program = JSON.parse(line) as Program;
});

afterAll(async () => {
  const ended = once(python, 'exit');
  python.stdin?.end();
  await ended;
  const all = [program.stuck, program.child, ...program.loops];
  await waitFor('the end of all', () => !all.some(isRunning));
  rmSync(folder, { recursive: true });
});

describeWith(['python3', 'busybox', 'mawk', 'setpriv', 'root'], 'what threads of a real process wait in', () => {
  /** Looks at the program until `isEnough` of the frames. */
  async function look(
    isEnough: (frames: readonly WaitsSample[]) => boolean,
    { wrap, pids = [program.pid] }: { readonly wrap?: string; readonly pids?: readonly number[] } = {},
  ): Promise<readonly WaitsSample[]> {
    let seen: readonly WaitsSample[] = [];
    await withLive({ collectors: [createWaits(300)], pids, ...(wrap && { wrap }) }, async (live) => {
      await live.until(() => isEnough(live.of('waits')), 'enough looks');
      seen = live.of('waits');
      expect(live.of('source').filter(({ source, status }) => source === 'waits' && status === 'failed')).toEqual([]);
    });
    return seen;
  }

  const of = (sample: WaitsSample | undefined, name: string): ThreadWait | undefined =>
    waitOf(sample, { pid: program.pid, tid: program.tids[name] ?? 0 });

  for (const awk of ['mawk', 'BusyBox awk'] as const)
    it(`says call, file and how long (${awk})`, async () => {
      const frames = await look(
        (all) => all.length > 3 && (all.at(-1)?.file.some((file) => file?.endsWith('/fifo')) ?? false),
        awk === 'mawk' ? {} : { wrap: `env PATH=${folder}:${process.env['PATH']}` },
      );
      const last = frames.at(-1);
      const told = (name: string) => {
        const wait = of(last, name);
        return wait && [shortWait(wait), longWait(wait)];
      };
      expect(last?.lacks).toEqual({});
      expect(told('lock')).toEqual(['futex', 'futex wait with 1 other thread']);
      expect(told('lock too')).toEqual(['futex', 'futex wait with 1 other thread']);
      expect(told('poll')).toEqual(['poll', 'poll on 3 descriptors']);
      expect(told('pipe')).toEqual(['read pipe', 'read on a pipe']);
      expect(told('fifo')).toEqual(['read fifo', `read on ${join(folder, 'fifo')}`]);
      expect(told('socket')).toEqual(['network', 'recvfrom on a socket']);
      expect(told('child')).toEqual(['child', `waits for child ${program.child}`]);
      expect(told('main')?.[1]).toMatch(/^(sleep|futex wait)/);
      // It was seen to wait from the first look on; when it began nobody saw.
      const lock = of(last, 'lock');
      const lasted = ((last?.time ?? 0) - (frames[0]?.time ?? 0)) / 1000;
      expect(lock?.seconds).toBeCloseTo(lasted, 1);
      expect(lock?.orLonger).toBe(true);
      expect([lock?.voluntaryPerSecond, lock?.involuntaryPerSecond]).toEqual([0, 0]);
    });

  it('says where one in D hangs', async () => {
    const at = { pid: program.stuck, tid: program.stuck };
    const frames = await look((all) => (waitOf(all.at(-1), at)?.seconds ?? 0) > 0, { pids: [program.stuck] });
    const stuck = waitOf(frames.at(-1), at);
    expect(stuck).toMatchObject({ state: 'D', call: 'clone', orLonger: true });
    expect(stuck && shortWait(stuck)).toMatch(/^D \w+/);
    expect(stuck && longWait(stuck)).toMatch(/^D in \w+/);
    expect(stuck?.stack?.length).toBeGreaterThan(1);
  });

  it('claims no wait of threads at work, and counts their switches', async () => {
    const [loop = 0] = program.loops;
    const loopOf = (sample: WaitsSample | undefined) => waitOf(sample, { pid: loop, tid: loop });
    // Both loops want the one core: it is taken from them. The other one gives its core away all the time.
    const taken = (sample: WaitsSample) => (loopOf(sample)?.involuntaryPerSecond ?? 0) > 0;
    const given = (sample: WaitsSample) => (of(sample, 'often')?.voluntaryPerSecond ?? 0) > 1;
    const frames = await look((all) => all.some(taken) && all.some(given), { pids: [program.pid, ...program.loops] });
    const busy = loopOf(frames.find(taken));
    expect(busy).toMatchObject({ state: 'R', cpus: expect.stringMatching(/^\d+$/) });
    expect(busy?.seconds).toBeUndefined();
    expect(busy?.call).toBeUndefined();
    expect(of(frames.find(given), 'often')?.seconds).toBeUndefined();
  });

  it('says that another user may not know the calls', async () => {
    const wrap = 'setpriv --reuid 65534 --clear-groups --';
    const frames = await look((all) => all.length > 2, { wrap, pids: [program.pid, program.stuck] });
    expect(frames.at(-1)?.lacks).toEqual({ call: 'refused', where: 'hidden', stack: 'refused' });
    // What nobody may know is empty, what everybody may is there.
    expect(frames.at(-1)?.call.every((call) => call === null)).toBe(true);
    expect(waitOf(frames.at(-1), { pid: program.stuck, tid: program.stuck })).toMatchObject({ state: 'D' });
  });
});
