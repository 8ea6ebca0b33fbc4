import type { Clock } from '../clock.ts';
import { TransportFault, type Channel, type Exit, type Transport } from '../collectors/transport/transport.ts';
import { onDrops } from './drops.ts';
import type { Machine } from './machine.ts';
import { createDemoShell } from './shell.ts';

/** The demo host without SSH between, on any clock: for exact replays (pictures, the bench, tests). */
export function createDirectDemoTransport(machine: Machine, clock: Clock): Transport {
  let shells = 0;
  const open = new Set<DirectChannel>();
  const lost: ((reason: string) => void)[] = [];
  let isOpen = false;
  const cancelDrops = onDrops(machine, clock, () => {
    if (!isOpen) return;
    isOpen = false;
    for (const channel of open) channel.lose();
    for (const tell of lost) tell('The connection to the demo host was reset.');
  });
  const refuse = () => {
    if (machine.isLinkUp(machine.uptime(clock.now()))) return;
    throw new TransportFault('The demo host cannot be reached: this scenario has no network just now.', false);
  };
  return {
    target: 'demo',
    async connect() {
      refuse();
      isOpen = true;
    },
    async open() {
      refuse();
      const channel = openShell(machine, clock, 9000 + shells++);
      open.add(channel);
      void channel.exit.then(() => open.delete(channel));
      return channel;
    },
    onLost: (fn) => void lost.push(fn),
    async close() {
      isOpen = false;
      cancelDrops();
      for (const channel of open) channel.end();
    },
  };
}

interface DirectChannel extends Channel {
  /** The link went from under it. */
  lose(): void;
}

function openShell(machine: Machine, clock: Clock, shellPid: number): DirectChannel {
  const outputs: ((chunk: Buffer) => void)[] = [];
  const errors: ((chunk: Buffer) => void)[] = [];
  let finish: (exit: Exit) => void = () => {};
  let isLost = false;
  const exit = new Promise<Exit>((resolve) => (finish = resolve));
  const tell = (to: typeof outputs, text: string) => {
    if (!isLost) for (const fn of to) fn(Buffer.from(text));
  };
  const shell = createDemoShell({
    machine,
    clock,
    shellPid,
    // Later, as from any real channel: who opened it has it in hand before it speaks.
    output: (text) => void setImmediate(() => tell(outputs, text)),
    errorOutput: (text) => void setImmediate(() => tell(errors, text)),
    exit: (code) => void setImmediate(() => finish(isLost ? { code: null, lost: true } : { code, lost: false })),
  });
  return {
    write: (text) => shell.input(text),
    end: () => shell.end(),
    lose() {
      isLost = true;
      shell.end();
    },
    onOutput: (fn) => void outputs.push(fn),
    onErrorOutput: (fn) => void errors.push(fn),
    exit,
  };
}
