import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { describeWith } from '../support/requires.ts';
import { killTmuxServers, startTmux } from '../support/tmux.ts';
import { waitFor } from '../support/waiting.ts';

describeWith(['tmux', 'setsid'], 'a closed terminal', () => {
  const program = `'${process.execPath}' '${resolve('bin/traintop.js')}' demo 2>"$TMPDIR/errors"`;
  test.each([
    ['and its signal end', `echo $$ >"$TMPDIR/pid"; exec ${program}`],
    // In a session of its own no signal comes: reads, writes and the terminal's settings fail.
    ['without a signal ends', `exec 3<&0; setsid ${program} <&3 & echo $! >"$TMPDIR/pid"; wait`],
  ])('%s the screen without a word', async (_, command) => {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-hangup-'));
    try {
      const { waitFor: shows } = await startTmux({ command: ['sh', '-c', command], env: { TMPDIR: folder } });
      await shows('Threads');
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      await killTmuxServers();
      await waitFor('its end', () => !isRunning(pid));
      // Ink gives the cursor back on standard error.
      expect(readFileSync(join(folder, 'errors'), 'utf8').trim()).toMatch(/^(?:\x1b\[\?25h)?$/);
      expect(readdirSync(folder).sort()).toEqual(['errors', 'pid']);
    } finally {
      removeFolder(folder);
    }
  });
});
