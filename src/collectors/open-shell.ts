import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { runJob } from './stream.ts';
import { TransportFault, type TerminalChannel, type TerminalOptions, type Transport } from './transport/transport.ts';
import { explainNoShell } from './wrapper-faults.ts';

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
  const check = await checkTerminal({ transport, clock, among, ...options });
  // Nothing ran in there, or tty is not there: the wrapper's own words would be taken for a shell that ended.
  if (check === 'failed') await mustRun({ transport, clock, among });
  if (check === 'none')
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

type WithAmong<T> = T & Required<Pick<Init, 'among'>>;

async function checkTerminal(init: WithAmong<Init>): Promise<'there' | 'none' | 'failed' | 'unknown'> {
  const { transport, clock, among, ...options } = init;
  try {
    const check = await among(() => openTerminal(transport, { ...options, check: true }));
    let said = '';
    let cancel = () => {};
    const answer = await new Promise<'there' | 'none' | 'failed' | 'unknown'>((resolve) => {
      cancel = clock.after(checkMs, () => resolve('unknown'));
      void check.exit.then(({ code, lost }) => resolve(code === 0 || lost ? 'there' : 'failed'));
      check.onOutput((chunk) => {
        if (said.length < 4000) said += chunk.toString('latin1');
        if (/^not a tty/m.test(said)) resolve('none');
      });
    });
    cancel();
    check.end();
    return answer;
  } catch {
    return 'unknown'; // the shell itself will say why
  }
}

const runMs = 15_000;

/** Rejects with why nothing runs behind the wrapper. */
async function mustRun({ transport, clock, among }: WithAmong<Pick<Init, 'transport' | 'clock'>>): Promise<void> {
  const { target, wrap } = transport;
  const job = { transport: { target, wrap, open: () => among(() => transport.open()) }, clock, name: 'wrapper' };
  const result = await runJob({ ...job, body: ':', timeoutMs: runMs });
  if (!result.lost && (!result.began || result.bodyCode === undefined))
    throw new TransportFault(explainNoShell(result, transport, runMs / 1000), true);
}

async function openTerminal(transport: Transport, options: TerminalOptions): Promise<TerminalChannel> {
  if (transport.openTerminal) return transport.openTerminal(options);
  throw new TransportFault(`${transport.target} is simulated: there is no shell on it.`, true);
}
