import { systemClock } from '../clock.ts';
import type { ConfirmHostKey } from '../collectors/transport/ssh.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import { createQuestions, type Questions } from '../ui/overlays/questions.ts';
import { controlsOf } from './controls.ts';
import { openTarget } from './open-target.ts';
import { recorderOf } from './record.ts';
import { openScreen } from './screen.tsx';
import { createSession } from './session.ts';
import { createScreenShell } from './terminal/screen-shell.ts';

/**
 * The live screen, until `q` or a signal. Resolves with the exit code. Rejects with a TransportFault when the host cannot be
 * reached at first; later losses are shown and healed.
 */
export async function watch(options: Options): Promise<number> {
  parseTarget(options.target); // a wrong one is the first to be told
  const screen = openScreen();
  const questions = createQuestions();
  const target = await openTarget(options, { confirmHostKey: askOn(questions), askSecrets: questions.askForm });
  const session = createSession(options, target.transport, systemClock, (store, report) =>
    recorderOf({ options, target, clock: systemClock, store, report }),
  );
  const shell = createScreenShell({ session, input: screen.input, output: process.stdout });
  const controls = controlsOf(session, {
    target: target.name,
    demo: target.demo,
    questions,
    ...(!target.demo && { openShell: shell.open }),
  });
  const { left } = screen.show(controls, shell.end);
  try {
    // Who leaves while the host does not answer need not wait for it.
    await Promise.race([session.runner.start(), left]);
    await left;
    return 0;
  } finally {
    await shell.end();
    screen.hide();
    await shell.settle();
    await session.stop();
    await target.close();
    await screen.close();
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
