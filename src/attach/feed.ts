import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { SavedState } from '../model/saved-state.ts';
import type { Sample } from '../model/samples.ts';
import { createEncoder } from '../recording/codec.ts';
import { writeMessage, type Message } from './protocol.ts';

/** What one screen is told. Nothing waits for it, and what waits for it is bounded. */
export interface Feed {
  sample(sample: Sample): void;
  /** Answers and news; those that come while the screen is behind are told with the next keyframe. */
  message(message: Message): void;
  /** Resolves when there is room again for what is large. */
  room(): Promise<void>;
  stop(): void;
}

interface Init {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly save: () => SavedState;
  /** The screen takes nothing for so long that it is given up. */
  readonly onStuck: () => void;
  readonly limits?: Partial<typeof feedLimits>;
}

/**
 * `bytes`: what waits for a screen beside its keyframe; more of Samples is not kept, a fresh keyframe has them. `stuckMs`: a screen that
 * reads nothing of it for so long is cut: it comes again by itself.
 */
const feedLimits = { bytes: 4 * 2 ** 20, stuckMs: 30_000, keyframeEveryMs: 1000, messages: 1000 };

/** Begins with a keyframe. */
export function createFeed({ socket, clock, save, onStuck, ...init }: Init): Feed {
  const limits = { ...feedLimits, ...init.limits };
  let encoder = createEncoder();
  /** What was written is more than was bargained for: nothing more until it is read. */
  let isBehind = false;
  let late: Message[] = [];
  let cancelStuck = () => {};
  let cancelAgain = () => {};
  let mostWaiting = limits.bytes;
  let waiters: (() => void)[] = [];
  let isOver = false;

  function write(line: string) {
    if (!isOver) socket.write(`${line}\n`);
  }

  function keyframe() {
    if (isOver) return;
    isBehind = false;
    encoder = createEncoder();
    const line = writeMessage({ attach: 'keyframe', state: save() });
    mostWaiting = line.length + limits.bytes;
    write(line);
    for (const message of late.splice(0)) write(writeMessage(message));
    look();
  }

  function look() {
    if (isBehind || isOver || socket.writableLength <= mostWaiting) return;
    isBehind = true;
    cancelStuck();
    cancelStuck = clock.after(limits.stuckMs, onStuck);
  }

  function onDrain() {
    for (const go of waiters.splice(0)) go();
    if (!isBehind) return;
    cancelStuck();
    // Saving a state is work: who reads in bursts does not make more of it.
    cancelAgain();
    cancelAgain = clock.after(limits.keyframeEveryMs, keyframe);
  }
  socket.on('drain', onDrain);
  keyframe();

  return {
    sample(sample) {
      if (isBehind || isOver) return;
      write(encoder.encode(sample));
      look();
    },
    message(message) {
      if (!isBehind) {
        write(writeMessage(message));
        look();
      } else if (message.attach !== 'about' && late.length < limits.messages) late.push(message);
    },
    room: () =>
      isOver || socket.writableLength < limits.bytes / 4
        ? Promise.resolve()
        : new Promise((resolve) => waiters.push(resolve)),
    stop() {
      isOver = true;
      late = [];
      cancelStuck();
      cancelAgain();
      socket.off('drain', onDrain);
      for (const go of waiters) go();
      waiters = [];
    },
  };
}
