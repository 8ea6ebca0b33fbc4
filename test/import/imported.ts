import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach } from 'vitest';
import { importFiles } from '../../src/commands/import.ts';
import { readImportOptions } from '../../src/commands/import-options.ts';
import type { GpusSample, Sample } from '../../src/model/samples.ts';
import { openRecording, type Recording } from '../../src/recording/recording.ts';

/** Where what was saved lies. */
export const fixtures = 'test/fixtures/import';

/** A recording that was made of files, and all that is in it. */
export interface Imported {
  readonly recording: Recording;
  readonly samples: readonly Sample[];
  /** What was printed. */
  readonly text: string;
  readonly path: string;
}

/** Makes a recording as `traintop import` does, in a folder that `use` has for itself. */
export async function imported<T>(raw: Record<string, unknown>, use: (made: Imported) => T | Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'traintop-import-test-'));
  try {
    const path = join(folder, 'made.jsonl.gz');
    let text = '';
    const print = async (said: string) => void (text += said);
    await importFiles(readImportOptions({ output: path, ...raw }), print);
    const recording = await openRecording(path);
    try {
      return await use({ recording, samples: await samplesOf(recording), text, path });
    } finally {
      await recording.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The options for a folder of situations. */
export function situation(name: string): Record<string, unknown> {
  const folder = join(fixtures, 'h200', name);
  return {
    top: join(folder, 'top.txt.gz'),
    nvidiaSmi: join(folder, 'smi250.csv.gz'),
    dmon: join(folder, 'gpm.txt.gz'),
    stat: join(folder, 'stat.txt.gz'),
    log: [join(folder, 'train.log')],
  };
}

/** Of a kind, the last that had come by then. */
export function lastOf<Kind extends Sample['kind']>(
  samples: readonly Sample[],
  kind: Kind,
  time = Infinity,
): (Sample & { kind: Kind }) | undefined {
  return samples.filter((sample) => sample.receivedAt <= time && sample.kind === kind).at(-1) as
    (Sample & { kind: Kind }) | undefined;
}

/** `13:51:02.110` of the day on which all was saved. */
export function at(clock: string): number {
  return Date.parse(`2026-11-29T${clock}Z`);
}

/** Makes folders and files for a test; to be called in its describe or file. */
export function ownFolder(): { file(name: string, text: string | Buffer, changed?: number): Promise<string> } {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'traintop-import-test-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    async file(name, text, changed = at('14:00:00')) {
      const path = join(folder, name);
      await writeFile(path, text);
      await utimes(path, changed / 1000, changed / 1000);
      return path;
    },
  };
}

/** The text of a gzip file. */
export async function textOf(path: string): Promise<string> {
  return gunzipSync(await readFile(path)).toString();
}

/** The frames of GPUs. */
export function frames(samples: readonly Sample[]): readonly GpusSample[] {
  return samples.filter((sample): sample is GpusSample => sample.kind === 'gpus');
}

/** The states of a source, in order. */
export function states(samples: readonly Sample[], source: string): readonly string[] {
  return samples.flatMap((sample) =>
    sample.kind === 'source' && sample.source === source ? [`${sample.status} ${sample.reason ?? ''}`.trim()] : [],
  );
}

async function samplesOf(recording: Recording): Promise<readonly Sample[]> {
  const all: Sample[] = [];
  const cursor = await recording.cursor(recording.from);
  for (let some = await cursor.next(); some; some = await cursor.next()) all.push(...some);
  return all;
}
