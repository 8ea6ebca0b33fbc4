import { join } from 'node:path';
import { createManualClock, type ManualClock } from '../../src/clock.ts';
import type { Collector } from '../../src/collectors/collector.ts';
import { createSession, type Session } from '../../src/commands/session.ts';
import { withPatterns } from '../../src/commands/with-patterns.ts';
import { readOptions, type Options } from '../../src/config/options.ts';
import type { DemoThread } from '../../src/demo/cast.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { hash } from '../../src/demo/noise.ts';
import { findScenario } from '../../src/demo/scenarios/index.ts';
import { createDirectDemoTransport } from '../../src/demo/transport.ts';
import type { Sample } from '../../src/model/samples.ts';
import { createRecorder } from '../../src/recording/recorder.ts';

/** What the demo plays, and who hears it. */
export interface DemoPlay {
  /** Its name; absent: healthy. */
  readonly scenario?: string;
  readonly seed?: number;
  /** Demo seconds. */
  readonly seconds: number;
  /** The clock goes on by this: a frame is received at the end of a step. */
  readonly stepMs?: number;
  readonly startedAt?: number;
  /** Instead of the demo's own: the bench has more. */
  readonly threads?: readonly DemoThread[];
  /** As the command line would have them. */
  readonly options?: Partial<Options>;
  /** Instead of all sources. */
  readonly sources?: readonly Collector[];
  /** A recording is made there. */
  readonly folder?: string;
  /** Alarms ring, and evidence is taken by itself. */
  readonly keepsWatch?: boolean;
  /** Every Sample before the store takes it, events too. */
  readonly onSample?: (sample: Sample) => void;
  /** After each step. */
  readonly onStep?: (session: Session, second: number) => void | Promise<void>;
}

/** Where all such plays begin. */
export const demoStart = Date.UTC(2026, 5, 12, 9, 41, 0);

/**
 * Plays the demo through runner, parsers, store and recorder on a clock turned by hand, as fast as it goes: an hour in some
 * seconds, without network and screen. The same options give the same Samples.
 */
export async function playDemo(play: DemoPlay): Promise<void> {
  const { seed = 27, startedAt = demoStart, threads, folder, onSample } = play;
  const clock = createManualClock(startedAt);
  const scenario = findScenario(play.scenario ?? 'healthy');
  if (!scenario) throw new Error(`no scenario ${play.scenario}`);
  const machine = createMachine({ seed, startedAt, scenario, ...(threads && { threads }) });
  const options = withPatterns({ ...readOptions('demo', {}), ...play.options }, scenario.patterns);
  const header = () => ({
    traintop: '0.0.0',
    session: 'demo',
    target: 'demo',
    commandLine: ['demo'],
    intervalMs: options.intervalMs,
    demo: { scenario: scenario.name, seed, truth: scenario.truth },
  });
  const session = createSession(
    options,
    createDirectDemoTransport(machine, clock),
    clock,
    ({ save, history }) => {
      const recorder =
        folder === undefined
          ? undefined
          : createRecorder({ folder, clock, save, takeMinutes: history.takeMinutes, header });
      const push = (sample: Sample) => {
        onSample?.(sample);
        recorder?.push(sample);
      };
      const none = { push, flush: async () => {}, close: async () => {}, state: () => ({ bytes: 0 }) };
      return recorder ? { ...recorder, push } : none;
    },
    { keepsWatch: play.keepsWatch === true, ...(play.sources && { sources: play.sources }) },
  );
  // The waits between attempts to connect are left to chance in part (backoff.ts): to that of the seed here.
  let throws = 0;
  Math.random = () => hash(seed, throws++);
  try {
    await turn(session, clock, play);
  } finally {
    Math.random = chance;
    await session.stop();
  }
}

const chance = Math.random;

async function turn(session: Session, clock: ManualClock, { seconds, stepMs = 500, onStep }: DemoPlay) {
  const started = session.runner.start();
  for (let at = 0; at < seconds * 1000; at += stepMs) {
    clock.advance(stepMs);
    // The demo's answers come by setImmediate, some of them to questions that answers raise.
    for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
    await onStep?.(session, (at + stepMs) / 1000);
  }
  await started;
}

/** A recording of the demo's first seconds, in the folder: its first file. */
export async function recordDemo(play: DemoPlay & { readonly folder: string }): Promise<string> {
  await playDemo(play);
  return join(play.folder, '0001.jsonl.gz');
}
