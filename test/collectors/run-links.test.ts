import { describe, expect, it } from 'vitest';
import type { Collector, Parser } from '../../src/collectors/collector.ts';
import { TransportFault } from '../../src/collectors/transport/transport.ts';
import type { HostSample, LinkSample, SourceSample } from '../../src/model/samples.ts';
import { answerProbe, clock, fake, loads, machine, pass, plan, run, runner, samples, start } from './runner-stage.ts';

const links = () => samples.filter((s): s is LinkSample => s.kind === 'link');
const sources = () => samples.filter((s): s is SourceSample => s.kind === 'source');
const names = ['a', 'b', 'c'];
const three: Collector['plans'] = () => names.map((name) => plan({ key: name, source: name }));
const expectAll = (value: string) => names.forEach((name) => fake.expect(name, (shell) => shell.say(value)));
const cutAll = () => fake.running().forEach((shell) => shell.cut({ code: 137 }));

describe('a link that breaks', () => {
  it('says why, and when it is tried again', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    await fake.lose('the host closed the connection');
    const { reason, retryAt = 0 } = links().at(-1) ?? {};
    expect(reason).toBe('the host closed the connection');
    expect(retryAt - clock.now()).toBeGreaterThanOrEqual(1000);
    expect(retryAt - clock.now()).toBeLessThan(1300);
    fake.expect('probe', () => {});
    await pass(1500);
    expect(links().at(-1)).toMatchObject({ state: 'connecting', reason: 'the host closed the connection' });
    expect(links().at(-1)?.retryAt).toBeUndefined();
  });

  it('is tried ever later, up to 30 s, also when each attempt succeeds and the link goes at once', async () => {
    const plans = () => [plan()];
    fake.expect('load', (shell) => shell.say('1'));
    await run(plans);
    const waits: number[] = [];
    for (let time = 0; time < 8; time++) {
      await fake.lose('gone');
      const wait = (links().at(-1)?.retryAt ?? 0) - clock.now();
      waits.push(wait);
      fake.expect('probe', answerProbe);
      fake.expect('load', (shell) => shell.say('1'));
      await pass(wait);
      expect(links().at(-1)?.state).toBe('up');
      await pass(time === 6 ? 11_000 : 2000);
    }
    const expected = [1000, 2000, 4000, 8000, 16_000, 24_000, 24_000];
    expected.forEach((least, i) => {
      expect(waits[i]).toBeGreaterThanOrEqual(least);
      expect(waits[i]).toBeLessThanOrEqual(least * 1.25 + 1);
    });
    // The one before held for a while.
    expect(waits[7]).toBeLessThanOrEqual(1250);
  });

  /** Every number that comes waits for the next one. */
  const patient = (): Parser => {
    let waiting: readonly HostSample[] = [];
    return {
      push(line, receivedAt) {
        const given = waiting;
        waiting = [{ kind: 'host', host: 'fake', source: 'load', time: receivedAt, receivedAt, load1: Number(line) }];
        return given;
      },
      ended() {
        const given = waiting;
        waiting = [];
        return given;
      },
      rejected: 0,
    };
  };

  it('takes nothing along that has come: it is given at once, and only once', async () => {
    fake.expect('load', (shell) => shell.say('1', '2'));
    await run(() => [plan({ parser: patient, resume: () => 'show load' })]);
    expect(loads()).toEqual([1]);
    await fake.lose('gone');
    expect(loads()).toEqual([1, 2]);
    expect(sources().at(-1)?.status).not.toBe('live');
    fake.expect('probe', answerProbe);
    fake.expect('load', (shell) => shell.say('3', '4'));
    await pass(2000);
    expect(loads()).toEqual([1, 2, 3]);
    fake.expect('load', (shell) => shell.say('5'));
    fake
      .running()
      .find(({ name }) => name === 'load')
      ?.cut();
    await fake.settle();
    expect(loads()).toEqual([1, 2, 3, 4]);
    await pass(3000);
    await runner.stop();
    expect(loads()).toEqual([1, 2, 3, 4, 5]);
  });

  it('that was given up is tried again when the user wants it, and only then', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    fake.refuse(new TransportFault('Logging in again was declined.', true));
    await fake.lose('gone');
    await pass(1500);
    expect(links().at(-1)).toMatchObject({ state: 'failed', reason: 'Logging in again was declined.' });
    await pass(120_000);
    expect(links().at(-1)?.state).toBe('failed');
    fake.expect('probe', answerProbe);
    fake.expect('load', (shell) => shell.say('2'));
    runner.connectNow();
    await fake.settle();
    expect(links().at(-1)?.state).toBe('up');
    runner.connectNow();
    await fake.settle();
    expect(links().at(-1)?.state).toBe('up');
  });

  it('that goes during the probe fails the attempt once, and is said as what it is', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    await fake.lose('gone');
    fake.expect('probe', () => {});
    await pass(1500);
    await fake.lose('gone again');
    await pass(500);
    expect(links().map(({ state }) => state)).toEqual(['connecting', 'up', 'lost', 'connecting', 'lost']);
    expect(links().at(-1)?.reason).toBe('gone again');
    expect((links().at(-1)?.retryAt ?? 0) - clock.now()).toBeGreaterThan(1000);
  });

  it('is tested at once after this machine slept, and tried at once when it was lost', async () => {
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    const checks: number[] = [];
    fake.check = (ms) => void checks.push(ms);
    fake.expect('probe', () => {}); // the clocks are compared as well
    machine.back = -3_600_000;
    await pass(1000);
    expect(checks).toEqual([5000]);
    await fake.lose('the host gave no sign of life for 5 s');
    fake.refuse(...Array.from({ length: 3 }, () => new TransportFault('no network', false)));
    await pass(10_000);
    expect(links().at(-1)).toMatchObject({ state: 'lost', reason: 'no network' });
    fake.expect('probe', answerProbe);
    fake.expect('load', (shell) => shell.say('2'));
    machine.back = -7_200_000;
    await pass(1000);
    expect(loads()).toEqual([1, 2]);
  });
});

