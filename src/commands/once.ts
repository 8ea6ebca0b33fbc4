import type { Options } from '../config/options.ts';
import { snapshot } from '../model/snapshot.ts';
import type { State } from '../model/store.ts';
import { openTarget } from './open-target.ts';
import { createSession } from './session.ts';
import { version } from './version.ts';

/** Longest wait for sources that give nothing; what came until then is printed, with each source's state. */
const patienceMs = 15_000;

/** Prints one object after two ticks. Resolves with the exit code; rejects with a TransportFault. */
export async function once(options: Options): Promise<number> {
  const target = await openTarget(options, {});
  const session = createSession(options, target.transport);
  const { store, clock, runner } = session;
  try {
    await runner.start();
    const asked = options.pid !== undefined || options.match !== undefined;
    await new Promise<void>((resolve) => {
      const giveUp = clock.after(patienceMs, done);
      const unsubscribe = store.subscribe(() => void (isComplete(store.getState()) && done()));
      function done() {
        giveUp();
        unsubscribe();
        resolve();
      }
    });
    const state = store.getState();
    if (asked && !state.run?.run) {
      process.stderr.write(`traintop: ${state.run?.reason ?? `No run was found on ${session.transport.target}.`}\n`);
      return 2;
    }
    const object = snapshot({ state, version, target: target.name, demo: target.demo, now: clock.now() });
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify(object, null, 2)}\n`, resolve));
    return 0;
  } finally {
    await session.stop();
    await target.close();
  }
}

/** Two ticks of everything that ticks, and a first word of all else. */
function isComplete(state: State): boolean {
  if (state.run?.phase === 'choosing') return true;
  if (state.run?.phase !== 'running') return false;
  const settled = (source: string, has: boolean) => {
    const status = state.sources.get(source)?.status;
    return has || status === 'failed' || status === 'off';
  };
  return (
    settled('threads', state.threads?.intervalSeconds !== undefined) &&
    settled('gpu', state.gpus !== undefined) &&
    settled('host', state.host?.busyPercent !== undefined) &&
    settled('log', state.logs.size > 0)
  );
}
