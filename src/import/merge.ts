import type { Sample } from '../model/samples.ts';

/** Streams that are each in order of `receivedAt` as one; of equal times the earlier in the list goes first. */
export async function* mergeSamples(streams: readonly AsyncIterable<Sample>[]): AsyncGenerator<Sample> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(iterators.map(async (iterator) => ({ iterator, result: await iterator.next() })));
    for (;;) {
      let next: (typeof heads)[number] | undefined;
      for (const head of heads) {
        if (head.result.done) continue;
        if (!next || next.result.done || head.result.value.receivedAt < next.result.value.receivedAt) next = head;
      }
      if (!next || next.result.done) return;
      yield next.result.value;
      next.result = await next.iterator.next();
    }
  } finally {
    // Who takes no more of them, or fails at one, leaves no file open.
    for (const iterator of iterators) await iterator.return?.();
  }
}
