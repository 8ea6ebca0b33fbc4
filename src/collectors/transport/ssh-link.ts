import ssh2, { type Client } from 'ssh2';
import type { Clock } from '../../clock.ts';
import type { ResolvedTarget } from '../../config/ssh-config.ts';
import type { AskSecrets, SecretsQuestion } from './asks.ts';
import type { HostKeyCheck } from './host-key-check.ts';
import type { LoginLine } from './ssh-attempt.ts';
import type { Login } from './ssh-auth.ts';
import {
  closedHandshake,
  closedWhileAsking,
  wantsNewPassword,
  lostReason,
  openFault,
  timedOut,
  type Peer,
  type SshError,
} from './ssh-faults.ts';
import { defaultTimeoutMs, type Wire } from './ssh-wires.ts';
import { TransportFault, type HostLogin } from './transport.ts';

/** One connection, from its first packet to its end. It is never opened again: the next one is a new Link. */
export interface Link {
  readonly client: Client;
  /** Settles when we are logged in; rejects with a TransportFault. */
  readonly opened: Promise<void>;
  /** Called once, with why, when the connection is gone after it was open and not by `end`. */
  onLost(fn: (reason: string) => void): void;
  readonly isOpen: boolean;
  /** How we got in. */
  used(): Omit<HostLogin, 'target'>;
  /** Gives an open connection up from which nothing comes within `ms`. */
  check(ms: number): void;
  /** Drops an open connection at once, as if it had broken. */
  drop(): void;
  /** Ends the connection, at any time; resolves when it is gone. */
  end(): Promise<void>;
}

interface Init {
  readonly target: ResolvedTarget;
  readonly peer: Peer;
  readonly wire: Wire;
  /** How many connections go through this one. */
  readonly behind: number;
  readonly login: (line: LoginLine) => Login;
  readonly askSecrets: AskSecrets | undefined;
  readonly hostKeys: HostKeyCheck;
  readonly clock: Clock;
  /** Something came from the host, after we were logged in. */
  readonly onHeard: () => void;
}

const aliveMs = 4500;
/** ssh2 gives up at the next turn after this many unanswered ones: a dead link is seen 9 to 13.5 s after its last packet. */
const aliveCount = 2;
/** After something was typed: the server may wait for the user's telephone, or for a directory far away. sshd itself gives 120 s. */
const answerTimeoutMs = 120_000;
/** A jump host that is silent is noticed before those behind it, which are silent then too. */
const earlierMs = 500;
const endMs = 250;

