import { Terminal } from '@xterm/headless';
import { render } from 'ink';
import { App } from '../../src/ui/App.tsx';
import type { Controls } from '../../src/ui/controls.ts';
import { createTheme } from '../../src/ui/theme.ts';
import { clockRenderOptions, createScreenStreams } from './screen-streams.ts';

/** The whole screen in a terminal without a program around it, so that a test can turn the clock by hand. */
export interface ScreenOnClock {
  /** What is shown once everything is drawn: rows trimmed at their right. */
  rows(): Promise<readonly string[]>;
  type(text: string): Promise<void>;
  /** xterm's own terminal, for pictures; as of the last `rows`. */
  readonly xterm: Terminal;
  /** Pictures drawn so far. */
  pictures(): number;
  close(): void;
}

/** Draws it. */
export function showOnClock(init: {
  readonly controls: Controls;
  readonly columns: number;
  readonly rows: number;
}): ScreenOnClock {
  const { controls, columns, rows } = init;
  const xterm = new Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  const streams = createScreenStreams({ columns, rows, onBytes: (text) => xterm.write(text) });
  const theme = createTheme({ TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' });
  const app = render(<App controls={controls} theme={theme} />, {
    stdout: streams.stdout,
    stdin: streams.stdin,
    ...clockRenderOptions,
  });

  let fault: Error | undefined;
  app.waitUntilExit().catch((error: Error) => (fault = error));

  async function settle() {
    // What a commit raises, and what that raises.
    for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
    await app.waitUntilRenderFlush();
    await new Promise<void>((resolve) => xterm.write('', resolve));
  }

  return {
    async rows() {
      await settle();
      if (fault) throw fault;
      const { active } = xterm.buffer;
      return Array.from({ length: rows }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '');
    },
    async type(text) {
      streams.type(text);
      await settle();
    },
    xterm,
    pictures: () => streams.figures().frames,
    close() {
      app.unmount();
      xterm.dispose();
    },
  };
}
