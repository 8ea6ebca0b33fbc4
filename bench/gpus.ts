import { chmodSync, copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface Options {
  readonly gpus: number;
  /** Who is on all of them. */
  readonly pid?: number;
  /** Loops as the real one does, without starting a process for each cell (bench/nvidia-smi). */
  readonly loops?: boolean;
}

/** Makes a folder for PATH with an nvidia-smi that plays GPUs: a bench machine need not have one. FAKE_NVIDIA_SMI must name it too. */
export function fakeGpus({ gpus, pid, loops = false }: Options): string {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-gpus-'));
  const program = (from: string, name: string) => {
    copyFileSync(resolve(from), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  };
  if (loops) program('bench/nvidia-smi', 'nvidia-smi');
  program('test/support/fake-nvidia-smi', loops ? 'fake-nvidia-smi' : 'nvidia-smi');
  const row = (gpu: number) => `GPU-0000000${gpu}-1111-2222-3333-444444444444, ${pid}, 136518, /opt/venv/bin/python3\n`;
  const apps = pid === undefined ? '' : Array.from({ length: gpus }, (_, gpu) => row(gpu)).join('');
  for (const [name, text] of Object.entries({ gpus: `${gpus}\n`, mode: 'ok\n', apps }))
    writeFileSync(join(folder, name), text);
  copyFileSync(resolve('test/fixtures/gpu/help-query-gpu.txt'), join(folder, 'help'));
  return folder;
}
