import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandOver } from '../../ui/controls.ts';
import type { Notice } from '../../ui/ui-state.ts';
import { openLocalTerminal } from '../../collectors/transport/local-terminal.ts';
import { bridge, sizeOf, type BridgeEnd } from './bridge.ts';
import type { TerminalInput } from './input.ts';
import { createTypeAhead, type TypeAhead } from './type-ahead.ts';

/** The user's pager in the place of the screen. */
export interface ScreenPager {
  /** Shows a text; `handOver` takes the screen away and brings it back. Gives what to say afterwards; never rejects. */
  page(text: PagedText, handOver: HandOver): Promise<Notice | undefined>;
  /** Traintop ends: hangs up what is open; resolves when the terminal is the screen's again. */
  end(): Promise<void>;
}

/** What is shown: the pager has the name of its file on the screen. */
export interface PagedText {
  readonly name: string;
  readonly text: string;
}

interface Init {
  readonly input: TerminalInput;
  readonly output: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/** No pager yet. */
export function createScreenPager({ input, output, env }: Init): ScreenPager {
  let tellEnded = () => {};
  const ended = new Promise<void>((resolve) => (tellEnded = resolve));
  let current: Promise<Notice | undefined> | undefined;
  const pager = env.PAGER || 'less';

  async function run({ name, text }: PagedText, handOver: HandOver, typed: TypeAhead): Promise<Notice | undefined> {
    const folder = await mkdtemp(join(tmpdir(), 'traintop-'));
    try {
      const path = join(folder, name);
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
      const ends: BridgeEnd[] = [];
      // The user's own words, as their shell takes them; the path is a word of its own.
      const command = ['/bin/sh', '-c', `${pager} "$1"`, 'pager', path];
      const channel = await openLocalTerminal({ wrap: undefined, size: sizeOf(output), env, command });
      await handOver(async () => {
        ends.push(await bridge({ channel, typed, output, ended }));
      });
      return sayEnd(ends[0], pager);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    page(what, handOver) {
      const typed = createTypeAhead();
      const giveBack = input.divert(typed.push);
      current = run(what, handOver, typed)
        .catch((error: unknown): Notice => ({
          text: `The pager could not be shown: ${error instanceof Error ? error.message : String(error)}`,
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

/** Nothing, for one that was left as pagers are. */
function sayEnd(end: BridgeEnd | undefined, pager: string): Notice | undefined {
  if (end?.kind !== 'exit' || !end.exit.code) return undefined;
  const { code } = end.exit;
  const why = code === 127 ? 'is not there: set PAGER to one that is' : `ended with exit code ${code}`;
  return { text: `The pager (${pager}) ${why}.`, tone: 'warn' };
}
