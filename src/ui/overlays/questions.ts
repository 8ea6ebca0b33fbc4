/** A yes-or-no question that something behind the screen waits for: an unknown host key. */
export interface Question {
  readonly title: string;
  /** What the user must see to decide, a row each. */
  readonly lines: readonly string[];
  /** What yes does, as a sentence. */
  readonly yes: string;
}

/** The questions of one session, asked one after another. */
export interface Questions {
  /** Shows the question; resolves with the answer. */
  ask(question: Question): Promise<boolean>;
  /** The one on the screen. */
  current(): Question | undefined;
  answer(yes: boolean): void;
  subscribe(listener: () => void): () => void;
}

/** No question yet. */
export function createQuestions(): Questions {
  const waiting: { readonly question: Question; readonly resolve: (yes: boolean) => void }[] = [];
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  return {
    ask: (question) =>
      new Promise((resolve) => {
        waiting.push({ question, resolve });
        changed();
      }),
    current: () => waiting[0]?.question,
    answer(yes) {
      waiting.shift()?.resolve(yes);
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
