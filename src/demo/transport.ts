import type { Clock } from '../clock.ts';
import type { Channel, Exit, Transport } from '../collectors/transport/transport.ts';
import type { Machine } from './machine.ts';
import { createDemoShell } from './shell.ts';

/** The demo host without SSH between, on any clock: for exact replays (pictures, the bench, tests). */
export function createDirectDemoTransport(machine: Machine, clock: Clock): Transport {
  let shells = 0;
  const open = new Set<Channel>();
  return {
    target: 'demo',
    connect: async () => {},
    async open() {
      const channel = openShell(machine, clock, 9000 + shells++);
      open.add(channel);
      void channel.exit.then(() => open.delete(channel));
      return channel;
    },
    onLost: () => {},
    async close() {
      for (const channel of open) channel.end();
    },
  };
}

function openShell(machine: Machine, clock: Clock, shellPid: number): Channel {
  const outputs: ((chunk: Buffer) => void)[] = [];
  const errors: ((chunk: Buffer) => void)[] = [];
  let finish: (exit: Exit) => void = () => {};
  const exit = new Promise<Exit>((resolve) => (finish = resolve));
  const shell = createDemoShell({
    machine,
    clock,
    shellPid,
    // Later, as from any real channel: who opened it has it in hand before it speaks.
    output: (text) => void setImmediate(() => outputs.forEach((fn) => fn(Buffer.from(text)))),
    errorOutput: (text) => void setImmediate(() => errors.forEach((fn) => fn(Buffer.from(text)))),
    exit: (code) => void setImmediate(() => finish({ code, lost: false })),
  });
  return {
    write: (text) => shell.input(text),
    end: () => shell.end(),
    onOutput: (fn) => void outputs.push(fn),
    onErrorOutput: (fn) => void errors.push(fn),
    exit,
  };
}
