import { render } from 'ink';
import { systemClock } from '../clock.ts';
import type { ConfirmHostKey } from '../collectors/transport/ssh.ts';
import { UsageFault, type Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import { App } from '../ui/App.tsx';
import { createQuestions, type Questions } from '../ui/overlays/questions.ts';
import { screenInput } from '../ui/screen-input.ts';
import { repaint } from '../ui/repaint.ts';
import { screenOutput } from '../ui/screen-output.ts';
import { controlsOf } from './controls.ts';
import { endByHangUp } from './hang-up.ts';
import { openTarget } from './open-target.ts';
import { createSession } from './session.ts';
import { onEndSignal } from './signals.ts';
import { createScreenShell } from './terminal/screen-shell.ts';

/** After the last change of size; a tmux drag changes it many times a second. */
const resizeSettlesMs = 150;

/**
 * The live screen, until `q` or a signal. Resolves with the exit code. Rejects with a TransportFault when the host cannot be
 * reached at first; later losses are shown and healed.
 */
export async function watch(options: Options): Promise<number> {
  parseTarget(options.target); // a wrong one is the first to be told
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageFault('The screen needs a terminal; for scripts there is traintop once --json.');
  }
  let leave = () => {};
  let isLeaving = false;
  const end = () => {
    isLeaving = true;
    leave();
  };
  let isHungUp = false;
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
  const questions = createQuestions();
  const target = await openTarget(options, { confirmHostKey: askOn(questions), askSecrets: questions.askForm });
  const session = createSession(options, target.transport);
  const input = screenInput(process.stdin);
  const shell = createScreenShell({ session, input, output: process.stdout });
  const controls = controlsOf(session, {
    target: target.name,
    demo: target.demo,
    questions,
    ...(!target.demo && { openShell: shell.open }),
  });
  const app = render(<App controls={controls} />, {
    stdin: input.stream,
    stdout: screenOutput(process.stdout),
    // Ink takes a terminal where CI is set for none, and would draw only the last frame.
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
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
  leave = () => void shell.end().then(() => app.unmount());
  if (isLeaving) leave();
  try {
    // Who leaves while the host does not answer need not wait for it.
    await Promise.race([session.runner.start(), left]);
    await left;
    return 0;
  } finally {
    process.off('SIGWINCH', settle);
    cancelRepaint();
    await shell.end();
    app.unmount();
    await shell.settle();
    await session.stop();
    await target.close();
    offSignals();
    if (isHungUp) await endByHangUp();
  }
}

/** Shows an unknown host key on the screen and asks once, as ssh does. */
function askOn(questions: Questions): ConfirmHostKey {
  return ({ host, keyType, fingerprint, keptIn }) =>
    questions.ask({
      title: `The host ${host} is not known yet`,
      lines: [`Its ${keyType} key is ${fingerprint}.`],
      yes: `Connect, and remember the key ${keptIn === undefined ? 'until traintop ends' : `in ${keptIn}`}.`,
    });
}
