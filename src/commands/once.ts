import type { Options } from '../config/options.ts';
import { endedReason } from '../model/ended-reason.ts';
import { isLogSource } from '../model/log-sources.ts';
import { snapshot } from '../model/snapshot.ts';
import { settled } from '../model/settled.ts';
import type { State } from '../model/store.ts';
import { asksOnTerminal } from './ask-on-terminal.ts';
import { openTarget, type OpenTarget } from './open-target.ts';
import { withBaseline } from './baseline.ts';
import { createSession, type Session } from './session.ts';
import { exitCodeOf, onEndSignal } from './signals.ts';
import { version } from './version.ts';

/** Longest wait for sources that give nothing; what came until then is printed, with each source's state. */
const patienceMs = 15_000;

/** Prints one object after two ticks. Resolves with the exit code: 1 when a log that was named cannot be read; rejects with a TransportFault. */
export async function once(given: Options): Promise<number> {
  const options = await withBaseline(given);
  let offSignals = () => {};
  const over = new AbortController();
  const signalled = new Promise<number>((resolve) => {
    offSignals = onEndSignal((signal) => {
      over.abort();
      resolve(exitCodeOf(signal));
    });
  });
  const target = await openTarget(options, asksOnTerminal());
  const session = createSession(options, target.transport);
  try {
    return await Promise.race([look(session, target, over.signal), signalled]);
  } finally {
    await session.stop();
    await target.close();
    offSignals();
  }
}

async function look(session: Session, target: OpenTarget, signal: AbortSignal): Promise<number> {
  const { store, clock, runner, options } = session;
  const asked = options.pid !== undefined || options.match !== undefined;
  await runner.start();
  await settled({ store, clock, asked, patienceMs: patienceMs + 2 * options.intervalMs, signal });
  signal.throwIfAborted();
  const state = store.getState();
  if (asked && !state.run?.run) {
    process.stderr.write(`traintop: ${whyNone(state, target.name)}.\n`);
    return 2;
  }
  // A script that reads the object need not look at each source to learn that something is missing.
  for (const [source, { status, reason }] of state.sources) {
    if (status === 'failed')
      process.stderr.write(`traintop: ${source}: ${reason === undefined ? 'it failed' : endedReason(reason)}\n`);
  }
  const verdicts = session.verdictsNow();
  const found = { ...state, ...(verdicts && { verdicts }) };
  const object = snapshot({ state: found, version, target: target.name, demo: target.demo, now: clock.now() });
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(object, null, 2)}\n`, resolve));
  // As doctor has it: what an option names is needed.
  const failed = [...state.sources].some(([source, { status }]) => isLogSource(source) && status === 'failed');
  return failed && options.logs.length > 0 ? 1 : 0;
}

/** Why there is no run, without what the screen waits for: nobody waits here. */
function whyNone({ run, sources }: State, target: string): string {
  if (run?.phase === 'choosing') return `Several runs on ${target} fit; choose one with --pid`;
  const reason = run?.reason ?? sources.get('processes')?.reason ?? `No run was found on ${target}`;
  return endedReason(reason);
}
