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

/** A round is printed a moment after what it tells of: the frames so much after it belong to it too, as a share of the time it is over. */
const tolerance = 0.25;

/**
 * Two streams of frames of the same GPUs as one. A round of dmon tells of the time since the round before it: every frame of
 * --query-gpu within that time has its columns too, where it has none of its own. Where --query-gpu has no frame, a round is one by
 * itself. Nothing is kept for longer than that: after dmon's end its columns are absent.
 */
export async function* mergeGpus({ fast, slow, stepMs, identities }: Init): AsyncGenerator<GpusSample> {
  const rounds = slow[Symbol.asyncIterator]();
  const late = stepMs * tolerance;
  try {
    let round = await rounds.next();
    let lastFrame = -Infinity;
    for await (const frame of fast) {
      for (; !round.done && round.value.time < frame.time - late; round = await rounds.next()) {
        const { time } = round.value;
        if (time - lastFrame >= stepMs && frame.time - time >= stepMs) yield named(round.value, identities);
      }
      lastFrame = frame.time;
      const isOver = !round.done && round.value.time - frame.time < stepMs - late;
      yield isOver ? joined(frame, round.value) : frame;
    }
    for (; !round.done; round = await rounds.next())
      if (round.value.time > lastFrame + late) yield named(round.value, identities);
  } finally {
    // Who takes no more of them leaves no file open.
    await rounds.return?.();
  }
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
