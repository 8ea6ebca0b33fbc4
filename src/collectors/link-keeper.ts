import type { Clock } from '../clock.ts';
import type { LinkSample, Sample } from '../model/samples.ts';
import { createBackoff } from './backoff.ts';
import { TransportFault } from './transport/transport.ts';

/** Keeps the link to one host: says how it is, and gets it back when it is lost. */
export interface LinkKeeper {
  /** The first attempt. Rejects with a TransportFault. */
  open(): Promise<void>;
  /** The first attempt, and others after it as for a lost link. Rejects with a TransportFault that none of them can mend. */
  openAtLast(): Promise<void>;
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
  /** When something last came from the host. */
  readonly heardAt?: (() => number | undefined) | undefined;
}

/** How often the round trip is said anew. */
const linkEveryMs = 4000;
/** A link that held this long is tried again after a second when it goes; one that went at once, ever later. */
const holdMs = 10_000;
/** Seconds without a byte after which it is said: each 4.5 s the host has something to answer (ssh-link.ts). */
const silentSeconds = 6;

/** Nothing is tried before `open`. */
export function createLinkKeeper({ host, clock, onSample, attempt, heardAt = () => undefined }: Init): LinkKeeper {
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
  const silence = watchSilence({ clock, heardAt, onChange: () => isUp && say('up') });

  function say(state: LinkSample['state'], more: Pick<LinkSample, 'reason' | 'retryAt' | 'roundTripMs'> = {}) {
    const time = clock.now();
    saidAt = time;
    roundTripMs = undefined;
    const silentSince = state === 'lost' ? heardAt() : silence.since();
    const since = silentSince !== undefined && state !== 'connecting' && { silentSince };
    onSample({ kind: 'link', host, source: 'link', time, receivedAt: time, state, ...more, ...since });
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

  async function openAtLast() {
    const before = losses;
    await open().catch((error: unknown) => {
      if (!(error instanceof TransportFault) || error.final) throw error;
      // A link that went in the middle is tried again already.
      if (!stopped && losses === before) retry(error.message);
    });
  }

  return {
    open,
    openAtLast,
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
      silence.stop();
      backoff.failed();
    },
  };
}

/** Counts seconds, not times: the clock of this machine may be set, and after a sleep of it all that waits is read first. */
function watchSilence({
  clock,
  heardAt,
  onChange,
}: Required<Pick<Init, 'clock'>> & {
  readonly heardAt: () => number | undefined;
  readonly onChange: () => void;
}) {
  let last: number | undefined;
  let seconds = 0;
  const isSilent = () => last !== undefined && seconds >= silentSeconds;
  const stop = clock.every(1000, () => {
    const was = isSilent();
    seconds = heardAt() === last ? seconds + 1 : 0;
    last = heardAt();
    if (isSilent() !== was) onChange();
  });
  return { since: () => (isSilent() && heardAt() === last ? last : undefined), stop };
}

const upper = (letter: string) => letter.toUpperCase();
