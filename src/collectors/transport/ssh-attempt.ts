import type { AnyAuthMethod } from 'ssh2';
import type { ResolvedTarget } from '../../config/ssh-config.ts';
import type { SecretsQuestion } from './asks.ts';
import type { LoginMemory } from './login-memory.ts';
import type { LoginRecord } from './ssh-refusal.ts';
import type { TransportFault } from './transport.ts';

/** What a log-in may do with its connection. */
export interface LoginLine {
  /** Asks the user; undefined = declined. Absent: there is nobody to ask. */
  readonly ask: ((question: SecretsQuestion) => Promise<readonly string[] | undefined>) | undefined;
  /** Why whoever answers may be another host: only keys may be used there, which it cannot use any further. */
  doubt(): string | undefined;
  /**
   * No other deadline runs while this is under way: an agent may ask the user on its part, or want a key to be touched. `over` after
   * `mostMs`, or when the connection is gone.
   */
  hold<T>(mostMs: number, work: (over: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends the connection with this sentence. */
  giveUp(fault: TransportFault): void;
}

/** Whom to log in to, and with what. */
export interface LoginInit {
  readonly target: ResolvedTarget;
  /** For questions and sentences: `user@host`, or which jump host it is. */
  readonly peer: string;
  /** For a jump host: where it leads to. */
  readonly wayTo?: string | undefined;
  /** Instead of the configured or default key files. */
  readonly identityFiles?: readonly string[] | undefined;
  readonly privateKey?: string | undefined;
  readonly memory: LoginMemory;
}

/** One thing to try. */
export interface Attempt {
  /** For the sentence; undefined = not worth a word. */
  readonly label?: string;
  readonly method: AnyAuthMethod;
  /** The agent that has the key. */
  readonly agentSocket?: string;
  /** It only asks what the server takes now. */
  readonly isLook?: boolean;
  /** It was right. */
  readonly accepted?: () => void;
}

/** What the kinds of attempts have in common. */
export interface Trying extends LoginInit {
  readonly line: LoginLine;
  /** For the sentence: what was not tried, and why. */
  readonly record: LoginRecord;
}

/** Why a question that the log-in would need is not asked. */
export function whyNoAsking({ target }: Trying): string {
  return target.passwordPrompts === 0 ? 'BatchMode forbids to ask' : 'there is no terminal to ask on';
}
