/** A question that something behind the screen waits for. */
export type Question = YesNo | Form;

/** To be answered by yes or no: an unknown host key. */
export interface YesNo {
  readonly kind: 'yesNo';
  readonly title: string;
  /** What the user must see to decide, a row each. */
  readonly lines: readonly string[];
  /** What yes does, as a sentence. */
  readonly yes: string;
}

/** To be answered by typing: passphrases, passwords, codes. */
export interface Form {
  readonly kind: 'form';
  readonly title: string;
  readonly lines: readonly string[];
  /** What follows from what is typed: the expected cost. */
  readonly said: readonly string[];
  /** None: there is only to agree. */
  readonly fields: readonly Field[];
  /** The field that is typed into. */
  readonly at: number;
  /** Nobody waits for the answer any more; it stands until a key says so, lest the rest of a password becomes keys. */
  readonly isOver: boolean;
  /** Why what was typed cannot be taken; until it is changed. */
  readonly fault?: string;
}

/** One line to type. */
export interface Field {
  readonly label: string;
  /** What is typed is never drawn. */
  readonly hidden: boolean;
  readonly text: string;
  /** It is one of these, and is not typed. */
  readonly choices?: readonly string[];
}

/** What a form asks for. */
export type Asked = Pick<Form, 'title' | 'lines'> & {
  /** `text` is what is there at first. */
  readonly fields: readonly (Omit<Field, 'text'> & Partial<Pick<Field, 'text'>>)[];
  /** What is wrong with the answers, as a sentence; the form stays then. */
  readonly check?: (answers: readonly string[]) => string | undefined;
  /** What follows from the answers as they are. */
  readonly say?: (answers: readonly string[]) => readonly string[];
  /** Enter answers it from every field: all have what they need from the beginning. */
  readonly isFilled?: boolean;
};

/** The questions of one session, asked one after another. */
export interface Questions {
  /** Shows the question; resolves with the answer. */
  ask(question: Omit<YesNo, 'kind'>): Promise<boolean>;
  /** Shows the fields; resolves with what was typed, or undefined when the user declined or `signal` withdrew the question. */
  askForm(form: Asked, signal?: AbortSignal): Promise<readonly string[] | undefined>;
  /** The one on the screen. */
  current(): Question | undefined;
  answer(yes: boolean): void;
  /** Changes what was typed into the field. */
  edit(change: (text: string) => string): void;
  /** The next of a field's choices (1), or the one before; of a field that is typed nothing. */
  choose(step: 1 | -1): void;
  /** Goes to the next field (1), or the one before. */
  move(step: 1 | -1): void;
  /** Goes to the next field; from the last one the form is answered. */
  enter(): void;
  decline(): void;
  subscribe(listener: () => void): () => void;
}

type Waiting =
  | { readonly question: YesNo; readonly resolve: (yes: boolean) => void }
  | {
      question: Form;
      readonly asked: Asked;
      readonly resolve: (answers: readonly string[] | undefined) => void;
    };

/** Longer than any password; a file that was pasted by mistake ends here. */
const longest = 1024;

/** No question yet. */
export function createQuestions(): Questions {
  const waiting: Waiting[] = [];
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const form = () => {
    const [first] = waiting;
    return first && isForm(first) ? first : undefined;
  };
  const change = (how: (form: Form) => Form) => {
    const first = form();
    if (!first) return;
    first.question = how(first.question);
    changed();
  };
  const leave = (answers: readonly string[] | undefined) => {
    const first = form();
    if (!first) return;
    waiting.shift();
    first.resolve(answers);
    changed();
  };
  /** Changes the field that is typed into, and what follows from it. */
  const put = (how: (field: Field) => Field) => {
    const first = form();
    if (!first) return;
    change(({ fault: _, ...form }) => {
      const fields = form.fields.map((field, i) => (i === form.at ? how(field) : field));
      return { ...form, fields, said: first.asked.say?.(fields.map(({ text }) => text)) ?? [] };
    });
  };
  const choose = (step: 1 | -1) =>
    put((field) => {
      const { choices = [], text } = field;
      const next = choices[(choices.indexOf(text) + step + choices.length) % choices.length];
      return next === undefined ? field : { ...field, text: next };
    });
  const move = (step: 1 | -1) =>
    change((form) => ({ ...form, at: Math.max(0, Math.min(form.at + step, form.fields.length - 1)) }));
  return {
    ask: (question) =>
      new Promise((resolve) => {
        waiting.push({ question: { kind: 'yesNo', ...question }, resolve });
        changed();
      }),
    askForm: (asked, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(undefined);
        const { title, lines } = asked;
        const fields = asked.fields.map((field) => ({ ...field, text: field.text ?? field.choices?.[0] ?? '' }));
        const said = asked.say?.(fields.map(({ text }) => text)) ?? [];
        const one: Waiting = {
          question: { kind: 'form', title, lines, said, fields, at: 0, isOver: false },
          asked,
          resolve,
        };
        waiting.push(one);
        signal?.addEventListener('abort', () => {
          const place = waiting.indexOf(one);
          if (place < 0) return;
          if (place === 0 && fields.length > 0) one.question = over(title);
          else waiting.splice(place, 1);
          resolve(undefined);
          changed();
        });
        changed();
      }),
    current: () => waiting[0]?.question,
    answer(yes) {
      const [first] = waiting;
      if (!first || isForm(first)) return;
      waiting.shift();
      first.resolve(yes);
      changed();
    },
    edit(how) {
      const { question } = form() ?? {};
      if (question?.fields[question.at]?.choices) choose(1);
      else put((field) => ({ ...field, text: how(field.text).slice(0, longest) }));
    },
    choose,
    move,
    enter() {
      const { question, asked } = form() ?? {};
      if (!question) return;
      if (!asked?.isFilled && question.at < question.fields.length - 1) return move(1);
      const answers = question.fields.map(({ text }) => text);
      const fault = asked?.check?.(answers);
      if (fault === undefined) leave(answers);
      else change((form) => ({ ...form, fault }));
    },
    decline: () => leave(undefined),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isForm(waiting: Waiting): waiting is Extract<Waiting, { question: Form }> {
  return waiting.question.kind === 'form';
}

function over(title: string): Form {
  const lines = ['It is no longer asked: the connection that wanted it is gone.'];
  return { kind: 'form', title, lines, said: [], fields: [], at: 0, isOver: true };
}
