import { afterEach, expect, test } from 'vitest';
import { isRunning } from './processes.ts';
import { describeWith } from './requires.ts';
import { killTmuxServers, startTmux } from './tmux.ts';

afterEach(killTmuxServers);

const loop = `stty -echo; trap 'stty size' WINCH; stty size; while read -r line; do echo "got <$line>"; done`;

describeWith(['tmux'], 'a program in tmux', () => {
  test('is drawn, resized and typed to', async () => {
    const tmux = await startTmux({ command: ['sh', '-c', loop], cols: 80, rows: 24 });
    await tmux.waitFor('24 80');
    await tmux.type('a; b');
    await tmux.sendKeys('Enter');
    expect(await tmux.waitFor('got <')).toMatch(/got <a; b>/);
    await tmux.resize(100, 30);
    await tmux.sendKeys('Enter');
    await tmux.waitFor('30 100');
  });

  test('stays on the screen when the program ends', async () => {
    const tmux = await startTmux({ command: ['sh', '-c', 'printf "one  \\n\\033[31mtwo"; read x; exit 4'] });
    await tmux.waitFor('two');
    await tmux.sendKeys('Enter');
    // Not its status: tmux 3.3a can miss a SIGCHLD, and knows it only after the next.
    await expect.poll(() => tmux.format('#{pane_dead} #{alternate_on}'), { timeout: 10_000 }).toBe('1 0');
    expect(await tmux.capture({ escapes: true })).toContain('\x1b[31mtwo');
  });

  test('ends with its server', async () => {
    const tmux = await startTmux({ command: ['sh', '-c', 'echo on; exec sleep 60'] });
    await tmux.waitFor('on');
    await tmux.kill();
    await expect.poll(() => isRunning(tmux.pid)).toBe(false);
  });
});
