import { systemClock } from '../clock.ts';
import { follow } from '../attach/follower.ts';
import { remoteFiles } from '../attach/remote-files.ts';
import { defaultDataFolder } from '../collectors/stacks/save.ts';
import { UsageFault } from '../config/check-options.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import { createPast } from '../recording/past.ts';
import { openRecordingFrom } from '../recording/recording.ts';
import { createQuestions } from '../ui/overlays/questions.ts';
import { asksOnTerminal } from './ask-on-terminal.ts';
import { askOn } from './ask-on-screen.ts';
import { attachControls } from './attach-controls.ts';
import { asFault, attachWay, reach, type AttachWay } from './attach-way.ts';
import { captureFiles } from './capture-files.ts';
import type { Asks } from './open-target.ts';
import { openScreen } from './screen.tsx';
import { createScreenPager } from './terminal/screen-pager.ts';

/**
 * Opens the screen on what a watch takes in, here or on another host, until `q` or a signal; the watch goes on. Resolves with the exit code;
 * rejects with a TransportFault where there is no such watch, or no way to it.
 */
export async function attach(options: Options, name: string | undefined): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageFault('traintop attach needs a terminal for its screen.');
  }
  const { kind } = parseTarget(options.target);
  if (kind === 'demo' || kind === 'recording')
    throw new UsageFault(`${options.target} is no host on which a watch runs.`);
  const questions = createQuestions();
  let asks = asksOnTerminal();
  const way = await attachWay(
    options,
    later(() => asks),
  );
  try {
    const { follower, past } = await begin(way, name);
    // From now on there is a screen to ask on.
    asks = { confirmHostKey: askOn(questions), askSecrets: questions.askForm };
    const screen = openScreen();
    const pager = createScreenPager({ input: screen.input, output: process.stdout, env: process.env });
    const files = captureFiles({
      clock: follower.clock,
      dataDir: defaultDataFolder(process.env),
      isDemo: follower.header().demo,
      page: pager.page,
      output: process.stdout,
    });
    const controls = attachControls({ follower, clock: systemClock, files, questions });
    const { left } = screen.show({ ...controls, store: past.store, past: past.past }, pager.end);
    try {
      await left;
      return 0;
    } finally {
      await pager.end();
      screen.hide();
      await past.close();
      follower.stop();
      await screen.close();
    }
  } finally {
    await way.close();
  }
}

async function begin(way: AttachWay, name: string | undefined) {
  try {
    let chosen = name;
    const follower = await follow({
      clock: systemClock,
      async connect() {
        const { watch, wire } = await reach(way, chosen);
        // Others may begin while this one is looked at.
        chosen = watch.name;
        return wire;
      },
    });
    const recorded = remoteFiles(follower);
    const past = createPast({
      live: follower.store,
      clock: systemClock,
      // The watch does, when it is asked for its files.
      flush: async () => {},
      lacks: () =>
        follower.lost() ?? (follower.about()?.recording.is === 'off' ? 'The watch makes no recording.' : undefined),
      open: () => openRecordingFrom(recorded),
    });
    return { follower, past };
  } catch (error) {
    throw asFault(error);
  }
}

/** Who is asked changes when the screen opens. */
function later(asks: () => Asks): Asks {
  const { confirmHostKey, askSecrets } = asks();
  return {
    ...(confirmHostKey && { confirmHostKey: async (question) => (await asks().confirmHostKey?.(question)) ?? false }),
    ...(askSecrets && { askSecrets: async (question, signal) => asks().askSecrets?.(question, signal) }),
  };
}
