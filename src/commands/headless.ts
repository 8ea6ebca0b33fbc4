import { dirname } from 'node:path';
import { hostname } from 'node:os';
import type { WatchHands } from '../attach/answers.ts';
import { holdWatch, type HeldWatch } from '../attach/held-watch.ts';
import { protocolVersion } from '../attach/protocol.ts';
import { recordingFolder } from '../attach/recording-folder.ts';
import type { AttachServer } from '../attach/server.ts';
import { systemClock } from '../clock.ts';
import { TransportFault } from '../collectors/transport/transport.ts';
import { withoutSecrets } from '../collectors/transport/audit.ts';
import { UsageFault } from '../config/check-options.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import type { Sample } from '../model/samples.ts';
import { asksOnTerminal } from './ask-on-terminal.ts';
import { withBaseline } from './baseline.ts';
import { controlsOf } from './controls.ts';
import { onWatchEnd } from './end-signals.ts';
import { createSayings, isJournal } from './headless-lines.ts';
import { endAll } from './end-all.ts';
import { endByHangUp } from './hang-up.ts';
import { createLinesOut } from './lines-out.ts';
import { openTarget, type OpenTarget } from './open-target.ts';
import { collectorOptions, type Session } from './session.ts';
import { reportOnExit } from './report-on-exit.ts';
import { version } from './version.ts';
import { identityOf, runKey } from './watch-identity.ts';
import { watchedAlready } from './watch-words.ts';
import { leaveRecorder, watchSession } from './watching.ts';

/** How often it is looked whether the recording has begun, or failed. */
const lookMs = 1000;
/** A link that was given up is tried again, for nobody is there who would. */
const againMs = 600_000;
/** After a second signal. */
const hurryMs = 2000;

/**
 * Keeps watch without a screen until a signal ends it; then resolves with 0. Rejects with a TransportFault where the host can never be reached as
 * it is called, and with a UsageFault where the run is watched already.
 */
export async function headless(given: Options): Promise<number> {
  parseTarget(given.target); // a wrong one is the first to be told
  collectorOptions(given);
  const options = await withBaseline(given);
  const held = await holdWatch({
    ...{ environment: process.env, identity: await identityOf(options), clock: systemClock },
    about: {
      ...{ target: options.target, demo: options.target === 'demo', traintop: version },
      // It is written to a file.
      ...(options.wrap !== undefined && { wrap: withoutSecrets(options.wrap) }),
    },
  });
  if ('by' in held) throw new UsageFault(watchedAlready(`This (${options.target})`, held.by));
  try {
    return await keepWatch(options, held);
  } finally {
    await held.release();
    // What nobody reads would keep the process from its end.
    if (process.stdout.writableLength > 0) systemClock.after(hurryMs, () => process.exit());
  }
}

async function keepWatch(options: Options, held: HeldWatch): Promise<number> {
  const target = await openTarget(options, asksOnTerminal());
  const clock = target.clock ?? systemClock;
  const sayings = createSayings({
    ...{ clock, pace: systemClock, dated: !isJournal(process.env) },
    write: createLinesOut(process.stdout),
  });
  let end = (_: Ending) => {};
  const ended = new Promise<Ending>((resolve) => (end = resolve));
  let server: AttachServer | undefined;
  const startedAt = systemClock.now();
  let hasBeenUp = false;
  let cancelAgain = () => {};

  const session: Session = watchSession({ options, target, see });
  function see(sample: Sample) {
    sayings.see(sample);
    server?.sample(sample);
    if (sample.kind === 'link') takeLink(sample);
    if (sample.kind === 'run' && sample.run && !target.demo) takeRun(sample.run);
  }

  function takeLink({ state, reason }: Extract<Sample, { kind: 'link' }>) {
    if (state === 'up') hasBeenUp = true;
    cancelAgain();
    if (state !== 'failed') return;
    if (hasBeenUp) cancelAgain = systemClock.after(againMs, session.runner.connectNow);
    else end({ fault: new TransportFault(reason ?? `${target.name} cannot be reached.`, true) });
  }

  let runs = 0;
  function takeRun(run: NonNullable<Extract<Sample, { kind: 'run' }>['run']>) {
    const isFirst = runs++ === 0;
    held.takeRun(runKey(run, session.store.getState().facts)).then(
      (other) => {
        if (other === undefined) return;
        const sentence = watchedAlready(`The run of PID ${run.rootPid}`, other === 'another' ? undefined : other);
        // Who keeps watch over a host goes on to the next run.
        if (isFirst) end({ fault: new UsageFault(sentence) });
        else sayings.say(sentence);
      },
      () => {}, // a full disk: then there may be two
    );
  }

  const offSignals = onWatchEnd((signal) => {
    end({ signal });
    offSignals();
    hurryAt(session);
  });
  const stopLooking = systemClock.every(lookMs, watchRecorder(session, { held, say: sayings.say }));
  sayings.say(`Watching ${target.name} (traintop ${version}, PID ${process.pid}).`);
  try {
    server = await held.listen({
      header: () => headerOf({ target, options, held, startedAt }),
      about: () => aboutOf(session),
      save: session.store.save,
      hands: handsOf(session, target),
    });
    sayings.say(`traintop attach --watch ${held.name} opens the screen on it.`);
  } catch (error) {
    sayings.say(error instanceof Error ? error.message : String(error));
  }
  const ending = await Promise.race([
    ended,
    session.runner.start(true).then(
      () => ended,
      (fault: unknown): Ending => ({ fault }),
    ),
  ]);
  stopLooking();
  cancelAgain();
  if ('signal' in ending) sayings.say(`${ending.signal}: the watch ends.`);
  const why = 'signal' in ending ? `it was ended by ${ending.signal}` : 'it could not go on';
  await endAll([
    () => server?.close(why),
    session.stop,
    target.close,
    () => {
      const { path } = session.recorder?.state() ?? {};
      if (path !== undefined) sayings.say(`The recording is closed: ${path}`);
    },
    () => reportOnExit(session, options, sayings.say),
    held.release,
    () => leaveRecorder(session),
    offSignals,
  ]);
  if ('fault' in ending) throw ending.fault;
  if (ending.signal === 'SIGHUP') await endByHangUp();
  return 0;
}

