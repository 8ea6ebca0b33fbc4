import type { Column, GpusSample } from '../model/samples.ts';

interface Init {
  /** Of --query-gpu. */
  readonly fast: AsyncIterable<GpusSample>;
  /** Of dmon. */
  readonly slow: AsyncIterable<GpusSample>;
  /** What a round of dmon is over. */
  readonly stepMs: number;
  /** UUID and name by index, where a file tells them. */
  readonly identities: ReadonlyMap<number, { readonly uuid: string; readonly name: string | null }>;
}

/**
 * Two streams of frames of the same GPUs as one. A round of dmon tells of the time since the round before it: every frame of
 * --query-gpu within that time has its columns too, where it has none of its own. A round without such a frame is a frame itself.
 * Nothing is kept for longer than that: after dmon's end its columns are absent.
 */
export async function* mergeGpus({ fast, slow, stepMs, identities }: Init): AsyncGenerator<GpusSample> {
  const rounds = slow[Symbol.asyncIterator]();
  let round = await rounds.next();
  let used = false;
  for await (const frame of fast) {
    while (!round.done && round.value.time < frame.time) {
      if (!used) yield named(round.value, identities);
      round = await rounds.next();
      used = false;
    }
    if (round.done || round.value.time - frame.time >= stepMs) {
      yield frame;
      continue;
    }
    used = true;
    yield joined(frame, round.value);
  }
  for (; !round.done; round = await rounds.next(), used = false) if (!used) yield named(round.value, identities);
}

/** The frame with the columns that only the round has. */
function joined(frame: GpusSample, round: GpusSample): GpusSample {
  const rowOf = frame.index.map((index) => round.index.indexOf(index));
  const more = Object.entries(round).flatMap(([key, column]) =>
    key in frame || !Array.isArray(column) ? [] : [[key, rowOf.map((row) => (column as Column)[row] ?? null)] as const],
  );
  return { ...frame, ...Object.fromEntries(more) };
}

function named(round: GpusSample, identities: Init['identities']): GpusSample {
  return {
    ...round,
    uuid: round.index.map((index, row) => identities.get(index)?.uuid ?? round.uuid[row] ?? `index:${index}`),
    name: round.index.map((index) => identities.get(index)?.name ?? null),
  };
}
