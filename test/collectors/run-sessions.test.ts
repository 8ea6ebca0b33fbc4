import { describe, expect, it } from 'vitest';
import type { Collector } from '../../src/collectors/collector.ts';
import type { Sample, SourceSample } from '../../src/model/samples.ts';
import { answerProbe, clock, fake, pass, plan, run, runner, samples } from './runner-stage.ts';

const names = ['a', 'b', 'c', 'd'];
/** One source each, the most needed first. */
const all: Collector['plans'] = () => names.map((name) => plan({ key: name, source: name }));
/** The probe's own session ends, and how many there are is known. */
const learntMs = 4000;
const running = () =>
  fake
    .running()
    .map(({ name }) => name)
    .sort();
const last = (source: string) =>
  samples.filter((s): s is SourceSample => s.kind === 'source' && s.source === source).at(-1);
const expectEach = (...of: readonly string[]) => of.forEach((name) => fake.expect(name, (shell) => shell.say('1')));

describe('a host that allows few sessions', () => {
  it('has the most needed sources, says why of the others, and asks no further', async () => {
    fake.allow(2);
    expectEach('a', 'b');
    await run(all);
    await pass(learntMs);
    expect(running()).toEqual(['a', 'b']);
    expect(last('a')?.status).toBe('live');
    expect(last('d')).toMatchObject({
      status: 'off',
      reason: 'fake allows 2 sessions: set MaxSessions 10 in its sshd_config (a and b have them)',
    });
    const refused = fake.refused();
    await pass(120_000);
    expect(fake.refused()).toBe(refused);
    expect(running()).toEqual(['a', 'b']);
  });

  it('gives up a less needed source for one that is wanted later', async () => {
    fake.allow(2);
    expectEach('c', 'd');
    await run(({ options }) => all({} as never).slice(options.pid ?? 2));
    await pass(learntMs);
    expect(running()).toEqual(['c', 'd']);
    expectEach('b');
    runner.configure({ pid: 1 });
    await pass(1000);
    expect(running()).toEqual(['b', 'c']);
    expect(last('d')?.status).toBe('off');
    expectEach('d');
    runner.configure({ pid: 2 });
    await pass(1000);
    expect(running()).toEqual(['c', 'd']);
    expect(last('d')?.status).toBe('live');
  });

  it.each([1, 2])('with %i, lends the session of the least needed source to a job', async (allowed) => {
    fake.allow(allowed);
    expectEach(...names.slice(0, allowed));
    await run(all);
    await pass(learntMs);
    const least = names[allowed - 1] ?? '';
    const job = runner.job('dump', 'py-spy dump', 10_000);
    fake.expect('dump', (shell) => void clock.after(3000, () => (shell.say('stack'), shell.end(0))));
    await pass(1000);
    expect(running()).toEqual([...names.slice(0, allowed - 1), 'dump']);
    expect(last(least)).toMatchObject({ status: 'off', reason: expect.stringContaining('one other command ha') });
    expectEach(least);
    await pass(4000);
    expect((await job).output).toBe('stack');
    expect(running()).toEqual(names.slice(0, allowed));
    expect(last(least)?.status).toBe('live');
  });

  it('is learnt from a job as well', async () => {
    fake.allow(2);
    expectEach('a', 'b');
    await run(() => all({} as never).slice(0, 2));
    await pass(learntMs);
    fake.expect('dump', (shell) => void clock.after(3000, () => shell.end(0)));
    const job = runner.job('dump', 'py-spy dump', 10_000);
    await pass(2000);
    expect(running()).toEqual(['a', 'dump']);
    expectEach('b');
    await pass(4000);
    expect((await job).bodyCode).toBe(0);
    expect(running()).toEqual(['a', 'b']);
  });

  it('does not keep a session for a source that has given up', async () => {
    fake.allow(2);
    fake.expect('a', (shell) => shell.end(3));
    expectEach('b', 'c');
    const explain = () => ({ reason: 'that tool is not there', final: true });
    await run(() => all({} as never).map((each) => ('off' in each ? each : { ...each, explain })));
    await pass(learntMs);
    expect(running()).toEqual(['b', 'c']);
    expect(last('a')).toMatchObject({ status: 'failed', reason: 'that tool is not there' });
    expect(last('d')?.status).toBe('off');
  });

  it('is asked for one more at a new connection, and not for all', async () => {
    fake.allow(2);
    expectEach('a', 'b');
    await run(all);
    await pass(learntMs);
    const refused = fake.refused();
    await fake.lose('gone');
    fake.expect('probe', answerProbe);
    expectEach('a', 'b');
    await pass(2000);
    expect(running()).toEqual(['a', 'b']);
    expect(fake.refused()).toBe(refused + 1);
    await pass(2000);
    await fake.lose('gone again');
    fake.allow(10);
    fake.expect('probe', answerProbe);
    expectEach(...names);
    await pass(4000);
    expect(running()).toEqual(names);
    expect(last('d')?.status).toBe('live');
  });

  it('that allows none is said so', async () => {
    fake.allow(0);
    await expect(run(all, { probes: false })).rejects.toThrow(
      'fake allows no session at all: set MaxSessions 10 in its sshd_config.',
    );
  });
});

describe('a host that allows one session', () => {
  const found = { id: '7:1', rootPid: 7, processes: [], outputs: [] };
  const finder = plan({
    key: 'processes',
    source: 'processes',
    parser: () => ({
      push(line, at) {
        const base = { host: 'fake', source: 'processes', time: at, receivedAt: at } as const;
        const none = { pid: [], state: [], rssBytes: [], threadCount: [], readBytes: [], writtenBytes: [] };
        const rows: Sample = { kind: 'processes', ...base, ...none };
        const phase = line === 'found' ? 'running' : 'ended';
        return [{ kind: 'run', ...base, phase, run: found, candidates: [] }, rows];
      },
      rejected: 0,
    }),
  });

  it('looks for the run, then reads its threads, and looks again each minute', async () => {
    fake.allow(1);
    fake.expect('processes', (shell) => shell.say('found'));
    expectEach('threads');
    const threads = plan({ key: 'threads', source: 'threads' });
    await run(({ run: watched }) => [finder, ...(watched ? [threads] : [])]);
    await pass(learntMs);
    expect(running()).toEqual(['threads']);
    expect(last('processes')).toMatchObject({
      status: 'waiting',
      reason: 'fake allows one session: set MaxSessions 10 in its sshd_config (processes and threads have it in turn)',
    });
    fake.expect('processes', (shell) => shell.say('found'));
    expectEach('threads');
    await pass(60_000);
    expect(running()).toEqual(['threads']);
    expect(last('threads')?.status).toBe('live');
    fake.expect('processes', (shell) => shell.say('ended'));
    await pass(60_000);
    expect(running()).toEqual(['processes']);
    await pass(120_000);
    expect(running()).toEqual(['processes']);
  });
});
