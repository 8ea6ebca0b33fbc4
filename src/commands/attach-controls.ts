import { randomBytes } from 'node:crypto';
import type { Follower } from '../attach/follower.ts';
import type { AskBody } from '../attach/protocol.ts';
import { readTarget } from '../attach/protocol.ts';
import type { Clock } from '../clock.ts';
import { intervalLimits } from '../config/options.ts';
import type { SignalTarget } from '../model/signals.ts';
import type { CaptureFiles, Controls, RecordingState, SignalControls } from '../ui/controls.ts';
import { dayOf, timeOfDay } from '../ui/parts/times.ts';

interface Init {
  readonly follower: Follower;
  /** Of this machine: what the screen waits for, the user does. */
  readonly clock: Clock;
  readonly files: CaptureFiles;
  readonly questions: NonNullable<Controls['questions']>;
}

/** The screen's hands on a watch that another process keeps: each of them asks it. */
export function attachControls({ follower, clock, files, questions }: Init): Controls {
  const { store } = follower;
  const header = follower.header();
  // What could not be asked is seen: nothing happens, and the header says that the watch is not heard.
  const tell = (body: AskBody) => void follower.ask(body).catch(() => {});
  return {
    ...{ store, files, questions },
    clock: { ...clock, now: follower.clock.now },
    target: header.target,
    demo: header.demo,
    ...(header.speed !== undefined && { speed: header.speed }),
    ...(header.wrap !== undefined && { wrap: header.wrap }),
    intervalMs: store.getState().interval?.intervalMs ?? header.intervalMs,
    readOnly: header.readOnly,
    setInterval(ms) {
      const intervalMs = Math.min(intervalLimits.slowest, Math.max(intervalLimits.fastest, ms));
      tell({ ask: 'interval', ms: intervalMs });
      return intervalMs;
    },
    connectNow() {
      if (follower.lost() === undefined) tell({ ask: 'connectNow' });
      else follower.connectNow();
    },
    lookForRuns: () => tell({ ask: 'lookForRuns' }),
    chooseRun: (pid) => tell({ ask: 'chooseRun', pid }),
    capture(request) {
      const { auto: _auto, pids, ...what } = request;
      const stamp = new Date(follower.clock.now()).toISOString().replace(/[:.]/g, '-');
      const id = `${stamp}-${randomBytes(3).toString('hex')}`;
      const over = follower.ask({ ask: 'capture', capture: id, request: { ...what, pids: [...pids] } });
      return { id, over: over.then(none, none) };
    },
    cancelCapture: (capture) => tell({ ask: 'cancelCapture', capture }),
    signals: signalsOf(follower),
    recording: () => (follower.about()?.recording ?? { is: 'off' }) as RecordingState,
    mark: (text, time) => tell({ ask: 'mark', text, ...(time !== undefined && { time }) }),
    alarms: {
      acknowledge: (alarm) => tell({ ask: 'acknowledge', ...(alarm !== undefined && { alarm }) }),
      mute: (init) => tell({ ask: 'mute', ...init }),
      unmute: (init) => tell({ ask: 'unmute', ...init }),
      ways: () => follower.about()?.ways ?? [],
    },
    watch: {
      text: aboutWatch(follower),
      lost: follower.lost,
      subscribe: follower.subscribe,
    },
  };
}

const none = () => {};

/** Who keeps it, in a line. */
function aboutWatch({ header }: Follower): string {
  const { machine, pid, startedAt, name } = header();
  return `the watch ${name} on ${machine}, PID ${pid}, since ${dayOf(startedAt)} ${timeOfDay(startedAt)}`;
}

/** What a signal goes to is what the watch has looked at: it remembers that, this side only which look it was. */
function signalsOf({ ask }: Follower): SignalControls {
  const looks = new WeakMap<SignalTarget, number>();
  const words = (error: unknown) => (error instanceof Error ? error.message : String(error));
  return {
    async look(pid) {
      try {
        const { id, value } = await ask({ ask: 'look', pid });
        if (typeof value === 'object' && value !== null && 'failure' in value)
          return { failure: String(value.failure) };
        const target = readTarget(value);
        looks.set(target, id);
        return target;
      } catch (error) {
        return { failure: words(error) };
      }
    },
    send(target, signal, told) {
      ask({ ask: 'send', look: looks.get(target) ?? -1, signal }, told).catch((error: unknown) =>
        told({ text: `It is not known whether ${signal} was sent: ${words(error)}`, tone: 'bad', goesOn: false }),
      );
    },
  };
}
