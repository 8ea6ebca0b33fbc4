import { afterAll, afterEach, describe, test } from 'vitest';
import { closeTerminals } from '../support/terminal.ts';
import { makeHome, panel, removeHomes, traintop } from './program.ts';

afterEach(closeTerminals);
afterAll(removeHomes);

describe('a shell on this machine', () => {
  test('takes the place of the screen, and gives it back whole', async () => {
    const home = makeHome();
    const terminal = traintop(home, [], { env: { SHELL: '/bin/bash', PS1: '$ ' } });
    await terminal.waitFor(/link \d+ ms/);
    await terminal.waitFor((s) => panel(s, 'Host').length > 0 || /Threads/.test(s));
    terminal.type('!echo typed-$((1+1))\r');
    await terminal.waitFor('typed-2');
    console.log(terminal.screen());
    terminal.type('stty size; sleep 50\r');
    await terminal.waitFor('40 120');
    terminal.press('ctrl-c');
    terminal.type('echo code $?\r');
    await terminal.waitFor('code 130');
    terminal.type('exit 3\r');
    await terminal.waitFor(/The shell ended with exit code 3/);
    console.log(terminal.screen());
    terminal.type('q');
    console.log(await terminal.exit);
    console.log(terminal.screen());
  });
});
