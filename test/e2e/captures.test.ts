import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeWith, requiredTool } from '../support/requires.ts';
import { killTmuxServers, startTmux, type Tmux } from '../support/tmux.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { makeHome, removeHomes, type Home } from './program.ts';

const slow = 30_000;

describeWith(['python3', 'py-spy', 'tmux', 'less'], 'captures of a real process, in tmux', () => {
  let workload: Workload;
  let home: Home;
  let pane: Tmux;
  beforeAll(async () => {
    workload = await startWorkload({
      threads: [
        { name: 'cruncher', percent: 20 },
        { name: 'sitter', percent: 0 },
      ],
    });
    home = makeHome();
    const args = ['--pid', String(workload.pid), '--no-record', '--py-spy', requiredTool('py-spy')];
    pane = await startTmux({ args, env: { ...home.env, PAGER: 'less', LESS: undefined } });
    await pane.waitFor(/cruncher|Threads ─.*\d of \d/, slow);
  }, 2 * slow);
  afterAll(async () => {
    await killTmuxServers();
    await workload.stop();
    removeHomes();
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') return pane.capture().then((screen) => console.log(screen));
    return undefined;
  });

  test('d shows a dump; y puts its path into the buffer of tmux, and the file is there', async () => {
    await pane.type('d');
    await pane.waitFor(/Stacks: dump of PID \d+.* threads · by thread/, slow);
    await pane.waitFor(/Thread-1 \(run_thread\) +\d+/, slow);
    await pane.waitFor(/saved to \S+stacks\.txt/, slow);
    await pane.type('y');
    await pane.waitFor('Copied to the clipboard and the buffer of tmux: /', slow);
    const path = await pane.command('show-buffer');
    expect(path).toMatch(new RegExp(`^${home.captures}/\\S+/stacks\\.txt$`));
    expect(existsSync(path)).toBe(true);
  });

  test('o opens it in the pager, and leaving that comes back', async () => {
    await pane.type('o');
    await pane.waitFor(/^Process \d+: /m, slow);
    await pane.type('q');
    await pane.waitFor('─ Stacks: dump of PID', slow);
  });

  test('e writes Markdown beside it', async () => {
    await pane.type('e');
    await pane.waitFor(/Markdown for an issue report is in \/\S+/, slow);
    await pane.type('q');
    await pane.waitFor('Threads ─', slow);
  });

  test('r says what it costs; x ends it, and what there is of it opens by S as a flame', async () => {
    await pane.type('r');
    await pane.waitFor(/20 samples a second of \d+ threads for 30 s: about .* of a core for py-spy/, slow);
    await pane.sendKeys('C-u');
    await pane.type('999');
    await pane.waitFor(/for 999 s/, slow);
    await pane.sendKeys('Enter');
    await pane.waitFor(/record of PID \d+ · .*m \d+s left .* x ends it/, slow);
    // Wherever one goes.
    await pane.type('?');
    await pane.waitFor('Keys and figures', slow);
    // Four seconds of its 16 min 39 s: py-spy has sampled something.
    await pane.waitFor(/(?:16m (?:3[0-5]|[12]?\d)s|15m \d+s) left/, slow);
    await pane.type('x');
    await pane.waitFor(/End the record of PID \d+ early\?/, slow);
    await pane.type('y');
    await pane.waitFor(/◐ record of PID \d+ partial .* S opens it/, slow);
    await pane.sendKeys('Escape');
    await pane.waitFor('Threads ─', slow);
    await pane.type('S');
    await pane.waitFor(/Stacks: record of PID \d+ .*partial/, slow);
    await pane.type('f');
    await pane.waitFor(/Flame: record of PID/, slow);
    await pane.sendKeys('Down');
    await pane.waitFor(/^│ all › /m, slow);
    await pane.sendKeys('Escape');
    await pane.waitFor('─ Stacks: record', slow);
  });

  test('the list has both, and another monitor finds them on the disk', async () => {
    await pane.type('S');
    await pane.waitFor(/◐ +\S+ record .* partial/, slow);
    await pane.waitFor(/● +\S+ dump .* done/, slow);
    await pane.type('q');
    const fake = home.file('pager');
    writeFileSync(fake, '#!/bin/sh\nexit 3\n');
    chmodSync(fake, 0o755);
    const args = ['--pid', String(workload.pid), '--no-record', '--py-spy', requiredTool('py-spy')];
    const second = await startTmux({ args, env: { ...home.env, PAGER: fake } });
    await second.waitFor(/Threads ─.*\d of \d/, slow);
    await second.type('S');
    await second.waitFor(/2 of 2|1 of 2/, slow);
    await second.sendKeys('Enter');
    await second.waitFor(/Stacks: record of PID \d+ .*partial/, slow);
    await second.type('o');
    await second.waitFor(/The pager \(\S+\) ended with exit code 3\./, slow);
  });
});
