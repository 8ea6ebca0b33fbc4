import { render } from 'ink';
import { createManualClock } from '../src/clock.ts';
import { controlsOf } from '../src/commands/controls.ts';
import { createSession } from '../src/commands/session.ts';
import { readOptions } from '../src/config/options.ts';
import { createMachine } from '../src/demo/machine.ts';
import { createDirectDemoTransport } from '../src/demo/transport.ts';
import { createRecorder } from '../src/recording/recorder.ts';
import { App } from '../src/ui/App.tsx';
import { createTheme } from '../src/ui/theme.ts';
import { clockRenderOptions, createScreenStreams } from '../test/support/screen-streams.ts';

export interface ReplayOptions {
  readonly columns: number;
  readonly rows: number;
  /** Simulated seconds. */
  readonly seconds: number;
  /** Keys to press, after so many seconds each. */
  readonly keys?: readonly (readonly [second: number, keys: string])[];
  /** Bytes that go to the terminal, in order. */
  readonly onBytes?: (text: string) => void;
  /** After each simulated second, its pictures drawn. */
  readonly onSecond?: (second: number) => void | Promise<void>;
  /** After the last simulated second, before the screen is left. */
  readonly onEnd?: () => Promise<void>;
  /** The clock goes on by this: a key or a frame comes at the end of a step. */
  readonly stepMs?: number;
  /** A recording is made there. */
  readonly folder?: string;
}

/** What a replay cost. */
export interface ReplayFigures {
  readonly commits: number;
  /** Pictures written to the terminal. */
  readonly frames: number;
  readonly bytes: number;
}

/** The replays all start here, so that clocks on the screen are the same every time. */
const start = Date.UTC(2026, 5, 12, 9, 41, 0);

/**
 * Plays the demo through the whole program but the network, on a clock that it turns by hand: the same options give the same
 * screens, commits and bytes on every machine.
 */
export async function replayDemo(options: ReplayOptions): Promise<ReplayFigures> {
  const { columns, rows, seconds, keys = [], onBytes, onSecond, onEnd, stepMs = 100, folder } = options;
  // The time of day on the screen is the user's.
  process.env['TZ'] = 'UTC';
  const clock = createManualClock(start);
  const machine = createMachine({ seed: 27, startedAt: start });
  const settings = readOptions('demo', {});
  const header = () => ({
    ...{ traintop: '0.0.0', session: 'bench', target: 'demo', commandLine: ['demo'] },
    intervalMs: settings.intervalMs,
  });
  const session = createSession(settings, createDirectDemoTransport(machine, clock), clock, ({ save, history }) =>
    folder === undefined
      ? undefined
      : createRecorder({ folder, clock, save, takeMinutes: history.takeMinutes, header }),
  );
  const controls = controlsOf(session, { target: 'demo', demo: true });
  const screen = createScreenStreams({ columns, rows, onBytes });
  const theme = createTheme({ TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' });
  const app = render(<App controls={controls} theme={theme} />, {
    stdout: screen.stdout,
    stdin: screen.stdin,
    ...clockRenderOptions,
  });
  const started = session.runner.start();
  const waiting = [...keys];
  for (let at = 0; at < seconds * 1000; at += stepMs) {
    clock.advance(stepMs);
    while (waiting[0] && waiting[0][0] * 1000 <= at) screen.type(waiting.shift()?.[1] ?? '');
    // The demo's answers come by setImmediate, some of them to questions that answers raise.
    for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
    await app.waitUntilRenderFlush();
    if ((at + stepMs) % 1000 === 0) await onSecond?.((at + stepMs) / 1000);
  }
  await started;
  const figures = { commits: session.store.commits(), ...screen.figures() };
  await onEnd?.();
  app.unmount();
  await session.stop();
  return figures;
}
