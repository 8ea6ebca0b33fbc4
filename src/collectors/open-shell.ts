import type { Clock } from '../clock.ts';
import { TransportFault, type TerminalChannel, type TerminalOptions, type Transport } from './transport/transport.ts';

interface Init extends Omit<TerminalOptions, 'check'> {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Opens on a connection that others use too (Runner.open). */
  readonly among?: <T extends { readonly exit: Promise<unknown> }>(open: () => Promise<T>) => Promise<T>;
}

/**
 * Opens the user's shell on the host. A wrapper is asked at the same time whether it gives a terminal: one that does not (a script that
 * pipes, `-T`) would leave a shell without prompt, echo and Ctrl-C. Rejects with a TransportFault.
 */
export async function openShell({
  transport,
  clock,
  among = (open) => open(),
  ...options
}: Init): Promise<TerminalChannel> {
  const { wrap } = transport;
  const open = () => among(() => openTerminal(transport, options));
  if (wrap === undefined) return open();
  const [channel, isTerminal] = await Promise.all([open(), hasTerminal({ transport, clock, ...options })]);
  if (isTerminal) return channel;
  channel.end();
  throw new TransportFault(
    `\`${wrap}\` gives no terminal inside (tty says "not a tty"), which a shell needs: take a wrapper that passes one on, or give it its option for that.`,
    true,
  );
}

/** How long a wrapper may take to answer. One that says nothing may be slow, or have no tty: its shell is tried. */
const checkMs = 5000;

async function hasTerminal({ transport, clock, ...options }: Init): Promise<boolean> {
  let said = '';
  try {
    const check = await openTerminal(transport, { ...options, check: true });
    check.onOutput((chunk) => {
      if (said.length < 4000) said += chunk.toString('latin1');
    });
    let cancel = () => {};
    const late = new Promise<void>((resolve) => (cancel = clock.after(checkMs, resolve)));
    await Promise.race([check.exit, late]);
    cancel();
    check.end();
  } catch {
    // The host opens one terminal and no second, which is no reason against the first.
  }
  return !/^not a tty/m.test(said);
}

async function openTerminal(transport: Transport, options: TerminalOptions): Promise<TerminalChannel> {
  if (transport.openTerminal) return transport.openTerminal(options);
  throw new TransportFault(`${transport.target} is simulated: there is no shell on it.`, true);
}
