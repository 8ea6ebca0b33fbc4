import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openRecording } from '../../src/recording/recording.ts';
import { describeWith } from '../support/requires.ts';
import { freePort } from '../support/sshd.ts';
import { isRunning } from '../support/processes.ts';
import { killTmuxServers, startTmux } from '../support/tmux.ts';
import { waitFor } from '../support/waiting.ts';
import { startWorkload } from '../support/workload.ts';
import { startHost } from './on-host.ts';
import { makeHome, removeHomes } from './program.ts';
import { endWatches, startWatch } from './watches.ts';

const demo = ['demo', '--headless', '--record', '--speed', '20'];

describeWith(['setsid', 'python3', 'sshd', 'tmux'], 'a watch without a screen', () => {
  afterEach(endWatches);
  afterAll(removeHomes);

  test('records, says in dated lines what happens, and closes the recording on SIGTERM', async () => {
    const home = makeHome();
    const watch = startWatch(demo, home.env);
    const said = await watch.says(/Recording in (.*)\n/);
    const [, folder = ''] = /Recording in (.*)\n/.exec(said) ?? [];
    expect(existsSync(join(folder, '.lock'))).toBe(true);
    await watch.says(/run found: train_pipeline\.py/);
    watch.kill('SIGTERM');
    expect(await watch.end).toBe(0);
    for (const line of watch.said().trim().split('\n'))
      expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [^\x1b]+$/);
    expect(watch.said()).toMatch(/SIGTERM: the watch ends\.\n.*The recording is closed: .*0001\.jsonl\.gz\n$/);
    expect(readdirSync(folder)).toEqual(['0001.jsonl.gz']);
    const recording = await openRecording(folder);
    expect(recording.to).toBeGreaterThan(recording.from);
    await recording.close();
    expect(readdirSync(home.file('state/traintop/watches'))).toEqual([]);
  });

  test('is one for a run: a second one says so, and one that was killed is in nobody’s way', async () => {
    const home = makeHome();
    const first = startWatch(demo, home.env);
    await first.says(/traintop attach --watch demo-/);
    const second = startWatch(demo, home.env);
    expect(await second.end).toBe(2);
    expect(second.said()).toMatch(
      new RegExp(`^traintop: .* is watched already .*PID ${first.pid} on .*since .*traintop attach --watch demo-`),
    );
    first.kill('SIGKILL');
    expect(await first.end).toBe('SIGKILL');
    const third = startWatch(demo, home.env);
    await third.says(/traintop attach --watch demo-/);
    third.kill('SIGINT');
    expect(await third.end).toBe(0);
  });

  test('finds that another one watches its run, however that is called there', async () => {
    const home = makeHome();
    const mark = `watched${process.pid}`;
    const workload = await startWorkload({ threads: [{ name: mark, percent: 5 }] });
    try {
      const wrap = ['--wrap', 'env API_TOKEN=abc'];
      const first = startWatch(['--headless', '--pid', String(workload.pid), ...wrap], home.env);
      await first.says(/run found: /);
      const name = readdirSync(home.file('state/traintop/watches')).find((each) => !each.startsWith('.')) ?? '';
      const file = readFileSync(join(home.file('state/traintop/watches'), name, 'watch.json'), 'utf8');
      expect(file).toContain('"wrap":"env API_TOKEN=***"');
      const second = startWatch(['--headless', '--match', mark, '--interval', '2'], home.env);
      expect(await second.end).toBe(2);
      expect(second.said()).toMatch(
        new RegExp(`traintop: The run of PID ${workload.pid} is watched already .*\\(PID ${first.pid} `),
      );
      first.kill('SIGTERM');
      expect(await first.end).toBe(0);
    } finally {
      await workload.stop();
    }
  });

  test('ends well with its terminal', async () => {
    const home = makeHome();
    const program = [process.execPath, resolve('bin/traintop.js'), ...demo];
    const { waitFor: shows } = await startTmux({ command: program, env: home.env });
    const screen = await shows('Recording in');
    const pid = Number(/PID (\d+)/.exec(screen)?.[1]);
    await killTmuxServers();
    await waitFor('its end', () => !isRunning(pid));
    const runs = home.file('state/traintop/runs');
    const [run = ''] = readdirSync(runs);
    expect(readdirSync(join(runs, run))).toEqual(['0001.jsonl.gz']);
    expect(readdirSync(home.file('state/traintop/watches'))).toEqual([]);
  });

  test('does not go on where no retry helps: it says what to do', async () => {
    const host = await startHost();
    try {
      const home = host.home({ known: '' });
      const watch = startWatch(['--headless', host.name], home.env);
      expect(await watch.end).toBe(2);
      expect(watch.said()).toMatch(
        /traintop: The host key of trainer .* no terminal to ask on: .*connect once with ssh/,
      );
      expect(existsSync(home.file('state/traintop/runs'))).toBe(false);
    } finally {
      await host.stop();
    }
  });

  test('goes on trying to reach a host that is not there yet, and ends by a second signal at once', async () => {
    const home = makeHome();
    const port = await freePort();
    const watch = startWatch(['--headless', `nobody@127.0.0.1:${port}`], home.env);
    await watch.says(/The link is lost: 127\.0\.0\.1 refused the connection on port .* It is tried again\./);
    // Without a terminal there is nothing to be hung up by.
    watch.kill('SIGHUP');
    const server = createServer((socket) => socket.end());
    await new Promise((resolve) => {
      server.once('connection', resolve);
      server.listen(port, '127.0.0.1');
    });
    server.close();
    watch.kill('SIGTERM');
    watch.kill('SIGTERM');
    expect(await watch.end).toBe(0);
  });
});
