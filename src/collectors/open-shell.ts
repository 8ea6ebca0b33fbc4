import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { TransportFault, type TerminalChannel, type TerminalOptions, type Transport } from './transport/transport.ts';

/** The user's shell on the host. */
export interface Shell {
  readonly channel: TerminalChannel;
  /**
   * For one that did not end by itself: hangs up what is left behind the wrapper, as a closed terminal would. docker, kubectl and srun
   * do not, when their client is gone. undefined: nothing can be left.
   */
  readonly hangUp?: { readonly name: string; readonly body: string };
}

interface Init extends Pick<TerminalOptions, 'size' | 'env' | 'shell'> {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Opens on a connection that others use too (Runner.open). */
  readonly among?: <T extends { readonly exit: Promise<unknown> }>(open: () => Promise<T>) => Promise<T>;
}

/**
 * Opens the user's shell on the host. A wrapper is asked before whether it gives a terminal: one that does not (a script that pipes,
 * `-T`) would leave a shell without prompt, echo and Ctrl-C. Before, and not beside it: a host may allow one session. Rejects with a
 * TransportFault.
 */
export async function openShell({ transport, clock, among = (open) => open(), ...options }: Init): Promise<Shell> {
  const { wrap } = transport;
  if (wrap === undefined) return { channel: await among(() => openTerminal(transport, options)) };
  if (!(await hasTerminal({ transport, clock, among, ...options })))
    throw new TransportFault(
      `\`${wrap}\` gives no terminal inside (tty says "not a tty"), which a shell needs: take a wrapper that passes one on, or give it its option for that.`,
      true,
    );
  const mark = randomBytes(8).toString('hex');
  const channel = await among(() => openTerminal(transport, { ...options, mark }));
  return { channel, hangUp: { name: 'hangup', body: hangUpScript(mark) } };
}

/** POSIX sh. All that began in the shell and still has a terminal; who was told to stay (nohup, setsid) does. */
export function hangUpScript(mark: string): string {
  return `
for f in $(grep -ls TRAINTOP_SHELL=${mark} /proc/[0-9]*/environ 2>/dev/null); do p=\${f#/proc/}; p=\${p%/environ}
{ read -r s <"/proc/$p/stat"; } 2>/dev/null || continue
set -- \${s##*) }; [ "$5" = 0 ] || { kill -HUP "$p"; kill -CONT "$p"; } 2>/dev/null
done`;
}

/** How long a wrapper may take to answer. One that says nothing may be slow, or have no tty: its shell is tried. */
const checkMs = 5000;

async function hasTerminal(init: Init & Required<Pick<Init, 'among'>>): Promise<boolean> {
  const { transport, clock, among, ...options } = init;
  try {
    const check = await among(() => openTerminal(transport, { ...options, check: true }));
    let said = '';
    let cancel = () => {};
    const isTold = await new Promise<boolean>((resolve) => {
      cancel = clock.after(checkMs, () => resolve(false));
      void check.exit.then(() => resolve(false));
      check.onOutput((chunk) => {
        if (said.length < 4000) said += chunk.toString('latin1');
        if (/^not a tty/m.test(said)) resolve(true);
      });
    });
    cancel();
    check.end();
    return !isTold;
  } catch {
    return true; // the shell itself will say why
  }
}

async function openTerminal(transport: Transport, options: TerminalOptions): Promise<TerminalChannel> {
  if (transport.openTerminal) return transport.openTerminal(options);
  throw new TransportFault(`${transport.target} is simulated: there is no shell on it.`, true);
}
