import { expect } from 'vitest';
import type { Terminal } from '../support/terminal.ts';
import type { Key } from '../support/keys.ts';

/** For expect.poll: what waits for programs has time. */
export const slow = { timeout: 20_000 };

/** Opens a shell from the monitor, as soon as there is a connection. */
export async function openShell(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/link \d+ ms/, 20_000);
  await expect
    .poll(
      async () => {
        // The header may yet show a connection that is gone.
        terminal.type('!');
        return terminal.waitFor(/traintop: a shell|There is no connection/, 20_000);
      },
      { timeout: 20_000, interval: 500 },
    )
    .toContain('traintop: a shell');
  await inShell(terminal);
}

/** The shell answers. Its words are put together there, so that the echo of what is typed is not taken for them. */
export async function inShell(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/traintop: a shell/, 20_000);
  await answers(terminal, 'echo re""ady', /^ready$/m);
}

/** A program that leaves drops what was typed before the prompt. */
async function prompted(terminal: Terminal): Promise<void> {
  await terminal.waitFor((screen) => /[$#]$/.test(screen.trimEnd()), 20_000);
}

/** The shell's terminal has the size: how a change gets there takes a moment. */
export async function resizedTo(terminal: Terminal, size: string): Promise<void> {
  await answers(terminal, `until [ "$(stty size)" = "${size}" ]; do sleep 0.1; done; echo si""zed`, /^sized$/m);
}

/** Types a line, and waits for what it prints. */
export async function answers(terminal: Terminal, line: string, wanted: RegExp | string): Promise<string> {
  terminal.type(`${line}\r`);
  return terminal.waitFor(wanted, 20_000);
}

/** The monitor's own keys are in the last row, or a notice. */
export async function onMonitor(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/╭─ ⁴Threads/, 20_000);
}

/** Frames, titles and values between headline and footer. */
export function bodyOf(terminal: Terminal): string {
  return terminal.screen().split('\n').slice(3, -1).join('\n');
}

/** Nothing that a program may have switched on is left on. */
export function expectPlainModes(terminal: Terminal): void {
  expect(terminal.xterm.modes).toMatchObject({
    applicationCursorKeysMode: false,
    applicationKeypadMode: false,
    bracketedPasteMode: false,
    insertMode: false,
    mouseTrackingMode: 'none',
    reverseWraparoundMode: false,
    sendFocusMode: false,
    wraparoundMode: true,
  });
}

/** Full-screen programs, sizes, interrupts: what a shell must do wherever it is. Ends in the shell, in 120x40. */
export async function expectWholeTerminal(terminal: Terminal): Promise<void> {
  const keys = (...all: Key[]) => terminal.press(...all);
  await answers(terminal, 'stty size', /^40 120$/m);
  // A program that moves down by a line feed stays in its column.
  await answers(terminal, "stty -opost; printf 'sta\\nirs\\r\\n'; stty opost", /sta\n {3}irs\n/);
  terminal.resize(100, 30);
  await resizedTo(terminal, '30 100');
  // busybox vi draws tildes below the end of its file.
  terminal.type('busybox vi /tmp/none-$$\r');
  await terminal.waitFor((screen) => (screen.match(/^~$/gm) ?? []).length > 20, 20_000);
  terminal.resize(120, 40);
  terminal.type('ihello');
  await terminal.waitFor(/^hello/m, 20_000);
  keys('esc');
  // Its status line: no longer inserting. What comes sooner behind Esc is taken for a key of a function.
  await terminal.waitFor(/^- \/tmp\/none/m, 20_000);
  terminal.type(':q!\r');
  await prompted(terminal);
  await answers(terminal, 'echo vi-en""ded', /^vi-ended$/m);
  terminal.type('top -d 1\r');
  await terminal.waitFor(/load average:/, 20_000);
  keys('q');
  await prompted(terminal);
  await answers(terminal, 'echo top-en""ded; stty size', /^top-ended\n40 120$/m);
  // The foreground job says it: a Ctrl-C before that is taken by the shell.
  terminal.type(`sh -c 'echo sle""eps; exec sleep 1000'\r`);
  await terminal.waitFor(/^sleeps$/m, 20_000);
  keys('ctrl-c');
  await answers(terminal, 'echo code-$?', /^code-130$/m);
  terminal.type('clear\r');
  await answers(terminal, 'echo cle""ar', /^clear$/m);
}
