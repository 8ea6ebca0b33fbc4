import { openShell, type Shell } from '../../collectors/open-shell.ts';
import type { HandOver } from '../../ui/controls.ts';
import type { Notice } from '../../ui/ui-state.ts';
import type { Session } from '../session.ts';
import { sayEnd } from './after.ts';
import { bridge, sizeOf, type BridgeEnd } from './bridge.ts';
import type { TerminalInput } from './input.ts';
import { createLeftovers } from './leftovers.ts';
import { createTypeAhead, type TypeAhead } from './type-ahead.ts';

/** Shells in the place of the screen. */
export interface ScreenShell {
  /** Opens one; `handOver` takes the screen away and brings it back. Gives what to say afterwards; never rejects. */
  open(handOver: HandOver): Promise<Notice | undefined>;
  /** Traintop ends: hangs up what is open; resolves when the terminal is the screen's again. */
  end(): Promise<void>;
  /** After `end`: resolves when nothing of it is left on the host. */
  settle(): Promise<unknown>;
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
  const leftovers = createLeftovers(session);

  async function run(handOver: HandOver, typed: TypeAhead): Promise<Notice | undefined> {
    const shell = await openUnlessGivenUp(typed);
    if (!shell) return undefined;
    const { channel } = shell;
    const openedAt = clock.now();
    const ends: BridgeEnd[] = [];
    await handOver(async () => {
      output.write(entering(transport));
      const end = await bridge({ channel, typed, output, ended });
      // The next line of the user's own terminal begins at its left.
      if (isCut(end)) output.write('\r\n');
      ends.push(end);
    });
    const end = ends[0] ?? { kind: 'ended' };
    if (isCut(end)) leftovers.hangUp(shell);
    const text = sayEnd(end, { target: transport.target, lastedMs: clock.now() - openedAt });
    return text === undefined ? undefined : { text, tone: 'warn' };
  }

  async function openUnlessGivenUp(typed: TypeAhead): Promise<Shell | undefined> {
    const loginShell = runner.context()?.facts.loginShell;
    const opening = openShell({
      transport,
      clock,
      size: sizeOf(output),
      env: process.env,
      shell: loginShell,
      among: runner.open,
    });
    const shell = await Promise.race([opening, typed.givenUp, ended]);
    if (shell) return shell;
    // One that comes late is closed unseen.
    opening.then(
      (late) => {
        late.channel.end();
        leftovers.hangUp(late);
      },
      () => {},
    );
    return undefined;
  }

  return {
    settle: leftovers.settle,
    open(handOver) {
      const typed = createTypeAhead();
      const giveBack = input.divert(typed.push);
      current = run(handOver, typed)
        .catch((error: unknown): Notice => ({
          text: error instanceof Error ? error.message : String(error),
          tone: 'bad',
        }))
        .finally(() => giveBack(typed.rest()));
      return current;
    },
    async end() {
      tellEnded();
      await current;
    },
  };
}

/** It did not end by itself. */
function isCut(end: BridgeEnd): boolean {
  return end.kind !== 'exit' || end.exit.lost;
}

/** How to come back, on the first line. */
function entering({ target, wrap }: { readonly target: string; readonly wrap?: string | undefined }): string {
  const where = `on ${target === 'local' ? 'this machine' : target}${wrap === undefined ? '' : `, behind \`${wrap}\``}`;
  return (
    `traintop: a shell ${where}. Its end (exit, Ctrl-D) comes back to the monitor;\r\n` +
    `          Enter ~ . does so at once, even when nothing answers.\r\n`
  );
}
