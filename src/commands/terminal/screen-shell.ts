import { openShell } from '../../collectors/open-shell.ts';
import type { TerminalChannel } from '../../collectors/transport/transport.ts';
import type { HandOver } from '../../ui/controls.ts';
import type { Notice } from '../../ui/ui-state.ts';
import type { Session } from '../session.ts';
import { sayEnd } from './after.ts';
import { bridge, sizeOf, type BridgeEnd } from './bridge.ts';
import type { TerminalInput } from './input.ts';
import { createTypeAhead, type TypeAhead } from './type-ahead.ts';

/** Shells in the place of the screen. */
export interface ScreenShell {
  /** Opens one; `handOver` takes the screen away and brings it back. Gives what to say afterwards; never rejects. */
  open(handOver: HandOver): Promise<Notice | undefined>;
  /** Traintop ends: hangs up what is open; resolves when the terminal is the screen's again. */
  end(): Promise<void>;
}

interface Init {
  readonly session: Session;
  readonly input: TerminalInput;
  readonly output: NodeJS.WriteStream;
}

/** No shell yet. */
export function createScreenShell({ session, input, output }: Init): ScreenShell {
  const { transport, clock, runner } = session;
  let tellEnded = () => {};
  const ended = new Promise<void>((resolve) => (tellEnded = resolve));
  let current: Promise<Notice | undefined> | undefined;

  async function run(handOver: HandOver, typed: TypeAhead): Promise<Notice | undefined> {
    const channel = await openUnlessGivenUp(typed);
    if (!channel) return undefined;
    const openedAt = clock.now();
    let end: BridgeEnd = { kind: 'ended' };
    await handOver(async () => {
      output.write(entering(transport));
      end = await bridge({ channel, typed, output, ended });
      // The next line of the user's own terminal begins at its left.
      if (end.kind !== 'exit' || end.exit.lost) output.write('\r\n');
    });
    const text = sayEnd(end, { target: transport.target, lastedMs: clock.now() - openedAt });
    return text === undefined ? undefined : { text, tone: 'warn' };
  }

  async function openUnlessGivenUp(typed: TypeAhead): Promise<TerminalChannel | undefined> {
    const shell = runner.context()?.facts.loginShell;
    const opening = openShell({ transport, clock, size: sizeOf(output), env: process.env, shell, among: runner.open });
    const channel = await Promise.race([opening, typed.givenUp, ended]);
    // One that comes late is closed unseen.
    if (!channel)
      opening.then(
        (late) => late.end(),
        () => {},
      );
    return channel ?? undefined;
  }

  return {
    open(handOver) {
      const typed = createTypeAhead();
      const giveBack = input.divert(typed.push);
      current = run(handOver, typed)
        .catch((error: unknown): Notice => ({
          text: error instanceof Error ? error.message : String(error),
          tone: 'bad',
        }))
        .finally(giveBack);
      return current;
    },
    async end() {
      tellEnded();
      await current;
    },
  };
}

/** How to come back, on the first line. */
function entering({ target, wrap }: { readonly target: string; readonly wrap?: string | undefined }): string {
  const where = `on ${target === 'local' ? 'this machine' : target}${wrap === undefined ? '' : `, behind \`${wrap}\``}`;
  return (
    `traintop: a shell ${where}. Its end (exit, Ctrl-D) comes back to the monitor;\r\n` +
    `          Enter ~ . does so at once, even when nothing answers.\r\n`
  );
}
