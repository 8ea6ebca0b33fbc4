import { expect, it } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { openShell } from '../../src/collectors/open-shell.ts';
import { createSessions } from '../../src/collectors/sessions.ts';
import { ChannelRefused, type Exit, type TerminalChannel } from '../../src/collectors/transport/transport.ts';
import { createFakeTransport } from '../support/fake-transport.ts';

/** A host that allows so many sessions, and prints this when it is asked for its terminal. */
function createHost(allowed: number, tty: string) {
  const fake = createFakeTransport();
  let open = 0;
  const opened: string[] = [];
  const openTerminal = async ({ check }: { readonly check?: boolean }): Promise<TerminalChannel> => {
    if (open >= allowed) throw new ChannelRefused('no more sessions');
    open++;
    opened.push(check ? 'tty' : 'shell');
    let close = (_exit: Exit) => {};
    const exit = new Promise<Exit>((resolve) => (close = resolve));
    const end = () => close({ code: 0, lost: false });
    void exit.then(() => open--);
    const onOutput = (fn: (chunk: Buffer) => void) => {
      if (!check) return;
      setImmediate(() => {
        fn(Buffer.from(`${tty}\r\n`));
        end();
      });
    };
    return { write: () => {}, resize: () => {}, pause: () => {}, resume: () => {}, onOutput, exit, end };
  };
  return { ...fake, wrap: 'box', openTerminal, opened };
}

async function openOn(host: ReturnType<typeof createHost>) {
  const clock = createManualClock(0);
  const { openJob } = createSessions({ target: 'fake', clock, onChange: () => {} });
  let isOver = false;
  const opening = openShell({ transport: host, clock, among: openJob, size: { columns: 80, rows: 24 }, env: {} });
  const over = opening.catch(() => {}).then(() => (isOver = true));
  for (let turn = 0; turn < 20 && !isOver; turn++) {
    await host.settle();
    clock.advance(500);
  }
  expect(isOver).toBe(true);
  await over;
  return opening;
}

it.each([1, 2, 10])('opens behind a wrapper where the host allows %i sessions', async (allowed) => {
  const host = createHost(allowed, '/dev/pts/3');
  await expect(openOn(host)).resolves.toMatchObject({ hangUp: { name: 'hangup' } });
  expect(host.opened.toSorted()).toEqual(['shell', 'tty']);
});

it.each([1, 10])('tells of a wrapper that gives no terminal, with %i sessions', async (allowed) => {
  await expect(openOn(createHost(allowed, 'not a tty'))).rejects.toThrow(/^`box` gives no terminal inside/);
});
