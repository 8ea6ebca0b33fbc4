import { writeSync } from 'node:fs';
import { createManualClock, systemClock } from '../../src/clock.ts';
import { createSession } from '../../src/commands/session.ts';
import { readOptions } from '../../src/config/options.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { findScenario } from '../../src/demo/scenarios/index.ts';
import { createDirectDemoTransport } from '../../src/demo/transport.ts';
import { createRecorder } from '../../src/recording/recorder.ts';

/** A line of what a process that is killed has said: receivedAt and kind of the Sample that was taken in. */
export interface Said {
  readonly at: number;
  readonly kind: string;
}

const tickMs = 20;
/** What a tick goes on at most: time in which the machine let others run is none. */
const mostMs = 50;

/** Records the demo at its own pace, or slower on a busy machine, and says on standard output what it has taken in, until it is killed. */
export async function recordUntilKilled(folder: string): Promise<void> {
  const startedAt = systemClock.now();
  const clock = createManualClock(startedAt);
  let tickedAt = startedAt;
  systemClock.every(tickMs, () => {
    const now = systemClock.now();
    clock.advance(Math.min(mostMs, Math.max(0, now - tickedAt)));
    tickedAt = now;
  });
  const scenario = findScenario('healthy');
  if (!scenario) throw new Error('no scenario');
  const options = readOptions('demo', { record: folder });
  const transport = createDirectDemoTransport(createMachine({ seed: 27, startedAt, scenario }), clock);
  const header = () => ({
    traintop: '0',
    session: 's',
    target: 'demo',
    commandLine: [],
    intervalMs: options.intervalMs,
  });
  const session = createSession(options, transport, clock, ({ save, history }) => {
    const recorder = createRecorder({ folder, clock, save, takeMinutes: history.takeMinutes, header });
    return {
      ...recorder,
      push(sample) {
        recorder.push(sample);
        const said: Said = { at: sample.receivedAt, kind: sample.kind };
        writeSync(1, `${JSON.stringify(said)}\n`);
      },
    };
  });
  await session.runner.start();
}
