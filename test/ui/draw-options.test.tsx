import { render } from 'ink';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { App } from '../../src/ui/App.tsx';
import { drawOptions } from '../../src/ui/draw-options.ts';
import { createTheme } from '../../src/ui/theme.ts';
import { createScreenStreams } from '../support/screen-streams.ts';
import { fill, makeControls } from './made-store.ts';

// Ink's throttle, and nothing that React needs.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const turns = async () => {
  for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
};

test('a key right behind a frame of the data is drawn within 5 ms', async () => {
  const controls = makeControls();
  fill(controls, 5);
  let written = '';
  const streams = createScreenStreams({ columns: 120, rows: 40, onBytes: (text) => (written += text) });
  const theme = createTheme({ TERM: 'xterm-256color', LANG: 'C.UTF-8' });
  const app = render(<App controls={controls} theme={theme} />, {
    stdout: streams.stdout,
    stdin: streams.stdin,
    ...drawOptions,
  });
  await turns();
  vi.advanceTimersByTime(1000);
  fill(controls, 1);
  await turns();
  const frames = streams.figures().frames;
  written = '';
  streams.type('?');
  await turns();
  vi.advanceTimersByTime(5);
  expect(written).toContain('this help');
  expect(streams.figures().frames).toBe(frames + 1);
  app.unmount();
});
