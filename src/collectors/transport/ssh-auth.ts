import type { AnyAuthMethod } from 'ssh2';
import type { LoginMethod } from '../../config/ssh-config.ts';
import type { HostLogin } from './transport.ts';
import type { Attempt, LoginInit, LoginLine, Trying } from './ssh-attempt.ts';
import { keyAttempts } from './ssh-auth-keys.ts';
import { homePath } from './home-path.ts';
import { keyboardAttempts, passwordAttempts, typedLabels } from './ssh-auth-prompts.ts';
import { emptyRecord, refusalSentence, triedText } from './ssh-refusal.ts';

/** The attempts to log in on one connection. */
export interface Login {
  /**
   * The next attempt; false when there are no more. `methods`: what the server takes, once it has said so. `partial`: what was
   * tried last was right, and the server wants more.
   */
  next(methods: readonly string[] | null, partial: boolean | null): Promise<AnyAuthMethod | false>;
  /** We are in: what the user typed was right. */
  succeeded(): void;
  /** How we got in. */
  used(): Omit<HostLogin, 'target'>;
  /** All attempts were made. */
  readonly exhausted: boolean;
  /** For a sentence: what was tried, what could not be, what the server takes. */
  tried(): string;
  /** The sentence of a refused log-in. */
  refusal(): string;
}

/** A server that always wants one more part is given up. */
const mostParts = 5;

/** Creates the attempts in OpenSSH's order; after a part that was right (two factors) it begins anew with what is asked then. */
export function createLogin(init: LoginInit, line: LoginLine): Login {
  const { target } = init;
  const labels: string[] = [];
  const record = emptyRecord();
  let offered: readonly string[] = [];
  /** The server's last answer, by identity: ssh2 1.17 hands the same one on again when there was none to an attempt. */
  let answer: readonly string[] | null = null;
  let parts = 0;
  let current: Attempt | undefined;
  let exhausted = false;
  /** What was tried last that has a name. */
  let named: Attempt | undefined;
  const right = new Set<Attempt>();
  let asked = false;
  const trying: Trying = { ...init, line: { ...line, ask: mayAsk() }, record };
  const attemptsOf: Readonly<Record<LoginMethod, (trying: Trying) => AsyncGenerator<Attempt>>> = {
    publickey: keyAttempts,
    'keyboard-interactive': keyboardAttempts,
    password: passwordAttempts,
  };
  const attempts = listAttempts();

  async function* listAttempts(): AsyncGenerator<Attempt> {
    // The server answers with what it takes; some (Tailscale SSH) let us in at once.
    yield { method: { type: 'none', username: target.user } };
    for (let part = 0; part < mostParts && part === parts; part++) yield* attemptsOfPart(part);
  }

  async function* attemptsOfPart(part: number): AsyncGenerator<Attempt> {
    for (const method of target.loginMethods) {
      if (!takes(method)) continue;
      if (method !== 'publickey' && line.doubt() !== undefined) {
        record.notes.add(`no password is sent, for ${line.doubt()}`);
        continue;
      }
      for await (const attempt of attemptsOf[method](trying)) {
        yield attempt;
        if (parts > part) return;
        if (!takes(method)) break;
      }
    }
  }

  function mayAsk(): LoginLine['ask'] {
    const { ask } = line;
    if (!ask || target.passwordPrompts === 0) return undefined;
    return (question) => {
      asked = true;
      return ask(question);
    };
  }

  function takes(method: LoginMethod): boolean {
    return offered.length === 0 || offered.includes(method);
  }

  /** Whether the last attempt was one of several parts, and right. */
  function wasPart(methods: readonly string[] | null, partial: boolean | null): boolean {
    if (methods === null || methods === answer) return false;
    return partial === true || (current?.isLook === true && methods.join() !== offered.join());
  }

  return {
    async next(methods, partial) {
      if (wasPart(methods, partial)) {
        parts++;
        current?.accepted?.();
        if (named) right.add(named);
      }
      answer = methods;
      if (methods) offered = methods;
      const { value } = await attempts.next();
      current = value || undefined;
      if (!current) {
        exhausted = true;
        // Who tries again is asked again.
        init.memory.skipped.clear();
        return false;
      }
      const { label } = current;
      if (label !== undefined) named = current;
      if (label !== undefined && !(isTyped(label) && labels.includes(label))) labels.push(label);
      return current.method;
    },
    succeeded() {
      current?.accepted?.();
      if (named) right.add(named);
    },
    used() {
      const labels = [...right].map((attempt) => attempt.label);
      const agentSocket = [...right].find((attempt) => attempt.agentSocket !== undefined)?.agentSocket;
      const how = labels.length > 0 ? labels.join(' and ') : 'nothing: the server lets this user in';
      const doubt = line.doubt();
      return { how, asked, ...(agentSocket !== undefined && { agentSocket }), ...(doubt !== undefined && { doubt }) };
    },
    get exhausted() {
      return exhausted;
    },
    tried: () => triedText(refused()),
    refusal: () => refusalSentence(refused()),
  };

  function refused() {
    // A key that stayed shut was not shown, whatever came of the question before it.
    const shut = [...record.shut.keys()].map(homePath);
    const tried = labels.filter((label) => !shut.includes(label));
    return {
      target,
      peer: init.peer,
      isHop: init.wayTo !== undefined,
      record,
      tried,
      typed: labels.some(isTyped),
      offered,
    };
  }
}

function isTyped(label: string): boolean {
  return label === typedLabels.keyboard || label === typedLabels.password;
}
