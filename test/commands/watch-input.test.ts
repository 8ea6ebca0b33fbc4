import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeFolder } from '../support/remove-folder.ts';
import { startTerminal } from '../support/terminal.ts';

const home = mkdtempSync(join(tmpdir(), 'traintop-input-'));
afterAll(() => removeFolder(home));

test('the screen draws where CI is set, and takes no mouse report or answer of the terminal for keys', async () => {
  const terminal = startTerminal({
    args: ['demo'],
    env: { HOME: home, CI: 'true' },
  });
  try {
    await terminal.waitFor((screen) => /Queues/.test(screen) && /by cpu/.test(screen));
    terminal.type('\x1b[<35;11;12M\x1b]11;rgb:1/q\x1b\\\x1b[?62;22c');
    terminal.type('s');
    await terminal.waitFor((screen) => /by name/.test(screen));
    expect(terminal.screen()).toMatch(/Queues/);
    terminal.type('q');
    expect(await terminal.exit).toMatchObject({ code: 0 });
  } finally {
    await terminal.close();
  }
});
