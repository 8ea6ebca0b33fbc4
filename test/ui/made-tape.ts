import type { EventKind } from '../../src/model/samples.ts';
import type { Tape, TapeEvent, TapeSpan, TapeState } from '../../src/model/tape.ts';
import { base, start } from './made-store.ts';

/** A tape that keeps what was asked of it, and goes at once where it is sent. */
export interface MadeTape extends Tape {
  readonly asked: string[];
  change(part: Partial<TapeState>): void;
}

export const hour = 3_600_000;

export function makeTape(
  init: { from?: number; to?: number; events?: readonly TapeEvent[]; holes?: readonly TapeSpan[] } = {},
): MadeTape {
  const { from = start, to = from + 2 * hour, events = [], holes = [] } = init;
  const listeners = new Set<() => void>();
  const asked: string[] = [];
  let state: TapeState = { position: from, from, to, playing: false, speed: 1 };
  const change = (part: Partial<TapeState>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const seek = async (time: number) => {
    asked.push(`seek ${(time - from) / 1000}`);
    change({ position: Math.min(to, Math.max(from, time)) });
  };
  return {
    asked,
    change,
    events,
    holes,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    play: () => change({ playing: true }),
    pause: () => change({ playing: false }),
    setSpeed: (speed) => change({ speed }),
    step: async (direction) => (asked.push(`step ${direction}`), change({ playing: false })),
    seek,
    toEvent(direction) {
      const { position } = state;
      const event =
        direction === 1
          ? events.find(({ receivedAt }) => receivedAt > position)
          : events.findLast(({ receivedAt }) => receivedAt < position);
      if (event) void seek(event.receivedAt);
      return event;
    },
    setLoop(loop) {
      const { loop: _, ...rest } = state;
      state = rest;
      change(loop === undefined ? {} : { loop: loop === 'all' ? { from, to } : loop });
    },
  };
}

export const event = (time: number, kind: EventKind, text: string): TapeEvent => ({
  ...base('run', time),
  kind: 'event',
  event: kind,
  text,
});

export const mark = (time: number, text: string): TapeEvent => ({ ...base('user', time), kind: 'mark', text });
