import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixture } from './read.ts';

/** A host whose nvidia-smi is test/support/fake-nvidia-smi. */
export interface FakeGpus {
  /** For createLocalTransport: puts the fake before PATH. */
  readonly wrap: string;
  /** What goes wrong from the next round on: ok, na, half, err, gone, `unknown N`, `reset N`, `lost N`, `nvml TEXT`. */
  mode(mode: string): void;
  /** Rows of the next rounds of processes. */
  apps(rows: string): void;
  /** From now on dmon has values of GPM, in the rounds after its second. */
  gpm(): void;
  remove(): void;
}

/** A fake with that many GPUs; `shell` stands before the `sh -s` of the transport. */
export function createFakeGpus(gpus: number, shell = ''): FakeGpus {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-gpus-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  symlinkSync(join(import.meta.dirname, '../../support/fake-nvidia-smi'), join(folder, 'nvidia-smi'));
  write('gpus', `${gpus}\n`);
  write('mode', 'ok\n');
  write('help', fixture('help-query-gpu.txt'));
  return {
    wrap: `env PATH='${folder}:${process.env.PATH ?? ''}' FAKE_NVIDIA_SMI=${folder}${shell && ` ${shell}`}`,
    mode: (mode) => write('mode', `${mode}\n`),
    apps: (rows) => write('apps', rows),
    gpm: () => write('gpm', ''),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
