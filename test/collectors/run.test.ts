import { describe, expect, it } from 'vitest';
import { createRunner } from '../../src/collectors/run.ts';
import { TransportFault } from '../../src/collectors/transport/transport.ts';
import type { SourceSample } from '../../src/model/samples.ts';
import { type FakeShell } from '../support/fake-transport.ts';
import {
  adopt,
  answerProbe,
  clock,
  fake,
  loads,
  pass,
  plan,
  run,
  runner,
  samples,
  start,
  states,
} from './runner-stage.ts';

const reason = () => samples.filter((s): s is SourceSample => s.kind === 'source').at(-1)?.reason;
const links = () => samples.flatMap((s) => (s.kind === 'link' ? s.state : []));
const only = () => fake.running()[0] as FakeShell;
const hold = () => {};

describe('the runner', () => {
  it('connects, probes, and gives what the parser makes of the lines', async () => {
    fake.expect('load', (shell) => shell.say('1.5', 'nonsense', '2.5'));
    await run(() => [plan()]);
    expect(links()).toEqual(['connecting', 'up']);
    expect(samples.find((s) => s.kind === 'facts')).toMatchObject({ facts: { awk: 'mawk', cores: 2 } });
    expect(loads()).toEqual([1.5, 2.5]);
    expect(states()).toEqual(['waiting', 'live', 'live']);
    expect(samples.filter((s) => s.kind === 'source').at(-1)).toMatchObject({ rejectedLines: 1 });
    expect(runner.context()?.shellPids).toEqual([4242]);
  });

  it('tells a parser that it has caught up when a turn of the event loop brings no more', async () => {
    fake.expect('load', hold);
    const told: string[] = [];
    const parser = plan().parser();
    const push = (line: string, ...rest: [number, number]) => (told.push(line), parser.push(line, ...rest));
    await run(() => [plan({ parser: () => ({ ...parser, push, caughtUp: () => void told.push('caught up') }) })]);
    for (let load = 1; load <= 5; load++) {
      only().say(`${load}`);
      await new Promise(setImmediate);
    }
    expect(told).toEqual(['1', '2', '3', '4', '5']);
    await expect.poll(() => told.at(-1)).toBe('caught up');
    expect(told).toHaveLength(6);
  });

  it('starts a command that ended again, after 1, 2, 4 s, and forgets that when it lives', async () => {
    for (let time = 0; time < 3; time++)
      fake.expect('load', (shell) => (shell.sayError('no such thing\n'), shell.end(1)));
    await run(() => [plan()]);
    expect(reason()).toBe('the command ended with code 1, saying: no such thing; trying again');
    await pass(1000);
    await pass(1500);
    // While it is tried again it stays failed: `doctor` and a reader of the screen may look just then.
    expect(states()).toEqual(['waiting', 'failed']);
    await pass(500);
    fake.expect('load', (shell) => (shell.say('1'), shell.end(1)));
    await pass(4000);
    expect(loads()).toEqual([1]);
    // One that gives a value and goes at once does not live.
    expect(states().slice(-2)).toEqual(['live', 'failed']);
    fake.expect('load', (shell) => shell.say('2'));
    await pass(7500);
    expect(loads()).toEqual([1]);
    await pass(500);
    expect(loads()).toEqual([1, 2]);
    await pass(10_000);
    only().end(1);
    await fake.settle();
    fake.expect('load', hold);
    await pass(1000);
    expect(fake.running()).toHaveLength(1);
  });

  it('takes a shell that ends by itself for cut, whatever code its wrapper gives', async () => {
    fake.expect('load', (shell) => (shell.say('1'), shell.cut({ code: 0 })));
    await run(() => [plan()]);
    await pass(1000);
    expect(states().at(-1)).toBe('failed');
    expect(reason()).toBe('the command was cut off (code 0); trying again');
    fake.expect('load', hold);
    await pass(1000);
  });

  it('does not try again what no restart can help', async () => {
    fake.expect('load', (shell) => shell.end(3));
    await run(() => [plan({ explain: () => ({ reason: 'that tool is not there', final: true }) })]);
    await pass(120_000);
    expect(states()).toEqual(['waiting', 'failed']);
    expect(reason()).toBe('that tool is not there');
  });

  it('says when a source went silent, and when it came back', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    await pass(5000);
    expect(states().at(-1)).toBe('live');
    await pass(1500);
    expect(states().at(-1)).toBe('stale');
    expect(reason()).toBe('nothing new for 6 s');
    only().say('2');
    expect(states().at(-1)).toBe('live');
  });

  it('never calls a source stale whose silence is no fault', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    const { staleAfterMs: _, ...patient } = plan();
    await run(() => [patient]);
    await pass(60_000);
    expect(states()).toEqual(['waiting', 'live']);
  });

  it('comes back when the link is lost, and probes anew', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    fake.refuse(new TransportFault('the host does not answer', false));
    await fake.lose('the host closed the connection');
    expect(samples.at(-1)).toMatchObject({ kind: 'link', state: 'lost', reason: 'the host closed the connection' });
    expect(fake.running()).toHaveLength(0);
    await pass(1500);
    expect(samples.at(-1)).toMatchObject({ state: 'lost', reason: 'the host does not answer' });
    fake.expect('probe', answerProbe);
    fake.expect('load', (shell) => shell.say('2'));
    await pass(3000);
    expect(links()).toEqual(['connecting', 'up', 'lost', 'connecting', 'lost', 'connecting', 'up']);
    expect(loads()).toEqual([1, 2]);
    expect(states().filter((status) => status === 'failed')).toEqual([]);
  });

  it('gives up a link that is refused for good', async () => {
    fake.expect('load', hold);
    await run(() => [plan()]);
    fake.refuse(new TransportFault('the host key changed', true));
    await fake.lose('gone');
    await pass(60_000);
    expect(links()).toEqual(['connecting', 'up', 'lost', 'connecting', 'failed']);
  });

  const bare = () =>
    createRunner({
      transport: fake,
      collectors: [],
      options: { intervalMs: 1000, threads: 'proc', logs: [] },
      clock,
      onSample: hold,
    });

  it('rejects the first start when the host cannot be reached', async () => {
    fake.refuse(new TransportFault('no route to fake', false));
    adopt(bare());
    await expect(runner.start()).rejects.toThrow('no route to fake');
  });

  it('says what is wrong when no shell runs there', async () => {
    fake.expect('probe', (shell) => (shell.sayError('sh: not found\n'), shell.cut({ code: 127 })));
    adopt(bare());
    await expect(runner.start()).rejects.toThrow(/No shell runs on fake.*code 127, saying "sh: not found"/);
  });

  it('sends ticks at once and by the clock, at a new pace when that changes, and renews the lease', async () => {
    fake.expect('load', (shell) => shell.onLine((line) => line.startsWith('tick') && shell.say('1')));
    await run(({ options }) => [plan({ tick: { everyMs: options.intervalMs, line: () => 'tick' } })]);
    const ticks = () => only().lines.filter((line) => line === 'tick').length;
    expect(ticks()).toBe(1);
    await pass(3000);
    expect(ticks()).toBe(4);
    runner.configure({ intervalMs: 500 });
    await fake.settle();
    expect(ticks()).toBe(5);
    await pass(1000);
    expect(ticks()).toBe(7);
    await pass(6000);
    expect(only().lines.filter((line) => line === '+')).toHaveLength(1);
    expect(fake.running()).toHaveLength(1);
  });

  it('starts plans that come and stops plans that go', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(({ options }) => {
      if (options.pid === 1) return [];
      if (options.pid === 2) return [{ source: 'load', off: 'not on this host' }];
      return [plan({ key: `load ${options.pid ?? 0}` })];
    });
    fake.expect('load', (shell) => shell.say('2'));
    runner.configure({ pid: 7 });
    await fake.settle();
    expect(loads()).toEqual([1, 2]);
    expect(fake.running()).toHaveLength(1);
    runner.configure({ pid: 1 });
    await fake.settle();
    expect(fake.running()).toHaveLength(0);
    runner.configure({ pid: 2 });
    expect(states().at(-1)).toBe('off');
    expect(reason()).toBe('not on this host');
  });

  it('plans anew when the run changes', async () => {
    const found = { id: '7:1', rootPid: 7, processes: [], outputs: [] };
    const base = { host: 'fake', source: 'finder', time: start, receivedAt: start };
    const finder = plan({
      key: 'finder',
      source: 'finder',
      parser: () => ({
        push: (line) => [
          line === 'found'
            ? { ...base, kind: 'run', phase: 'running', run: found, candidates: [found] }
            : { ...base, kind: 'run', phase: 'ended', run: found, candidates: [] },
        ],
        rejected: 0,
      }),
    });
    fake.expect('finder', (shell) => shell.say('found'));
    fake.expect('load', (shell) => shell.say('3'));
    await run(({ run: watched }) => [finder, ...(watched ? [plan({ key: watched.id })] : [])]);
    expect(loads()).toEqual([3]);
    fake
      .running()
      .find((shell) => shell.name === 'finder')
      ?.say('ended');
    await fake.settle();
    expect(fake.running().map((shell) => shell.name)).toEqual(['finder']);
  });

  it('runs jobs beside the streams, and keeps what came of one that takes too long', async () => {
    fake.expect('load', hold);
    await run(() => [plan()]);
    fake.expect('dump', (shell) => (shell.say('a', 'b'), shell.end(0)));
    expect(await runner.job('dump', 'py-spy dump', 1000)).toMatchObject({
      output: 'a\nb',
      bodyCode: 0,
      timedOut: false,
    });
    fake.expect('dump', (shell) => shell.say('a'));
    const slow = runner.job('dump', 'py-spy dump', 1000);
    await fake.settle();
    clock.advance(1000);
    expect(await slow).toMatchObject({ output: 'a', timedOut: true });
  });

  it('says nothing more after it was stopped', async () => {
    fake.expect('load', hold);
    await run(() => [plan()]);
    const shell = only();
    await runner.stop();
    const before = samples.length;
    shell.say('9');
    await pass(60_000);
    expect(samples.length).toBe(before);
    expect(fake.running()).toHaveLength(0);
  });
});
