import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { describeWith } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { waitFor } from '../support/waiting.ts';
import { makeHome, oddBytes, panel, removeHomes, traintop } from './program.ts';

/** Each would do something to a terminal that got it: a title, a bell, colours, a cleared screen, an answer that types itself. */
const evil = ['\x1b]0;owned\x07', '\x1b[31mred', '\x1b[2J', '\x1b[6n', 'a\nb', '\x9b31m', '\x07bell', '\u202egnp'];

describeWith(['python3'], 'hostile text from the host', () => {
  const workloads: Workload[] = [];
  afterAll(async () => {
    await closeTerminals();
    await Promise.all(workloads.map((workload) => workload.stop()));
    removeHomes();
  });

  test('in thread names, command line, environment and log reaches the terminal without its control characters', async () => {
    const home = makeHome();
    const log = home.file('train.log');
    const lines = [
      ...evil,
      '\0\0nul\0',
      'x'.repeat(100_000),
      'half\rline',
      '\xff\xfe',
      '👩‍👩‍👧 e\u0301 \u{1f1e9}\u{1f1ea}',
    ];
    writeFileSync(log, Buffer.from(lines.map((line) => `step 1 ${line} loss=0.5\n`).join(''), 'latin1'));
    const workload = await startWorkload({
      threads: evil.map((name, i) => ({ name: `${i}${name}`, percent: 3 })),
      env: { RANK: '0\x1b[2J' },
      cwd: home.folder,
    });
    workloads.push(workload);
    for (const [cols, rows] of [
      [120, 40],
      [80, 24],
    ] as const) {
      const terminal = traintop(home, ['--pid', String(workload.pid), '--log', log], { cols, rows });
      await terminal.waitFor((screen) => /\d\.\d /.test(panel(screen, 'Threads').join('\n')), 30_000);
      await terminal.waitFor((screen) => /loss=0\.5|step 1/.test(panel(screen, 'Log').join('\n')));
      terminal.press('H');
      terminal.press('5');
      terminal.press('z');
      await terminal.waitFor((screen) => /bell/.test(panel(screen, 'Log').join('\n')));
      terminal.press('c');
      await terminal.waitFor(/Training runs|No training run/);
      terminal.press('ctrl-c');
      expect((await terminal.exit).code).toBe(0);
      expect(oddBytes(terminal.raw())).toEqual([]);
      for (const text of ['\x1b]', '\x1b[6n', '\x9b', '\x07', '\x1b[3J', '\u202e'])
        expect(terminal.raw()).not.toContain(text);
    }
  });

  test('a command line with control characters is shown without them', async () => {
    const home = makeHome();
    const mark = `evil${process.pid}`;
    const child = spawn('python3', ['-c', 'import time\nwhile True: time.sleep(1)', mark, ...evil], {
      stdio: 'ignore',
    });
    try {
      await waitFor('the process', () => child.pid);
      const terminal = traintop(home, ['--match', mark]);
      await terminal.waitFor(`PID ${child.pid}`, 30_000);
      terminal.press('c');
      await terminal.waitFor(/python3? -c|Training runs|No training run/);
      terminal.press('ctrl-c');
      expect((await terminal.exit).code).toBe(0);
      expect(oddBytes(terminal.raw())).toEqual([]);
    } finally {
      child.kill();
    }
  });

  test('a locale with commas changes nothing', async () => {
    const all = execFileSync('locale', ['-a'], { encoding: 'utf8' });
    const german = /^de_DE\.(?:utf8|UTF-8)$/m.test(all);
    const home = makeHome();
    const env = german ? { LC_ALL: 'de_DE.UTF-8' } : { LC_NUMERIC: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' };
    const workload = await startWorkload({ threads: [{ name: 'pump', percent: 30 }] });
    workloads.push(workload);
    for (const reader of ['proc', 'top', 'pidstat']) {
      const args = ['bin/traintop.js', 'once', '--json', '--pid', String(workload.pid), '--threads', reader];
      const text = execFileSync(process.execPath, args, {
        env: { ...process.env, ...home.env, ...env },
        encoding: 'utf8',
      });
      const { threads } = JSON.parse(text) as { threads: readonly { name: string; cpuPercent?: number }[] };
      // A comma taken for anything else makes it absent, 0 or hundreds; a busy machine gives and takes some percent.
      expect(threads.find(({ name }) => name === 'pump')?.cpuPercent).toBeGreaterThan(5);
      expect(threads.find(({ name }) => name === 'pump')?.cpuPercent).toBeLessThan(80);
    }
  });
});
