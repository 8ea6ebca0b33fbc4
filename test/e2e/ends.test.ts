import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRelay, type Relay } from '../support/relay.ts';
import { describeWith } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { startHost, type Host } from './on-host.ts';
import { makeHome, panel, removeHomes, traintop } from './program.ts';

afterEach(closeTerminals);
afterAll(removeHomes);

describeWith(['python3'], 'a run that ends', () => {
  const mark = `ends${process.pid}`;
  const workloads: Workload[] = [];
  afterAll(() => Promise.all(workloads.map((workload) => workload.stop())));
  const start = async (name: string) => {
    const workload = await startWorkload({ threads: [{ name: `${mark} ${name}`, percent: 20 }] });
    workloads.push(workload);
    return workload;
  };

  test('is said so, and the next one that matches is taken up', async () => {
    const first = await start('one');
    const terminal = traintop(makeHome(), ['--match', mark]);
    await terminal.waitFor((screen) => panel(screen, 'Threads').join('\n').includes(`${mark} one`), 30_000);
    process.kill(first.pid, 'SIGKILL');
    await terminal.waitFor(/the run ended \d+s ago · .*waiting for the next/, 15_000);
    await terminal.waitFor(/the run ended [2-9]s ago/, 15_000);
    const second = await start('two');
    await terminal.waitFor(`PID ${second.pid}`, 15_000);
    await terminal.waitFor((screen) => panel(screen, 'Threads').join('\n').includes(`${mark} two`), 15_000);
    expect(panel(terminal.screen(), 'Threads').join('\n')).not.toContain(`${mark} one`);
  });
});

describeWith(['sshd', 'python3'], 'a link that dies', () => {
  let host: Host;
  let relay: Relay;
  let workload: Workload;
  beforeAll(async () => {
    host = await startHost();
    relay = await createRelay(host.sshd.port);
    workload = await startWorkload({ threads: [{ name: 'pump', percent: 20 }] });
  });
  afterAll(async () => {
    await closeTerminals();
    await relay.close();
    await workload.stop();
    await host.stop();
  });

  test('is said so, its values stay as stale ones, and it comes back without a line twice', async () => {
    const home = host.home({ port: relay.port });
    const log = home.file('train.log');
    let step = 0;
    const write = () => appendFileSync(log, `step=${++step} loss=${(9 / step).toFixed(4)}\n`);
    writeFileSync(log, '');
    const writer = setInterval(write, 200);
    try {
      const terminal = traintop(home, [host.name, '--pid', String(workload.pid), '--log', log], {
        cols: 160,
        rows: 50,
      });
      await terminal.waitFor((screen) => /pump +▇/.test(panel(screen, 'Threads').join('\n')), 30_000);
      await terminal.waitFor((screen) => /step=\d+ loss/.test(panel(screen, 'Log').join('\n')));
      relay.cut();
      await terminal.waitFor(/link lost/);
      const lost = step;
      await terminal.waitFor((screen) => /pump +▇/.test(panel(screen, 'Threads').join('\n')));
      await terminal.waitFor((screen) => !screen.includes('link lost') && /link (?:\d|<|up)/.test(screen), 30_000);
      await terminal.waitFor((screen) => shownSteps(screen).some((shown) => shown > lost + 5), 30_000);
      terminal.press('5');
      terminal.press('z');
      await terminal.waitFor((screen) => shownSteps(screen).length > 30 || shownSteps(screen).length === step, 20_000);
      clearInterval(writer);
      await terminal.waitFor((screen) => shownSteps(screen).at(-1) === step);
      const shown = shownSteps(terminal.screen());
      // One after the other, each once.
      expect(shown).toEqual(shown.map((_, i) => (shown[0] ?? 0) + i));
      expect(shown[0]).toBeLessThanOrEqual(lost);
      expect(readFileSync(log, 'utf8')).toContain(`step=${step} `);
    } finally {
      clearInterval(writer);
    }
  });

  test('a silent one is found out, and q ends the program all the same', async () => {
    const home = host.home({ port: relay.port });
    const terminal = traintop(home, [host.name, '--pid', String(workload.pid)]);
    await terminal.waitFor((screen) => /pump +▇/.test(panel(screen, 'Threads').join('\n')), 30_000);
    relay.freeze();
    await terminal.waitFor((screen) => /Threads ─+.*stale/.test(screen), 20_000);
    // The host is given a moment to say that all has ended there.
    const pressed = performance.now();
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
    expect(performance.now() - pressed).toBeLessThan(6000);
    relay.thaw();
  });
});

const shownSteps = (screen: string) =>
  [
    ...panel(screen, 'Log')
      .join('\n')
      .matchAll(/step=(\d+) loss/g),
  ].map(([, step]) => Number(step));
