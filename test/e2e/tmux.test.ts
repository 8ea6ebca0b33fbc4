import { afterAll, afterEach, expect, test } from 'vitest';
import { resolve } from 'node:path';
import { describeWith } from '../support/requires.ts';
import { killTmuxServers, startTmux } from '../support/tmux.ts';
import { makeHome, markedProcesses, removeHomes } from './program.ts';

afterEach(killTmuxServers);
afterAll(removeHomes);

/** A shell's pane: lines before, traintop, and what the terminal's settings are before and after. */
const program = `i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "before $i"; done
a=$(stty -g)
"${process.execPath}" "${resolve('bin/traintop.js')}" demo
echo "code $?"
[ "$a" = "$(stty -g)" ] && echo "settings as before" || { echo "settings changed"; stty -a; }
exec cat`;

describeWith(['tmux'], 'in tmux', () => {
  test.each(['q', 'TERM', 'HUP', 'INT'])('%s leaves the terminal and its history as they were', async (how) => {
    const home = makeHome();
    const tmux = await startTmux({ command: ['sh', '-c', program], cols: 100, rows: 30, env: home.env });
    await tmux.waitFor(/tok\/s 14/, 30_000);
    expect(await tmux.format('#{alternate_on} #{cursor_flag}')).toBe('1 0');
    if (how === 'q') await tmux.type('q');
    else {
      const monitor = markedProcesses(home.marker).find(({ command }) => command.endsWith('traintop.js demo'));
      if (!monitor) throw new Error('traintop does not run');
      process.kill(monitor.pid, `SIG${how}` as NodeJS.Signals);
    }
    await tmux.waitFor('code 0');
    await tmux.waitFor('settings as before');
    expect(await tmux.format('#{alternate_on} #{cursor_flag}')).toBe('0 1');
    const history = await tmux.command('capture-pane', '-p', '-S', '-');
    const missing = Array.from({ length: 60 }, (_, i) => `before ${i + 1}`).filter(
      (line) => !history.split('\n').includes(line),
    );
    expect(missing, history).toEqual([]);
    expect(history).not.toContain('tok/s');
  });
});
