import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createRunner } from '../../src/collectors/run.ts';
import { createSignals } from '../../src/collectors/signals/signals.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { findScenario } from '../../src/demo/scenarios/index.ts';
import { createDirectDemoTransport } from '../../src/demo/transport.ts';
import { signalEffect, type SignalName, type SignalNews, type SignalTarget } from '../../src/model/signals.ts';
import { waitFor } from '../support/waiting.ts';

const startedAt = Date.UTC(2026, 10, 29, 14);

/** The signals of a demo host whose clock runs as fast as it is asked for things. */
async function open(): Promise<{
  send: (name: SignalName) => Promise<string>;
  look: () => Promise<SignalTarget>;
  stop: () => void;
}> {
  const clock = createManualClock(startedAt);
  const scenario = findScenario('left-stopped');
  if (!scenario) throw new Error('no scenario');
  const machine = createMachine({ seed: 1, startedAt, scenario });
  const transport = createDirectDemoTransport(machine, clock);
  const runner = createRunner({
    transport,
    collectors: [],
    options: { intervalMs: 1000, threads: 'proc', logs: [] },
    clock,
    onSample: () => {},
  });
  const turning = <T>(work: Promise<T>) => {
    let over = false;
    void work.finally(() => (over = true));
    return waitFor('the demo host', async () => {
      clock.advance(50);
      return over ? { value: await work } : undefined;
    }).then(({ value }) => value);
  };
  await turning(runner.start());
  const signals = createSignals({ runner, clock, take: () => {}, readOnly: false });
  const pid = machine.processes(machine.uptime(clock.now()))[0]?.pid ?? 0;
  const look = async () => {
    const target = await turning(signals.look(pid));
    if ('failure' in target) throw new Error(target.failure);
    return target;
  };
  return {
    look,
    async send(name) {
      const target = await look();
      const news: SignalNews[] = [];
      signals.send(target, name, (each) => news.push(each));
      await waitFor('its end', () => {
        clock.advance(200);
        return news.length > 0 && (news.at(-1)?.goesOn === false || news.length > 1);
      });
      return news.at(-1)?.text ?? '';
    },
    stop: () => {
      machine.stop(pid, machine.uptime(clock.now()));
    },
  };
}

test('the demo host tells what signals do, and lets a stopped process go on', async () => {
  const host = await open();
  const target = await host.look();
  expect(signalEffect(target, 'SIGINT').text).toBe('is ignored: started under nohup, behind & of a script');
  expect(signalEffect(target, 'SIGUSR1').is).toBe('caught');
  expect(await host.send('SIGTERM')).toMatch(/still runs 30 s later: it caught SIGTERM/);
  expect(await host.send('SIGKILL')).toMatch(
    /^SIGKILL was not sent to PID \d+ \(\w+\): the run of the demo is only played/,
  );
  host.stop();
  expect((await host.look()).state).toBe('T');
  expect(await host.send('SIGCONT')).toMatch(/it is not stopped now \(state S\)/);
  expect((await host.look()).state).toBe('S');
});
