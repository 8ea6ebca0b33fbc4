import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openImport } from '../../../../src/import/open-import.ts';
import type { FileKind, InputFile } from '../../../../src/import/files.ts';
import type { Sample } from '../../../../src/model/samples.ts';

const files: readonly (readonly [FileKind, string])[] = [
  ['top', 'top.txt.gz'],
  ['nvidia-smi', 'smi250.csv.gz'],
  ['dmon', 'gpm.txt.gz'],
  ['stat', 'stat.txt.gz'],
  ['log', 'train.log'],
];

/** All Samples of a captured situation, without the files of these kinds. */
export async function samplesOf(name: string, without: readonly FileKind[] = []): Promise<readonly Sample[]> {
  const folder = 'test/fixtures/import/h200';
  const given = files
    .filter(([kind]) => !without.includes(kind))
    .map(([kind, file]): InputFile => {
      const path = join(folder, name, file);
      return { kind, path, name: basename(path), modifiedAt: statSync(path).mtimeMs };
    });
  const made = await openImport({ host: 'h', files: given, pids: [], stepMs: 1000, zoneHere: () => 0 });
  const all: Sample[] = [];
  for await (const sample of made.samples()) all.push(sample);
  return all;
}
