import type { Clock } from '../clock.ts';
import { defaultDataFolder } from '../collectors/stacks/save.ts';
import type { CaptureFiles, Controls } from '../ui/controls.ts';
import { captureFiles } from './capture-files.ts';
import { endAll } from './end-all.ts';
import { openScreen } from './screen.tsx';
import { createScreenPager } from './terminal/screen-pager.ts';

interface Init {
  readonly clock: Clock;
  readonly isDemo: boolean;
  readonly controls: (files: CaptureFiles) => Controls;
  /** What is behind the screen ends between its last picture and its terminal. */
  readonly ends?: readonly (() => Promise<void> | void)[];
}

/** The screen on what is recorded or watched by others, until `q` or a signal. Throws a UsageFault where there is no terminal. */
export async function showScreen({ clock, isDemo, controls, ends = [] }: Init): Promise<void> {
  const screen = openScreen();
  const pager = createScreenPager({ input: screen.input, output: process.stdout, env: process.env });
  const dataDir = defaultDataFolder(process.env);
  const files = captureFiles({ clock, dataDir, isDemo, page: pager.page, output: process.stdout });
  const { left } = screen.show(controls(files), pager.end);
  try {
    await left;
  } finally {
    await endAll([pager.end, screen.hide, ...ends, screen.close]);
  }
}