/** Starts a connection. */
export function createLink({ target, peer, wire, hostKeys, clock, ...init }: Init): Link {
  const algorithms = hostKeys.algorithms();
  const turnMs = Math.max(aliveMs - earlierMs * init.behind, aliveMs / 2);
  const client = new ssh2.Client();
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  let phase: 'opening' | 'open' | 'gone' = 'opening';
  let ending = false;
  let silence = turnMs * (aliveCount + 1);
  let fault: TransportFault | undefined;
  let lastError: SshError | undefined;
  let tellLost = (_reason: string) => {};
  let cancelDeadline = () => {};
  let isAsking = false;
  const gone = new AbortController();
  const { askSecrets } = init;
  const login = init.login({
    ask: askSecrets && ((question) => ask(askSecrets, question)),
    doubt: () => hostKeys.doubt,
    hold,
    giveUp,
  });

  const opened = new Promise<void>((resolve, reject) => {
    client.on('ready', () => {
      phase = 'open';
      cancelDeadline();
      init.onHeard();
      wire.stream.on('data', init.onHeard);
      login.succeeded();
      resolve();
    });
    client.on('close', () => {
      const wasOpen = phase === 'open';
      phase = 'gone';
      cancelDeadline();
      gone.abort();
      const broken = wire.fault?.();
      if (!wasOpen) reject(fault ?? broken ?? (isAsking ? closedWhileAsking(peer) : closedHandshake(peer)));
      else if (!ending) tellLost(lostReason(lastError, peer, { silentMs: silence, broken }));
    });
  });
  // A late ECONNRESET comes after `close` too: this listener stays.
  client.on('error', (error: SshError) => {
    lastError ??= error;
    if (phase !== 'opening' || isPassing(error, login)) return;
    fault ??= wire.fault?.() ?? (isAsking ? closedWhileAsking(peer) : openFault(error, peer, login));
    endSoon(wire);
  });
  client.on('change password', () => giveUp(wantsNewPassword(peer)));

  function giveUp(why: TransportFault) {
    fault ??= why;
    wire.destroy();
  }

  async function hold<T>(mostMs: number, work: (over: AbortSignal) => Promise<T>): Promise<T> {
    cancelDeadline();
    const over = new AbortController();
    const end = () => over.abort();
    const cancel = clock.after(mostMs, end);
    gone.signal.addEventListener('abort', end);
    try {
      return await work(over.signal);
    } finally {
      cancel();
      gone.signal.removeEventListener('abort', end);
      if (phase === 'opening') startDeadline();
    }
  }

  /** The user may take a while: no deadline runs. A question whose connection went has no answer. */
  async function ask(on: AskSecrets, question: SecretsQuestion) {
    cancelDeadline();
    isAsking = true;
    const answers = await on(question, gone.signal).catch(() => undefined); // the terminal went
    if (phase !== 'opening') return new Promise<never>(() => {});
    isAsking = false;
    startDeadline(answerTimeoutMs);
    return answers;
  }

  function startDeadline(ms = target.connectTimeoutMs ?? defaultTimeoutMs) {
    cancelDeadline();
    cancelDeadline = clock.after(ms, () => {
      fault ??= timedOut(peer, ms);
      wire.destroy();
    });
  }

  function verify(blob: Buffer, answer: (trusted: boolean) => void) {
    // The user may take a while to compare a fingerprint.
    cancelDeadline();
    isAsking = true;
    hostKeys.verify(blob).then(
      () => {
        isAsking = false;
        if (phase === 'opening') startDeadline();
        answer(true);
      },
      (error: unknown) => {
        fault ??= error instanceof TransportFault ? error : new TransportFault(String(error), true);
        lastError ??= fault;
        answer(false);
      },
    );
  }

  startDeadline();
  client.connect({
    sock: wire.stream as never,
    username: target.user,
    algorithms: { serverHostKey: algorithms as never },
    hostVerifier: verify,
    authHandler: (methods, partial, next) => {
      // The types of ssh2 do not know `false`: no more attempts.
      login.next(methods, partial).then(
        (method) => {
          if (wire.stream.destroyed || phase !== 'opening') return;
          // Without a prompt of its own it may wait for the user's telephone.
          if (method !== false && method.type === 'keyboard-interactive') startDeadline(answerTimeoutMs);
          next(method as never);
        },
        (error: unknown) =>
          giveUp(new TransportFault(`The log-in to ${peer.target} went wrong (${String(error)}).`, true)),
      );
    },
    readyTimeout: 0,
    keepaliveInterval: turnMs,
    keepaliveCountMax: aliveCount,
  });

  return {
    client,
    opened,
    used: () => login.used(),
    onLost: (fn) => void (tellLost = fn),
    get isOpen() {
      return phase === 'open' && !ending;
    },
    check(ms) {
      if (phase !== 'open' || ending) return;
      let lives = false;
      wire.stream.once('data', () => (lives = true));
      const cancel = clock.after(ms, () => {
        if (lives || phase !== 'open' || ending) return;
        silence = ms;
        lastError ??= Object.assign(new Error('silent'), { level: 'client-timeout' });
        wire.destroy();
      });
      void closed.then(cancel);
    },
    drop: () => wire.destroy(),
    async end() {
      ending = true;
      if (phase === 'opening') {
        fault ??= new TransportFault(`The connection to ${peer.target} was given up.`, false);
        wire.destroy();
      } else client.end();
      // A dead link does not answer. Not client.destroy(): that does nothing once end() was called (ssh2 1.17).
      const cancel = clock.after(endMs, () => wire.destroy());
      await closed;
      cancel();
    },
  };
}

/** One key failed to sign, or the agent did: ssh2 goes on with the next by itself. */
function isPassing(error: SshError, login: Login): boolean {
  return error.level === 'agent' || (error.level === 'client-authentication' && !login.exhausted);
}

/** What was written still goes out. */
function endSoon({ stream, destroy }: Wire) {
  if (stream.writableFinished) destroy();
  else stream.end(destroy);
}