type Ending = { readonly signal: NodeJS.Signals } | { readonly fault: unknown };

/** The next signal closes the recording and no more; one after it ends the process as any other. */
function hurryAt(session: Session) {
  const off = onWatchEnd(() => {
    off();
    systemClock.after(hurryMs, () => process.exit(0));
    void session.recorder?.close().then(() => process.exit(0));
    if (!session.recorder) process.exit(0);
  });
}

/** Says once where the recording is, and what is wrong with it when that changes. */
function watchRecorder(
  { recorder }: Session,
  { held, say }: { readonly held: HeldWatch; readonly say: (text: string) => void },
): () => void {
  let folder: string | undefined;
  let said: string | undefined;
  return () => {
    const { path, fault, warning } = recorder?.state() ?? {};
    if (path !== undefined && dirname(path) !== folder) {
      folder = dirname(path);
      say(`Recording in ${folder}`);
      held.recordsIn(folder).catch(() => {});
    }
    const wrong = fault ?? warning;
    if (wrong !== said && wrong !== undefined) say(wrong);
    if (wrong === undefined && said !== undefined) say('The recording goes on.');
    said = wrong;
  };
}

function headerOf({ target, options, held, startedAt }: HeaderInit) {
  const { wrap, intervalMs, readOnly = false } = options;
  return {
    ...{ protocol: protocolVersion, traintop: version, name: held.name, machine: hostname(), pid: process.pid },
    ...{ startedAt, target: target.name, demo: target.demo, intervalMs, readOnly },
    ...(wrap !== undefined && { wrap }),
    ...(target.speed !== undefined && { speed: target.speed }),
  };
}

interface HeaderInit {
  readonly target: OpenTarget;
  readonly options: Options;
  readonly held: HeldWatch;
  readonly startedAt: number;
}

function aboutOf(session: Session) {
  const { path, fault, faultShort, warning } = session.recorder?.state() ?? {};
  return {
    now: session.clock.now(),
    recording: !session.recorder
      ? ({ is: 'off' } as const)
      : fault !== undefined
        ? ({ is: 'failed', reason: fault, ...(faultShort !== undefined && { short: faultShort }) } as const)
        : ({ is: 'on', ...(warning !== undefined && { warning }) } as const),
    ...(path !== undefined && { folder: dirname(path) }),
    ways: session.alarms?.ways() ?? [],
  };
}

function handsOf(session: Session, target: OpenTarget): WatchHands {
  const { recorder, alarms, captures } = session;
  const controls = controlsOf(session, { target: target.name, demo: target.demo });
  const { setInterval, connectNow, lookForRuns, chooseRun, cancelCapture } = controls;
  return {
    ...{ setInterval, connectNow, lookForRuns, chooseRun, cancelCapture },
    capture: captures.start,
    mark: (text, time) => controls.mark?.(text, time),
    look: session.signals.look,
    send: session.signals.send,
    acknowledge: (id) => alarms?.acknowledge(id),
    mute: (init) => alarms?.mute(init),
    unmute: (init) => alarms?.unmute(init),
    ...(recorder && {
      recording: recordingFolder(() => {
        const { path } = recorder.state();
        return path === undefined ? undefined : dirname(path);
      }, recorder.flush),
    }),
  };
}
