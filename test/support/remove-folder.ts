import { rmSync } from 'node:fs';

/**
 * Removes a folder that a program which ends may still write to: rmSync's own retries (Node 20 and 24) remove the empty folder again and again,
 * but not what has come into it meanwhile.
 */
export function removeFolder(path: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === 50) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}
