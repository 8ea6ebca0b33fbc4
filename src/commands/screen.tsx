import { render } from 'ink';
import { systemClock } from '../clock.ts';
import { UsageFault } from '../config/check-options.ts';
import { App } from '../ui/App.tsx';
import type { Controls } from '../ui/controls.ts';
import { drawOptions } from '../ui/draw-options.ts';
import { repaint } from '../ui/repaint.ts';
import { screenInput, type ScreenInput } from '../ui/screen-input.ts';
import { screenOutput } from '../ui/screen-output.ts';
import { endByHangUp } from './hang-up.ts';
import { onEndSignal } from './signals.ts';

/** After the last change of size; a tmux drag changes it many times a second. */
const resizeSettlesMs = 150;

/** The terminal as the screen's place, from before it is drawn until everything behind it has ended. */
export interface Screen {
  readonly input: ScreenInput;
  /** Draws it; `left` resolves when the user leaves or a signal ends it. `beforeLeaving` is waited for then. */
  show(controls: Controls, beforeLeaving?: () => Promise<unknown>): { readonly left: Promise<unknown> };
  /** Takes it away. */
  hide(): void;
  /** After all that was behind it has ended: the process ends by its hang-up, if that was why. */
  close(): Promise<void>;
}

/** Takes the terminal. Throws a UsageFault when there is none. */
export function openScreen(): Screen {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageFault('The screen needs a terminal; for scripts there is traintop once --json.');
  }
  let leave = () => {};
  let isLeaving = false;
  let isHungUp = false;
  const end = () => {
    isLeaving = true;
    leave();
  };
  const offSignals = onEndSignal((signal) => {
    isHungUp = signal === 'SIGHUP';
    end();
  });
  // The terminal can go without a signal. A read, a write or its settings fail then; Ink 7.1.1 sets it back as it leaves.
  for (const stream of [process.stdin, process.stdout, process.stderr]) {
    stream.on('error', () => {
      isHungUp = true;
      end();
    });
  }
  let hide = () => {};
  const input = screenInput(process.stdin);
  return {
    input,
    show(controls, beforeLeaving = async () => {}) {
      const app = render(<App controls={controls} />, {
        stdin: input.stream,
        stdout: screenOutput(process.stdout),
        ...drawOptions,
      });
      const left = app.waitUntilExit();
      // What was on its way when the terminal changed was drawn for the old one; and of two changes within a frame that take
      // each other back, Node tells nothing.
      let cancelRepaint = () => {};
      const settle = () => {
        cancelRepaint();
        cancelRepaint = systemClock.after(resizeSettlesMs, repaint);
      };
      process.on('SIGWINCH', settle);
      hide = () => {
        process.off('SIGWINCH', settle);
        cancelRepaint();
        app.unmount();
      };
      leave = () => void beforeLeaving().then(() => app.unmount());
      if (isLeaving) leave();
      return { left };
    },
    hide: () => hide(),
    async close() {
      offSignals();
      if (isHungUp) await endByHangUp();
    },
  };
}
