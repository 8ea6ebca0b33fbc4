import type { Clock } from '../clock.ts';
import type { LinkSample, Sample } from '../model/samples.ts';
import { createBackoff } from './backoff.ts';
import { TransportFault } from './transport/transport.ts';

/** Keeps the link to one host: says how it is, and gets it back when it is lost. */
export interface LinkKeeper {
  /** The first attempt. Rejects with a TransportFault. */
  open(): Promise<void>;
  /** The link is gone, or what every command goes through: all begins again from the attempt. */
  lose(reason: string): void;
  /** An answer came this long after its question. */
  takeRoundTrip(ms: number): void;
  /** While an attempt is waited for: it is made at once. */
  hurry(): void;
  /** The user wants an attempt now, also when the last one failed for good. */
  tryNow(): void;
  readonly isUp: boolean;
  stop(): void;
}

interface Init {
  readonly host: string;
  readonly clock: Clock;
  readonly onSample: (sample: Sample) => void;
  /**
   * Connects, and finds out what is there; gives what begins the work. `told` hears of what takes long. Rejects with a
   * TransportFault.
   */
  readonly attempt: (told: (reason: string) => void) => Promise<() => void>;
}

/** How often the round trip is said anew. */
const linkEveryMs = 4000;
/** A link that held this long is tried again after a second when it goes; one that went at once, ever later. */
const holdMs = 10_000;

/** Nothing is tried before `open`. */
export function createLinkKeeper({ host, clock, onSample, attempt }: Init): LinkKeeper {
  const backoff = createBackoff({ clock, holdMs, jitter: 0.25 });
  let isUp = false;
  let stopped = false;
  let losses = 0;
  /** Why it is not up. */
  let why: string | undefined;
  let pending: (() => void) | undefined;
  /** Given up; the user may still want it. */
  let given: (() => void) | undefined;
  let cancelRetry = () => {};
  /** The shortest round trip since the link's last Sample: what is longer was the host at work. */
  let roundTripMs: number | undefined;
  let saidAt = 0;

  function say(state: LinkSample['state'], more: Pick<LinkSample, 'reason' | 'retryAt' | 'roundTripMs'> = {}) {
    const time = clock.now();
    saidAt = time;
    roundTripMs = undefined;
    onSample({ kind: 'link', host, source: 'link', time, receivedAt: time, state, ...more });
  }

  async function open() {
    say('connecting', why === undefined ? {} : { reason: why });
    const before = losses;
    const begin = await attempt((reason) => stopped || say('lost', { reason })).catch((error: unknown) => {
      // A link that went in the middle is why no answer came; it was told, and is tried again.
      throw losses === before ? error : new TransportFault(`${(why ?? '').replace(/^./, upper)}.`, false);
    });
    if (stopped || losses !== before) return;
    isUp = true;
    why = undefined;
    backoff.succeeded();
    say('up');
    saidAt = 0; // the first round trip is said at once
    begin();
  }

  function lose(reason: string) {
    if (stopped) return;
    losses++;
    isUp = false;
    backoff.failed();
    retry(reason);
  }

  function retry(reason: string) {
    cancelRetry(); // a link lost in the middle of an attempt fails the attempt as well
    why = reason;
    const waitMs = backoff.next();
    say('lost', { reason, retryAt: clock.now() + waitMs });
    pending = tryAgain;
    cancelRetry = clock.after(waitMs, tryAgain);
  }

  function tryAgain() {
    cancelRetry();
    pending = undefined;
    given = undefined;
    const before = losses;
    open().catch((error: unknown) => {
      if (stopped || losses !== before) return;
      const reason = error instanceof Error ? error.message : String(error);
      const final = error instanceof TransportFault && error.final;
      if (final) {
        say('failed', { reason });
        given = tryAgain;
      } else retry(reason);
    });
  }

  return {
    open,
    lose,
    takeRoundTrip(ms) {
      roundTripMs = Math.min(ms, roundTripMs ?? Infinity);
      if (isUp && !stopped && clock.now() - saidAt >= linkEveryMs) say('up', { roundTripMs });
    },
    hurry: () => pending?.(),
    tryNow: () => (pending ?? given)?.(),
    get isUp() {
      return isUp;
    },
    stop() {
      stopped = true;
      pending = undefined;
      given = undefined;
      cancelRetry();
      backoff.failed();
    },
  };
}

const upper = (letter: string) => letter.toUpperCase();
