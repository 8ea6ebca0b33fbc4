import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { processCollector } from '../../src/collectors/process/collector.ts';
import { threads } from '../../src/collectors/threads/threads.ts';
import { waits } from '../../src/collectors/threads/waits.ts';
import { createLocalTransport } from '../../src/collectors/transport/local.ts';
import { createSession, type Session } from '../../src/commands/session.ts';
import { readOptions } from '../../src/config/options.ts';
import { roleFinder } from '../../src/model/roles/finder.ts';
import type { ProfileSample, ThreadsSample } from '../../src/model/samples.ts';
import { longWait, shortWait } from '../../src/model/waits/words.ts';
import { waitOf } from '../../src/model/waits/thread-wait.ts';
import { describeWith, pythonsToTry, requiredTool } from '../support/requires.ts';
import { sixNames, startSix, type Six, type SixName } from '../support/six.ts';
import { waitFor } from '../support/waiting.ts';

pythonsToTry().forEach(ofPython);

/** What the monitor says of threads whose behaviour is known, by the store that its screen shows. */
function ofPython(python: string) {
  describeWith([python, 'py-spy'], `six threads of ${python}`, () => {
    let six: Six;
    let session: Session;
    const frames: ThreadsSample[] = [];
    const profiles: ProfileSample[] = [];
    const state = () => session.store.getState();

    beforeAll(async () => {
      six = await startSix(requiredTool(python));
      const options = readOptions('local', { pid: String(six.pid), pySpy: requiredTool('py-spy') });
      const recorder = {
        push(sample: { readonly kind: string }) {
          if (sample.kind === 'threads') frames.push(sample as ThreadsSample);
          if (sample.kind === 'profile') profiles.push(sample as ProfileSample);
        },
        flush: async () => {},
        close: async () => {},
        state: () => ({ bytes: 0 }),
      };
      const sources = [processCollector, threads, waits];
      session = createSession(options, createLocalTransport(), systemClock, () => recorder, { sources });
      await session.runner.start();
      await waitFor('the run and its threads', () => state().run?.phase === 'running' && frames.length > 1, 30_000);
      await session.captures.start({ what: 'dump', pids: [six.pid] }).over;
    }, 60_000);
    afterAll(async () => {
      await session?.stop();
      await six?.stop();
    }, 30_000);

    it('have their names, and roles by them', async () => {
      await waitFor('the names that the dump told', () => state().threadNames.size > sixNames.length);
      const roleOf = roleFinder(state());
      const seen = sixNames.map((name) => {
        const thread = { pid: six.pid, tid: six.tids[name] };
        return [state().threadNames.get(`${thread.pid}:${thread.tid}`), roleOf(thread)];
      });
      expect(seen).toEqual(sixNames.map((name) => [name, name === 'hash-0' ? 'hash' : name]));
      expect(roleOf({ pid: six.pid, tid: six.pid })).toBe('main');
    });

    it('have the CPU shares that the kernel counts', { timeout: 60_000 }, async () => {
      const begin = frames.length;
      const before = sixNames.map((name) => six.used(name));
      const since = performance.now();
      await waitFor('eight frames', () => frames.length >= begin + 8, 40_000);
      const seconds = (performance.now() - since) / 1000;
      const shown = frames.slice(begin);
      sixNames.forEach((name, i) => {
        const truth = (100 * (six.used(name) - (before[i] ?? NaN))) / seconds;
        const percents = shown.map((frame) => frame.cpuPercent[frame.tid.indexOf(six.tids[name])] ?? NaN);
        const mean = percents.reduce((sum, each) => sum + each, 0) / percents.length;
        expect(Math.abs(mean - truth), `${name}: shown ${mean.toFixed(1)}, used ${truth.toFixed(1)}`).toBeLessThan(5);
      });
    });

    it('wait for what they wait for', { timeout: 60_000 }, async () => {
      const wait = (name: SixName) => waitOf(state().waits, { pid: six.pid, tid: six.tids[name] });
      const word = (name: SixName) => {
        const found = wait(name);
        return found && shortWait(found);
      };
      await waitFor('a wait that was seen twice', () => (wait('lock-waiter')?.seconds ?? 0) > 0, 40_000);
      expect({ sleeper: word('sleeper'), lock: word('lock-waiter'), spawner: word('spawner') }).toEqual({
        sleeper: 'sleep',
        lock: 'futex',
        spawner: 'child',
      });
      expect(longWait(wait('spawner') ?? {})).toMatch(/^waits for (a child|child \d+)$/);
    });

    it('have the GIL as long as their code needs it', { timeout: 60_000 }, async () => {
      await session.captures.start({ what: 'gil', pids: [six.pid], seconds: 4, rate: 100 }).over;
      const [profile] = profiles;
      if (!profile) throw new Error(state().captures[0]?.failure ?? 'no profile');
      const held = (name: SixName) =>
        profile.stacks
          .filter(({ thread }) => profile.threads[thread]?.tid === six.tids[name])
          .reduce((sum, { count }) => sum + count, 0) / profile.samples;
      expect(held('python-loop')).toBeGreaterThan(0.15);
      for (const name of ['hash-0', 'file-reader'] as const) expect(held(name)).toBeLessThan(held('python-loop') / 2);
      for (const name of ['sleeper', 'lock-waiter', 'spawner'] as const) expect(held(name)).toBe(0);
    });
  });
}
