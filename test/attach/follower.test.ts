import { expect, test } from 'vitest';
import { follow } from '../../src/attach/follower.ts';
import { protocolVersion, writeMessage, type Message } from '../../src/attach/protocol.ts';
import type { Wire } from '../../src/attach/wire.ts';
import { createManualClock } from '../../src/clock.ts';
import { createStore } from '../../src/model/store.ts';
import { waitFor } from '../support/waiting.ts';

const clock = createManualClock(Date.UTC(2026, 5, 12));
const header: Message = {
  attach: 'watch',
  header: {
    ...{ protocol: protocolVersion, traintop: '1', name: 'x', machine: 'm', pid: 1, startedAt: 1, target: 'local' },
    ...{ demo: false, intervalMs: 1000, readOnly: false },
  },
};
const keyframe: Message = { attach: 'keyframe', state: createStore(clock, 1000).save() };
const end: Message = { attach: 'end', reason: 'it was stopped.' };

/** Says all of it in one piece, as soon as somebody listens. */
function wire(
  messages: readonly Message[],
  close = () => {},
): Wire & { readonly say: (more: readonly Message[]) => void } {
  let listener = (_: Buffer) => {};
  const say = (all: readonly Message[]) =>
    listener(Buffer.from(all.map((each) => `${writeMessage(each).trimEnd()}\n`).join('')));
  return {
    ...{ write: () => {}, onEnd: () => {}, close, say },
    onData(fn) {
      listener = fn;
      setImmediate(() => say(messages));
    },
  };
}

test('a watch that ends with its header is a sentence, and nothing waits behind it', async () => {
  const own = createManualClock(clock.now());
  await expect(follow({ clock: own, connect: async () => wire([header, end]) })).rejects.toThrow(
    'The watch is not heard: it was stopped.',
  );
  expect(own.due()).toBe(undefined);
});

test('one that ends with its header when it is tried again is lost, and waited for ever longer', async () => {
  const own = createManualClock(clock.now());
  const first = wire([header, keyframe]);
  let [tries, ends] = [0, 0];
  const follower = await follow({
    clock: own,
    connect: async () => (++tries === 1 ? first : wire([header, end], () => ends++)),
  });
  first.say([end]);
  for (let more = 2; more <= 6; more++) {
    follower.connectNow();
    await waitFor('the next end', () => ends === more - 1);
  }
  await expect(follower.ask({ ask: 'connectNow' })).rejects.toThrow('The watch is not heard: it was stopped.');
  own.advance(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  // Sixteen seconds and more are still to go.
  expect(tries).toBe(6);
  follower.stop();
});
