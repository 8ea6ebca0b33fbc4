import { constants } from 'node:os';
import { systemClock } from '../clock.ts';
import { findLoginShell } from '../collectors/login-shell.ts';
import { openShell, type Shell } from '../collectors/open-shell.ts';
import { runJob } from '../collectors/stream.ts';
import type { Exit, Transport } from '../collectors/transport/transport.ts';
import { UsageFault } from '../config/check-options.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import { endByHangUp } from './hang-up.ts';
import { asksOnTerminal } from './ask-on-terminal.ts';
import { openTarget } from './open-target.ts';
import { exitCodeOf, onEndSignal } from './signals.ts';
import { sayEnd } from './terminal/after.ts';
import { bridge, sizeOf, type BridgeEnd } from './terminal/bridge.ts';
import { plainInput } from './terminal/input.ts';
import { createTypeAhead } from './terminal/type-ahead.ts';

/** As ssh's: the shell has no exit code, because the connection went or the user left it. */
const noCode = 255;

/**
 * A shell on the host, through the wrapper, on this terminal. Resolves with its exit code, 128 and the number of a signal that
 * ended it, or 255 when it has none. Rejects with a TransportFault or a UsageFault when none was opened.
 */
export async function shell(options: Options): Promise<number> {
  const { stdin, stdout, stderr } = process;
  const { kind } = parseTarget(options.target);
  if (kind === 'recording') {
    throw new UsageFault(`${options.target} is a recording: no shell can be opened in it; traintop replay plays it.`);
  }
  if (kind === 'demo') {
    throw new UsageFault('The host of the demo is simulated: there is no shell on it.');
  }
  if (!stdin.isTTY || !stdout.isTTY)
    throw new UsageFault('A shell needs a terminal; to run one command there is ssh itself.');
  let signalled: NodeJS.Signals | undefined;
  let tellEnded = () => {};
  const ended = new Promise<void>((resolve) => (tellEnded = resolve));
  const hangUp = () => {
    signalled ??= 'SIGHUP';
    tellEnded();
  };
  const offSignals = onEndSignal((signal) => {
    signalled ??= signal;
    tellEnded();
  });
  for (const stream of [stdin, stdout, stderr]) stream.on('error', hangUp);
  const target = await openTarget(options, asksOnTerminal());
  try {
    const end = await use(target.transport, ended);
    const text = end && sayEnd(end, { target: target.transport.target, lastedMs: Infinity });
    if (end && codeOf(end) === noCode && text !== undefined) stderr.write(`\r\ntraintop: ${text}\n`);
    return signalled ? exitCodeOf(signalled) : end ? codeOf(end) : exitCodeOf('SIGINT');
  } finally {
    await target.transport.close();
    await target.close();
    offSignals();
    if (signalled === 'SIGHUP') await endByHangUp();
  }
}

/** Undefined when the user gave up waiting, or traintop ended meanwhile. */
async function use(transport: Transport, ended: Promise<void>): Promise<BridgeEnd | undefined> {
  const connected = transport.connect().then(() => true);
  if (!(await Promise.race([connected, ended]))) {
    connected.catch(() => {}); // the close below fails it
    return undefined;
  }
  const typed = createTypeAhead();
  const giveBack = plainInput(process.stdin).divert(typed.push);
  try {
    const opening = open(transport);
    const shell = await Promise.race([opening, typed.givenUp, ended]);
    if (shell) {
      const end = await bridge({ channel: shell.channel, typed, output: process.stdout, ended });
      if (end.kind !== 'exit') await hangUp(transport, shell);
      return end;
    }
    // One that comes late is closed with the transport.
    opening.catch(() => {});
    return undefined;
  } finally {
    giveBack();
  }
}

async function open(transport: Transport) {
  const shell = transport.wrap === undefined ? undefined : await findLoginShell(transport, systemClock);
  return openShell({ transport, clock: systemClock, size: sizeOf(process.stdout), env: process.env, shell });
}

/** A link that is frozen does not answer. */
const hangUpMs = 1500;

async function hangUp(transport: Transport, { hangUp }: Shell): Promise<void> {
  if (hangUp) await runJob({ transport, clock: systemClock, ...hangUp, timeoutMs: hangUpMs }).catch(() => {});
}

function codeOf(end: BridgeEnd): number {
  return end.kind === 'exit' ? codeOfExit(end.exit) : noCode;
}

function codeOfExit({ code, signal }: Exit): number {
  if (code !== null) return code;
  const number = constants.signals[`SIG${(signal ?? '').replace(/^SIG/, '')}` as NodeJS.Signals] as number | undefined;
  return number === undefined ? noCode : 128 + number;
}
