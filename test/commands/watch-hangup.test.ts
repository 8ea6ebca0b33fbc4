import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { describeWith } from '../support/requires.ts';
import { killTmuxServers, startTmux } from '../support/tmux.ts';
import { waitFor } from '../support/waiting.ts';

describeWith(['tmux'], 'a closed terminal', () => {
  test('ends the screen without a word', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-hangup-'));
    const errors = join(folder, 'errors');
    const program = `exec '${process.execPath}' '${resolve('bin/traintop.js')}' demo 2>'${errors}'`;
    try {
      const { pid, waitFor: shows } = await startTmux({ command: ['sh', '-c', program], env: { TMPDIR: folder } });
      await shows('Threads');
      await killTmuxServers();
      await waitFor('its end', () => !isRunning(pid));
      // Ink gives the cursor back on standard error.
      expect(readFileSync(errors, 'utf8').trim()).toMatch(/^(?:\x1b\[\?25h)?$/);
      expect(readdirSync(folder)).toEqual(['errors']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
