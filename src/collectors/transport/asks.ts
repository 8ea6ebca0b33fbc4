/** What a log-in needs of the user: a passphrase, a password, the answers of a second factor. */
export interface SecretsQuestion {
  readonly title: string;
  /** What there is to say before; safe to show. */
  readonly lines: readonly string[];
  /** In the order of the answers; none = nothing to type, only to agree to. */
  readonly fields: readonly SecretField[];
}

/** One line to type. */
export interface SecretField {
  readonly label: string;
  /** What is typed must not be seen. */
  readonly hidden: boolean;
}

/**
 * Asks on whatever terminal there is. Resolves with an answer a field, or undefined when the user declined. `signal` takes the
 * question away again (the server hung up): it counts as declined then.
 */
export type AskSecrets = (question: SecretsQuestion, signal?: AbortSignal) => Promise<readonly string[] | undefined>;
