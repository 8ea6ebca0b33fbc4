import type { AskSecrets } from './asks.ts';
import type { LoginMemory } from './login-memory.ts';
import { TransportFault } from './transport.ts';

/** Asks before a connection that will need the user is opened again. */
export interface Again {
  /** The last log-in needed an answer that is good once. */
  isNeeded(): boolean;
  /**
   * Resolves when the user wants to log in: the question waits on the screen, for a night if need be, and no failed log-in reaches
   * the host meanwhile (it would block this address). `told` hears what it waits for. Rejects with a final TransportFault when the
   * user declines.
   */
  agreed(told?: (reason: string) => void): Promise<void>;
  /** Takes the question away. */
  withdraw(): void;
}

interface Init {
  /** What is logged in to. */
  readonly name: string;
  readonly memory: LoginMemory;
  readonly ask: AskSecrets | undefined;
}

/** Asks nothing yet. */
export function createAgain({ name, memory, ask }: Init): Again {
  let withdrawal = new AbortController();
  let answer: ReturnType<AskSecrets> | undefined;
  return {
    isNeeded: () => ask !== undefined && memory.needs.size > 0,
    async agreed(told) {
      told?.(`the log-in to ${name} waits for an answer`);
      const { signal } = withdrawal;
      const lines = ['The connection is gone, and the host wants an answer to let traintop in again.'];
      answer ??= ask?.({ title: `Log in to ${name} again?`, lines, fields: [] }, signal);
      const agrees = (await answer) !== undefined && !signal.aborted;
      answer = undefined;
      if (!agrees) throw new TransportFault(`Logging in to ${name} again was declined: R asks anew.`, true);
    },
    withdraw() {
      withdrawal.abort();
      withdrawal = new AbortController();
    },
  };
}
