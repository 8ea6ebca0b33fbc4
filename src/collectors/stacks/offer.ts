import type { Clock } from '../../clock.ts';
import type { Runner } from '../run.ts';
import { copyProgram, type Copied } from './copy.ts';
import { readProgram } from './copy-program.ts';

/** Asks the user; true is a yes. */
export type ConfirmCopy = (question: {
  readonly title: string;
  readonly lines: readonly string[];
  readonly yes: string;
}) => Promise<boolean>;

/** Brings the user's py-spy to a host that has it not. */
export interface Offer {
  /**
   * To be called before a capture: where --py-spy names a file of this machine and no program of the host, it is copied there after a yes,
   * which holds for the session. `asks` false: only what was agreed to is done. Gives a sentence where it could not be brought; `told`
   * hears how it goes on.
   */
  bring(asks: boolean, told?: (note: string) => void): Promise<string | undefined>;
  /** Removes it there. */
  stop(): void;
}

interface Init {
  readonly runner: Pick<Runner, 'converse' | 'context' | 'configure'>;
  readonly clock: Clock;
  /** As the user gave it; absent: there is nothing to bring. */
  readonly pySpy: string | undefined;
  readonly readOnly: boolean;
  /** Absent: nobody can be asked. */
  readonly confirm: ConfirmCopy | undefined;
}

/** Nothing is asked or copied before `bring`. */
export function createOffer({ runner, clock, pySpy, readOnly, confirm }: Init): Offer {
  let copied: Copied | undefined;
  let agreed = false;
  let stopped = false;
  let under: Promise<string | undefined> | undefined;

  async function perform(asks: boolean, told: (note: string) => void): Promise<string | undefined> {
    const context = runner.context();
    if (pySpy === undefined || !context || copied || stopped) return undefined;
    const { host, wrap, facts } = context;
    // The probe names the user's own choice first.
    if (facts.pySpy === pySpy || (!asks && !agreed)) return undefined;
    const program = await readProgram(pySpy);
    // The capture itself says that there is no such program on the host.
    if (!program) return undefined;
    if ('failure' in program) return program.failure;
    const { name, machine, bytes } = program;
    if (readOnly) return `${pySpy} is no program of ${host}, and --read-only copies nothing there`;
    if (!agreed) {
      told(`waits for your answer: may py-spy be copied to ${host}?`);
      if (!confirm)
        return `${pySpy} is a file of this machine and not on ${host}, and nobody could be asked whether to copy it there`;
      const size = `${(bytes.length / 2 ** 20).toFixed(1)} MiB`;
      agreed = await confirm({
        title: `py-spy is not on ${host}: copy it there?`,
        lines: [
          `${name} on this machine (${size}, for ${machine}) can be copied${wrap === undefined ? '' : ` through \`${wrap}\``}.`,
          `It goes into a private folder of ${facts.user} there, and is removed when traintop ends, also when it is killed.`,
        ],
        yes: 'Copy it, and go on.',
      });
      if (!agreed) return `${pySpy} is not on ${host}, and was not copied there: you said no`;
    }
    try {
      const made = await copyProgram({
        ...{ runner, clock, host, program, onGone: gone },
        onProgress: (percent) => told(`copies py-spy to ${host}: ${percent} %`),
      });
      if (stopped) {
        made.stop();
        return undefined;
      }
      copied = made;
      runner.configure({ pySpyCopy: made.path });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  function gone() {
    copied = undefined;
    runner.configure({ pySpyCopy: undefined });
  }

  return {
    bring: (asks, told = () => {}) => (under ??= perform(asks, told).finally(() => (under = undefined))),
    stop() {
      stopped = true;
      copied?.stop();
    },
  };
}
