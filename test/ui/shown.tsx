import { render } from 'ink-testing-library';
import { afterEach, expect, vi } from 'vitest';
import { App } from '../../src/ui/App.tsx';
import type { Controls } from '../../src/ui/controls.ts';
import { createTheme } from '../../src/ui/theme.ts';
import { fill, makeControls, type MadeControls } from './made-store.ts';

const strip = (text: string) => text.replace(/\x1b\[[\d;]*m/g, '');
const open: { unmount(): void }[] = [];
afterEach(() => open.splice(0).forEach((app) => app.unmount()));

/** The whole screen on data that was made. */
export interface Shown {
  readonly controls: MadeControls;
  /** The newest frame without colours. */
  text(): string;
  raw(): string;
  /** All frames so far. */
  everything(): string;
  frames(): number;
  keys(...keys: string[]): Promise<void>;
  see(wanted: string | RegExp): Promise<void>;
}

/** Draws it; it is taken away after the test. */
export function show(
  init: { size?: string; environment?: Record<string, string>; controls?: Partial<Controls>; empty?: boolean } = {},
): Shown {
  const { size = '120x40', environment = {}, empty = false } = init;
  const [columns = 0, rows = 0] = size.split('x').map(Number);
  const controls = makeControls(init.controls);
  if (!empty) fill(controls, 5);
  const theme = createTheme({ LANG: 'C.UTF-8', TERM: 'xterm-256color', ...environment });
  const app = render(<App controls={controls} theme={theme} size={{ columns, rows }} />);
  open.push(app);
  const raw = () => app.lastFrame() ?? '';
  const see = (wanted: string | RegExp) => expect.poll(() => strip(raw())).toMatch(wanted);
  return {
    controls,
    raw,
    everything: () => app.frames.join('\n'),
    text: () => strip(raw()),
    frames: () => app.frames.length,
    see,
    async keys(...keys) {
      for (const key of keys) {
        app.stdin.write(key);
        // A lone Esc is told from a sequence by what does not come after it.
        await vi.waitFor(() => {});
        if (key === '\x1b') await new Promise((done) => setTimeout(done, 60));
      }
    },
  };
}
