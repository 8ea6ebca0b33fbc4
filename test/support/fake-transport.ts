import type { Channel, Exit, Transport } from '../../src/collectors/transport/transport.ts';
import { ChannelRefused, type TransportFault } from '../../src/collectors/transport/transport.ts';

/** A transport without a host: it plays scripted answers, found by the collector's name in a script's first line. */
export interface FakeTransport extends Transport {
  /** The next script of this name is answered so. Answers of one name are used in order. */
  expect(name: string, play: (shell: FakeShell) => void): void;
  /** How the next `connect`s end; each is used once, then they succeed. */
  refuse(...faults: TransportFault[]): void;
  /** From now on the server opens no more channels than that at once, as sshd with MaxSessions; 10 at first. */
  allow(sessions: number): void;
  /** How many channels it refused. */
  refused(): number;
  /** The link goes: all shells end, and the transport says so. */
  lose(reason: string): Promise<void>;
  /** Shells that run now. */
  running(): readonly FakeShell[];
  /** Lets everything that is under way arrive. */
  settle(): Promise<void>;
  /** Throws when a script came that nobody expected, or an expected one did not come. */
  verify(): void;
}

/** One script as the host has it. It said its first marked line already. */
export interface FakeShell {
  readonly name: string;
  readonly script: string;
  /** Lines the client sent after the script, leases included. */
  readonly lines: readonly string[];
  /** Prints lines. */
  say(...lines: readonly string[]): void;
  sayError(text: string): void;
  /** The body ends with this code, and the shell with it. */
  end(code?: number): void;
  /** The shell ends without its last line. */
  cut(exit?: Partial<Exit>): void;
  /** Called for each line that the client sends. */
  onLine(fn: (line: string) => void): void;
}

export function createFakeTransport(target = 'fake'): FakeTransport {
  const expected = new Map<string, ((shell: FakeShell) => void)[]>();
  const faults: string[] = [];
  const refusals: TransportFault[] = [];
  const open = new Map<FakeShell, (exit: Exit) => void>();
  let allowed = 10;
  let refusedCount = 0;
  let sessions = 0;
  let onLost: (reason: string) => void = () => {};

  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  return {
    target,
    async connect() {
      const refusal = refusals.shift();
      if (refusal) throw refusal;
    },
    async open() {
      if (sessions >= allowed) {
        refusedCount++;
        throw new ChannelRefused('no more sessions');
      }
      sessions++;
      const channel = createShell({
        onStart(shell, close) {
          const play = expected.get(shell.name)?.shift();
          if (!play) faults.push(`nobody expected a script of ${shell.name}`);
          open.set(shell, close);
          if (play) play(shell);
          else shell.cut({ code: 127 });
        },
        onClose: (shell) => void open.delete(shell),
      });
      void channel.exit.then(() => sessions--);
      return channel;
    },
    onLost: (fn) => void (onLost = fn),
    async close() {
      for (const close of [...open.values()]) close({ code: null, lost: false });
    },
    expect: (name, play) => void expected.set(name, [...(expected.get(name) ?? []), play]),
    allow: (count) => void (allowed = count),
    refused: () => refusedCount,
    refuse: (...all) => void refusals.push(...all),
    async lose(reason) {
      for (const close of [...open.values()]) close({ code: null, lost: true });
      await settle();
      onLost(reason);
      await settle();
    },
    running: () => [...open.keys()],
    settle,
    verify() {
      const unused = [...expected].flatMap(([name, all]) => all.map(() => `nobody started a script of ${name}`));
      const all = [...faults, ...unused];
      if (all.length > 0) throw new Error(all.join('; '));
    },
  };
}

interface Hooks {
  readonly onStart: (shell: FakeShell, close: (exit: Exit) => void) => void;
  readonly onClose: (shell: FakeShell) => void;
}

function createShell({ onStart, onClose }: Hooks): Channel {
  let output: (chunk: Buffer) => void = () => {};
  let errorOutput: (chunk: Buffer) => void = () => {};
  let close: (exit: Exit) => void = () => {};
  const exit = new Promise<Exit>((resolve) => (close = resolve));
  let shell: FakeShell | undefined;
  let listener: (line: string) => void = () => {};
  const lines: string[] = [];

  function start(script: string): FakeShell {
    const name = /^# traintop:(\S+)/.exec(script)?.[1] ?? '';
    const nonce = /@traintop ([0-9a-f]+) /.exec(script)?.[1] ?? '';
    const print = (text: string) => output(Buffer.from(`${text}\n`));
    const started: FakeShell = {
      name,
      script,
      lines,
      say: (...all) => print(all.join('\n')),
      sayError: (text) => errorOutput(Buffer.from(text)),
      end(code = 0) {
        print(`@end ${nonce} ${code}`);
        finish({ code, lost: false });
      },
      cut: (how) => finish({ code: null, lost: false, ...how }),
      onLine: (fn) => void (listener = fn),
    };
    const finish = (how: Exit) => {
      onClose(started);
      close(how);
    };
    // As on a real host, nothing comes back before the write returned.
    setImmediate(() => {
      print(`@traintop ${nonce} 4242`);
      onStart(started, finish);
    });
    return started;
  }

  return {
    write(text) {
      if (!shell) return void (shell = start(text));
      for (const line of text.split('\n').slice(0, -1)) {
        lines.push(line);
        listener(line);
      }
    },
    end: () => void (shell && (onClose(shell), close({ code: 0, lost: false }))),
    onOutput: (fn) => void (output = fn),
    onErrorOutput: (fn) => void (errorOutput = fn),
    exit,
  };
}

/** What a small host answers to the probe. */
export const probeAnswer = [
  'clock 1700000000.000000000 1700000000 +0000',
  'uptime 1000.00',
  'hostname node-0',
  'user root',
  'uid 0',
  'ticks 100',
  'page 4096',
  'cores 2',
  'awk mawk',
  'top top from procps-ng 4.0.2',
  'tail yes',
  'gpu none',
];
