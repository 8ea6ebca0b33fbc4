import type { Sample } from '../model/samples.ts';

/** Streams that are each in order of `receivedAt` as one; of equal times the earlier in the list goes first. */
export async function* mergeSamples(streams: readonly AsyncIterable<Sample>[]): AsyncGenerator<Sample> {
  const heads = await Promise.all(
    streams.map(async (stream) => {
      const iterator = stream[Symbol.asyncIterator]();
      return { iterator, result: await iterator.next() };
    }),
  );
  try {
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
    // Who takes no more of them leaves no file open.
    for (const { iterator } of heads) await iterator.return?.();
  }
}
