import { writeSync } from 'node:fs';
import { systemClock } from '../../src/clock.ts';
import { createSession } from '../../src/commands/session.ts';
import { readOptions } from '../../src/config/options.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { findScenario } from '../../src/demo/scenarios/index.ts';
import { createDirectDemoTransport } from '../../src/demo/transport.ts';
import { createRecorder } from '../../src/recording/recorder.ts';

/** A line of what a process that is killed has said. */
export interface Said {
  /** receivedAt and kind of the Sample that was taken in. */
  readonly at: number;
  readonly kind: string;
  /** Of the last ten seconds: ms by which a timer of this process came late, which is time that the machine gave to others. */
  readonly stolen: number;
}

/** Records the demo as it goes, and says on standard output what it has taken in, until it is killed. */
export async function recordUntilKilled(folder: string): Promise<void> {
  const clock = systemClock;
  const startedAt = clock.now();
  const scenario = findScenario('healthy');
  if (!scenario) throw new Error('no scenario');
  const options = readOptions('demo', { record: folder });
  const transport = createDirectDemoTransport(createMachine({ seed: 27, startedAt, scenario }), clock);
  const lateness: number[] = [];
  let due = startedAt + 100;
  clock.every(100, () => {
    lateness.push(Math.max(0, clock.now() - due));
    due = clock.now() + 100;
    if (lateness.length > 100) lateness.shift();
  });
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
        const said: Said = {
          at: sample.receivedAt,
          kind: sample.kind,
          stolen: lateness.reduce((sum, ms) => sum + ms, 0),
        };
        writeSync(1, `${JSON.stringify(said)}\n`);
      },
    };
  });
  await session.runner.start();
}
