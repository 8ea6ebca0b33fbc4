import { writeSync } from 'node:fs';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { createSession } from '../../../src/commands/session.ts';
import { readOptions } from '../../../src/config/options.ts';
import type { CaptureKind } from '../../../src/model/samples.ts';

/** Watches this machine and takes captures of a process one after the other, until it is killed; says when it has begun. */
export async function captureUntilKilled(init: {
  readonly pid: number;
  readonly pySpy: string;
  readonly kinds: readonly CaptureKind[];
  readonly saveIn: string;
}): Promise<void> {
  const { pid, pySpy, kinds, saveIn } = init;
  const options = readOptions('local', { pySpy });
  const session = createSession(options, createLocalTransport(), undefined, undefined, { saveIn });
  await session.runner.start();
  writeSync(1, 'begun\n');
  for (let n = 0; ; n++) {
    const what = kinds[n % kinds.length] ?? 'dump';
    await session.captures.start({ what, pids: [pid], seconds: 1, rounds: 2 }).over;
  }
}
