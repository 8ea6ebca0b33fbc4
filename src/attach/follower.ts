import type { Clock } from '../clock.ts';
import { createBackoff } from '../collectors/backoff.ts';
import { createStore, type Store } from '../model/store.ts';
import { createDecoder } from '../recording/codec.ts';
import { converse, type Conversation } from './conversation.ts';
import { createFollowedClock, type FollowedClock } from './followed-clock.ts';
import type { AskBody, Message, WatchHeader, WatchNews } from './protocol.ts';
import type { SignalNews } from '../model/signals.ts';
import type { Wire } from './wire.ts';

/** What a watch records, on this side: a store that its Samples go to, whatever happens to the way there. */
export interface Follower {
  readonly store: Store;
  /** The watch's. */
  readonly clock: FollowedClock;
  header(): WatchHeader;
  about(): WatchNews | undefined;
  /** One sentence while nothing comes. */
  lost(): string | undefined;
  subscribe(listener: () => void): () => void;
  /** Rejects with a sentence. */
  ask(body: AskBody, news?: (news: SignalNews) => void): Promise<{ readonly id: number; readonly value: unknown }>;
  /** Tries at once, where it waits to. */
  connectNow(): void;
  /** The watch is left as it is. */
  stop(): void;
}

interface Init {
  /** A way to the watch. Rejects with a sentence. */
  readonly connect: () => Promise<Wire>;
  /** Of this machine. */
  readonly clock: Clock;
}

/** A link that held for so long is tried again after a second. */
const holdMs = 10_000;

/** Resolves when all that the watch knows has come. Rejects with a sentence. */
export async function follow({ connect, clock }: Init): Promise<Follower> {
  const listeners = new Set<() => void>();
  const backoff = createBackoff({ clock, holdMs, jitter: 0.25 });
  const decoder = { now: createDecoder() };
  let talk: Conversation | undefined;
  let header: WatchHeader | undefined;
  let about: WatchNews | undefined;
  let followed: { readonly clock: FollowedClock; readonly store: Store } | undefined;
  let lost: string | undefined;
  let stopped = false;
  let pending: (() => void) | undefined;
  let cancelRetry = () => {};
  let tellFirst = () => {};
  let failFirst = (_: Error) => {};
  const first = new Promise<void>((resolve, reject) => {
    tellFirst = resolve;
    failFirst = reject;
  });

  function tell() {
    for (const listener of listeners) listener();
  }

  function takeMessage(message: Extract<Message, { attach: 'keyframe' | 'about' }>) {
    if (message.attach === 'about') {
      about = message.about;
      followed?.clock.told(about.now);
      return tell();
    }
    followed ??= begin();
    decoder.now = createDecoder();
    followed.store.restore(message.state);
    lost = undefined;
    tell();
    tellFirst();
  }

  function begin() {
    const own = createFollowedClock(clock, header?.speed ?? 1);
    if (about) own.told(about.now);
    return { clock: own, store: createStore(own, header?.intervalMs ?? 1000) };
  }

  function takeSample(line: string) {
    const sample = decoder.now.decode(line);
    if (sample) followed?.store.push(sample);
  }

  async function open() {
    const wire = await connect();
    if (stopped) return wire.close();
    let isOver = false;
    const begun = await converse({
      ...{ wire, clock, onHeader: (told) => (header = told) },
      onMessage: takeMessage,
      onSample: takeSample,
      onEnd(reason) {
        isOver = true;
        lose(reason);
      },
    });
    if (stopped) return begun.close();
    // Its end may have come with its header.
    if (isOver) return;
    talk = begun;
    backoff.succeeded();
  }

  function lose(reason: string) {
    talk = undefined;
    if (stopped) return;
    backoff.failed();
    retry(reason);
  }

  function retry(reason: string) {
    const sentence = `The watch is not heard: ${reason.replace(/\.$/, '')}.`;
    if (!followed) return failFirst(new Error(sentence));
    cancelRetry();
    const waitMs = backoff.next();
    lost = sentence;
    say(sentence, followed.clock.now() + waitMs * (header?.speed ?? 1));
    pending = () => {
      cancelRetry();
      pending = undefined;
      void open().catch((error: unknown) => {
        if (!stopped) retry(error instanceof Error ? error.message : String(error));
      });
    };
    cancelRetry = clock.after(waitMs, () => pending?.());
    tell();
  }

  /** The screen shows of it what it shows of a host that is not reached: nothing on it is of now. */
  function say(reason: string, retryAt: number) {
    if (!followed) return;
    const { store, clock } = followed;
    const time = clock.now();
    const host = store.getState().link?.host ?? '';
    store.push({ kind: 'link', host, source: 'link', time, receivedAt: time, state: 'lost', reason, retryAt });
  }

  // Together: the watch may end before its first keyframe, while nobody waits for that yet.
  await Promise.all([open(), first]);
  const { store, clock: own } = followed as unknown as NonNullable<typeof followed>;

  return {
    store,
    clock: own,
    header: () => header as WatchHeader,
    about: () => about,
    lost: () => lost,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ask: (body, news) =>
      talk ? talk.ask(body, news) : Promise.reject(new Error(lost ?? 'There is no connection to the watch now.')),
    connectNow: () => pending?.(),
    stop() {
      stopped = true;
      cancelRetry();
      backoff.failed();
      store.stop();
      talk?.close();
    },
  };
}
