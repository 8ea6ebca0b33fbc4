import { systemClock } from '../clock.ts';
import { follow } from '../attach/follower.ts';
import { remoteFiles } from '../attach/remote-files.ts';
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
import type { Asks } from './open-target.ts';
import { showScreen } from './show-screen.ts';

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
    await showScreen({
      ...{ clock: follower.clock, isDemo: follower.header().demo },
      controls: (files) => ({
        ...attachControls({ follower, clock: systemClock, files, questions }),
        ...{ store: past.store, past: past.past },
      }),
      ends: [past.close, follower.stop],
    });
    return 0;
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
