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

/** All Samples of a captured situation, without the files of these kinds, with a folder of stacks beside them. */
export async function samplesOf(
  name: string,
  without: readonly string[] = [],
  stacks?: string,
): Promise<readonly Sample[]> {
  const folder = 'test/fixtures/import/h200';
  const given = files
    .filter(([kind]) => !without.includes(kind))
    .map(([kind, file]) => input(kind, join(folder, name, file)));
  if (stacks !== undefined) given.push(input('stacks', stacks));
  const made = await openImport({ host: 'h', files: given, pids: [], stepMs: 1000, zoneHere: () => 0 });
  const all: Sample[] = [];
  for await (const sample of made.samples()) all.push(sample);
  return all;
}

function input(kind: FileKind, path: string): InputFile {
  return { kind, path, name: basename(path), modifiedAt: statSync(path).mtimeMs };
}