describe('a link over which nothing comes', () => {
  it('is said to be silent before anybody knows that it is lost, and lost since it was heard last', async () => {
    const heard = { at: start };
    fake.heardAt = () => heard.at;
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    await pass(4000);
    heard.at = clock.now();
    const { at } = heard;
    await pass(4000);
    expect(links().at(-1)?.silentSince).toBeUndefined();
    await pass(4000);
    expect(links().at(-1)).toMatchObject({ state: 'up', silentSince: at });
    await pass(5500);
    await fake.lose('the host gave no sign of life for 13.5 s');
    expect(links().at(-1)).toMatchObject({ state: 'lost', silentSince: at });
  });

  it('is up again when something comes, and was never silent because a clock was set', async () => {
    const heard = { at: start };
    fake.heardAt = () => heard.at;
    fake.expect('load', (shell) => shell.say('1'));
    await run(() => [plan()]);
    await pass(8000);
    expect(links().at(-1)?.silentSince).toBe(start);
    heard.at = clock.now();
    await pass(1000);
    expect(links().at(-1)).toMatchObject({ state: 'up' });
    expect(links().at(-1)?.silentSince).toBeUndefined();
    const told = links().length;
    fake.expect('probe', () => {}); // the clocks are compared as well
    machine.back = -3_600_000;
    await pass(3000);
    expect(links()).toHaveLength(told);
  });
});

describe('a container that stops', () => {
  it('is looked for by one probe with growing waits, and then all sources go on', async () => {
    expectAll('1');
    await run(three);
    cutAll();
    await fake.settle();
    await pass(1000);
    expect(links().at(-1)).toMatchObject({
      state: 'lost',
      reason: 'all commands on fake were ended at once (code 137)',
    });
    expect(sources().some(({ status }) => status === 'failed')).toBe(false);
    expect(sources().at(-1)).toMatchObject({ status: 'stale', reason: 'its command was ended' });
    const probes = { count: 0 };
    for (let time = 0; time < 5; time++)
      fake.expect('probe', (shell) => (probes.count++, shell.sayError('no such container\n'), shell.cut({ code: 1 })));
    await pass(31_000 * 1.25);
    expect(probes.count).toBe(5);
    expect(links().at(-1)?.reason).toMatch(/^No shell runs on fake.* saying "no such container"/);
    fake.expect('probe', answerProbe);
    expectAll('2');
    await pass(30_000);
    expect(links().at(-1)?.state).toBe('up');
    expect(loads().filter((load) => load === 2)).toHaveLength(3);
    expect(clock.now() - start).toBeLessThan(75_000);
  });

  it('is not a command that alone was cut', async () => {
    expectAll('1');
    await run(three);
    fake.running()[0]?.cut({ code: 0 });
    fake.expect('a', (shell) => shell.say('2'));
    await pass(3000);
    expect(links().map(({ state }) => state)).toEqual(['connecting', 'up']);
    expect(loads()).toEqual([1, 1, 1, 2]);
  });
});
