import { systemClock } from '../clock.ts';
import { defaultDataFolder } from '../collectors/stacks/save.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import type { Store } from '../model/store.ts';
import type { Controls } from '../ui/controls.ts';
import { createQuestions } from '../ui/overlays/questions.ts';
import { askOn } from './ask-on-screen.ts';
import { withBaseline } from './baseline.ts';
import { lookBeside } from './beside.ts';
import { captureFiles } from './capture-files.ts';
import { controlsOf } from './controls.ts';
import { demoPast } from './demo-past.ts';
import { endAll } from './end-all.ts';
import { openTarget } from './open-target.ts';
import { pastOf } from './past.ts';
import { openScreen } from './screen.tsx';
import { collectorOptions } from './session.ts';
import { createScreenPager } from './terminal/screen-pager.ts';
import { createScreenShell } from './terminal/screen-shell.ts';
import { reportOnExit } from './report-on-exit.ts';
import { leaveRecorder, watchSession } from './watching.ts';

/**
 * The live screen, until `q` or a signal. Resolves with the exit code. Rejects with a TransportFault when the host cannot be
 * reached at first; later losses are shown and healed.
 */
export async function watch(given: Options): Promise<number> {
  parseTarget(given.target); // a wrong one is the first to be told
  collectorOptions(given); // and a format of logs that is none
  const asked = await withBaseline(given);
  const screen = openScreen();
  const questions = createQuestions();
  const target = await openTarget(asked, { confirmHostKey: askOn(questions), askSecrets: questions.askForm });
  const clock = target.clock ?? systemClock;
  // Who tries the demo looks back too: what is kept for that is no recording of the user's.
  const kept = target.demo && !asked.record ? await demoPast() : undefined;
  const options = { ...asked, ...(kept && { record: kept.record }) };
  const session = watchSession({
    ...{ options, target, confirmCopy: questions.ask },
    write: (text) => process.stdout.write(text),
  });
  const cancelCalm = target.speed === undefined ? () => {} : calm(session.store);
  const shell = createScreenShell({ session, input: screen.input, output: process.stdout });
  const pager = createScreenPager({ input: screen.input, output: process.stdout, env: process.env });
  const files = captureFiles({
    clock,
    dataDir: defaultDataFolder(process.env),
    isDemo: target.demo,
    page: pager.page,
    output: process.stdout,
  });
  const past = pastOf(session);
  const controls: Controls = {
    ...controlsOf(session, {
      files,
      target: target.name,
      demo: target.demo,
      questions,
      ...(!target.demo && { openShell: shell.open }),
    }),
    // What the screen waits for, the user does.
    clock: { ...systemClock, now: clock.now },
    ...(target.speed !== undefined && { speed: target.speed }),
    ...(past && { store: past.store, past: past.past }),
    ...(kept && { recording: () => ({ is: 'off' }) }),
    beside: lookBeside(options, session),
  };
  const { left } = screen.show(controls, () => Promise.all([shell.end(), pager.end()]));
  try {
    // Who leaves while the host does not answer need not wait for it.
    await Promise.race([session.runner.start(), left]);
    await left;
    return 0;
  } finally {
    await endAll([
      ...[shell.end, pager.end, cancelCalm, screen.hide, shell.settle, past?.close, session.stop, target.close],
      // Before the terminal: where that is gone, the process goes with it.
      () => reportOnExit(session, options, (sentence) => process.stderr.write(`traintop: ${sentence}\n`)),
      ...[kept?.remove, screen.close],
    ]);
    leaveRecorder(session);
  }
}

/** Between two pictures of a store whose time runs fast. */
const calmMs = 80;

/** Lets a store tell of its commits no faster than a reader sees them. Returns its cancel. */
function calm(store: Store): () => void {
  let release = store.hold();
  const cancel = systemClock.every(calmMs, () => {
    release();
    release = store.hold();
  });
  return () => {
    cancel();
    release();
  };
}
