import { afterEach, expect, test } from 'vitest';
import { closeTerminals, startTerminal } from './terminal.ts';

afterEach(closeTerminals);

// Draws the terminal's size at the start and at every resize, and each key it gets, in JSON.
const echo = `
  process.stdin.setRawMode(true);
  const size = () => process.stdout.write('size ' + process.stdout.columns + 'x' + process.stdout.rows + '\\r\\n');
  process.stdout.on('resize', size);
  process.stdin.on('data', (key) => process.stdout.write(JSON.stringify(String(key)) + '\\r\\n'));
  size();
`;
const node = (script: string) => ({ command: [process.execPath, '-e', script] });
const sh = (script: string) => ({ command: ['sh', '-c', script] });

test('draws what a program writes, and follows resizes and keys', async () => {
  const terminal = startTerminal({ ...node(echo), cols: 80, rows: 24 });
  await terminal.waitFor('size 80x24');
  expect(terminal.row(0)).toBe('size 80x24');
  terminal.resize(100, 30);
  await terminal.waitFor(/size 100x30/);
  terminal.press('down', 'q');
  terminal.type('é');
  await terminal.waitFor((screen) => screen.includes('é'));
  expect(terminal.screen()).toContain('"\\u001b[B');
  expect(() => terminal.press('dwon')).toThrow('no key is called dwon');
});

test('knows the alternate screen and the cursor, and sees output cut inside a character', async () => {
  const script = String.raw`printf '\033[?1049h\033[?25l\342\226'; sleep 0.05; printf '\210ok'; read -r x; printf '\033[?1049l\033[?25hbye'`;
  const terminal = startTerminal(sh(script));
  await terminal.waitFor('█ok');
  expect([terminal.alternateScreen(), terminal.cursorVisible()]).toEqual([true, false]);
  terminal.press('enter');
  expect(await terminal.exit).toEqual({ code: 0, signal: undefined });
  expect([terminal.alternateScreen(), terminal.cursorVisible(), terminal.row(0)]).toEqual([false, true, 'bye']);
  expect(terminal.bytes()).toBe(Buffer.byteLength(terminal.raw()));
});

test('takes no half of a synchronized update for a screen', async () => {
  const script = String.raw`printf '\033[?2026hfirst '; sleep 0.3; printf 'second\033[?2026l'; exec sleep 60`;
  expect(await startTerminal(sh(script)).waitFor('first')).toContain('first second');
});

test('says how the program ended: its code, or the signal', async () => {
  expect(await startTerminal(sh('exit 3')).exit).toEqual({ code: 3, signal: undefined });
  const terminal = startTerminal(sh('echo on; exec sleep 60'));
  await terminal.waitFor('on');
  terminal.kill('SIGTERM');
  expect((await terminal.exit).signal).toBe(15);
});

test('a wait that fails says what was on the screen', async () => {
  await expect(startTerminal(sh('echo here; exec sleep 60')).waitFor(/here\s+there/, 300)).rejects.toThrow(
    /did not show .* within 300 ms:\nhere/,
  );
  await expect(startTerminal(sh('echo gone; exit 2')).waitFor('there')).rejects.toThrow(/ended .*"code":2.*\ngone/);
});

test('answers the questions a program asks the terminal', async () => {
  const script = `process.stdin.setRawMode(true); process.stdin.on('data', (d) => console.log(JSON.stringify(String(d)))); process.stdout.write('\\x1b[6n');`;
  await startTerminal(node(script)).waitFor('[1;1R');
});

test('the program does not see what would change its drawing', async () => {
  const terminal = startTerminal({ ...sh('echo "ci=$CI color=$FORCE_COLOR term=$TERM x=$X"'), env: { X: 'y' } });
  await terminal.waitFor('ci= color= term=xterm-256color x=y');
});
