import { describe, expect, it } from 'vitest';
import type { SourceSample } from '../../src/model/samples.ts';
import { answerProbe, fake, loads, machine, pass, plan, run, runner, samples, states } from './runner-stage.ts';

describe('the runner', () => {
  it('starts nothing while the link is lost, and all of it with the new facts when it is back', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    const planned: unknown[] = [];
    await run(({ facts }) => [plan({ parser: () => (planned.push(facts), plan().parser()) })]);
    await fake.lose('gone');
    runner.configure({ intervalMs: 500 });
    await fake.settle();
    expect(fake.running()).toHaveLength(0);
    fake.expect('probe', answerProbe);
    fake.expect('load', (shell) => shell.say('2'));
    await pass(1500);
    expect(loads()).toEqual([1, 2]);
    expect(planned.at(-1)).toBe(runner.context()?.facts);
    expect(states().filter((status) => status === 'failed')).toEqual([]);
  });

  it('starts a command again whose channel closed without a word on a living link', async () => {
    fake.expect('load', (shell) => (shell.say('1'), shell.cut({ lost: true })));
    await run(() => [plan()]);
    fake.expect('load', (shell) => shell.say('2'));
    await pass(5000);
    expect(loads()).toEqual([1, 2]);
    expect(states()).toContain('failed');
  });

  it('sees silence also after the clock of this machine was set back', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    fake.expect('probe', (shell) => shell.cut()); // the clocks are compared again
    machine.back = 3_600_000;
    await pass(9000);
    expect(states().at(-1)).toBe('stale');
  });

  it('says of a source that it never said a word', async () => {
    fake.expect('load', () => {});
    await run(() => [plan()]);
    await pass(19_000);
    expect(states()).toEqual(['waiting']);
    await pass(3000);
    const said = samples.filter((s): s is SourceSample => s.kind === 'source');
    expect(said.at(-1)).toMatchObject({ status: 'waiting', reason: 'nothing has come in 20 s: its command may hang' });
    fake.running()[0]?.say('1');
    expect(states()).toEqual(['waiting', 'waiting', 'live']);
  });

  it('begins a talk anew that has stalled, as when a line of it was lost', async () => {
    const talks = plan({ tick: { everyMs: 1000, line: () => 'go' } });
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [talks]);
    fake.expect('load', (shell) => shell.say('2'));
    await pass(70_000);
    expect(loads()).toEqual([1, 2]);
    expect(states()).toEqual(['waiting', 'live', 'stale', 'failed', 'live', 'stale']);
    expect(fake.running()).toHaveLength(1);
  });

  it('takes no question of a command that ended for one of the next', async () => {
    let asks = 0;
    const talks = plan({ tick: { everyMs: 60_000, line: () => (asks++ === 0 ? 'go' : undefined) } });
    fake.expect('load', (shell) => shell.cut({ code: 1 }));
    await run(() => [talks]);
    fake.expect('load', (shell) => shell.say('1'));
    await pass(6000);
    expect(loads()).toEqual([1]);
    const told = samples.flatMap((sample) => (sample.kind === 'link' ? (sample.roundTripMs ?? []) : []));
    expect(told).toEqual([]);
  });

  it('lets a command hang that runs by itself, for another would hang beside it', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    await pass(300_000);
    expect(states().at(-1)).toBe('stale');
    expect(fake.running()).toHaveLength(1);
  });

  it('says off of a source that is not read any more', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    fake.expect('load:2', (shell) => shell.say('2'));
    await run(({ options }) => [plan(), ...(options.pid === 2 ? [] : [plan({ key: 'second', source: 'load:2' })])]);
    runner.configure({ pid: 2 });
    const last = samples.filter((s): s is SourceSample => s.kind === 'source').at(-1);
    expect(last).toMatchObject({ source: 'load:2', status: 'off', reason: 'no run is watched' });
    expect(fake.running()).toHaveLength(1);
  });

  it.each([
    ['back', 3_600_000],
    ['forward', -3_600_000],
  ])('compares the clocks again when that of this machine was set %s', async (_, step) => {
    fake.expect('load', (shell) => shell.say('1'));
    const offsets: number[] = [];
    await run(({ facts }) => [plan({ parser: () => (offsets.push(facts.clockOffsetMs), plan().parser()) })]);
    await pass(3000);
    expect(loads()).toEqual([1]);
    machine.back = step;
    fake.expect('probe', answerProbe);
    fake.expect('load', (shell) => shell.say('2'));
    await pass(2000);
    expect(loads()).toEqual([1, 2]);
    expect((offsets[1] ?? NaN) - (offsets[0] ?? NaN)).toBeGreaterThan(step - 10_000);
    expect((offsets[1] ?? NaN) - (offsets[0] ?? NaN)).toBeLessThan(step + 10_000);
    expect(samples.filter((s) => s.kind === 'facts')).toHaveLength(2);
    await pass(60_000);
    expect(fake.running()).toHaveLength(1);
  });
});
