import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createSession } from '../../src/commands/session.ts';
import { readOptions } from '../../src/config/options.ts';
import { createRecorder } from '../../src/recording/recorder.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { createFakeTransport } from '../support/fake-transport.ts';

test('a session whose link does not end well closes its recording all the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-end-'));
  try {
    const clock = createManualClock(Date.UTC(2026, 5, 12));
    const transport = { ...createFakeTransport(), close: () => Promise.reject(new Error('the link is stuck')) };
    const header = () => ({ traintop: '1', session: 's', target: 'fake', commandLine: [], intervalMs: 1000 });
    const session = createSession(readOptions('gpu7', {}), transport, clock, (store) =>
      createRecorder({ folder: join(folder, 'run'), clock, save: store.save, header }),
    );
    const time = clock.now();
    session.take({ ...{ kind: 'mark', host: 'fake', source: 'user', time, receivedAt: time }, text: 'x' });
    await expect(session.stop()).rejects.toThrow('the link is stuck');
    const { path = '' } = session.recorder?.state() ?? {};
    expect(existsSync(path)).toBe(true);
    const recording = await openRecording(join(folder, 'run'));
    expect(await recording.isWritten()).toBe(false);
    await recording.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
