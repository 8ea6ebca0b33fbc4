import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Tape } from '../model/tape.ts';
import type { Controls } from './controls.ts';
import { timeOfDay } from './parts/times.ts';
import type { UiAction } from './ui-state.ts';
import { useStore } from './use-store.ts';

/** What the screen has in its hands now: while it shows the past of a watch, none of it reaches the host. */
export function controlsNow(controls: Controls): Controls {
  const tape = controls.past?.tape();
  return tape ? inPast(controls, tape) : controls;
}

/** The same, as it changes. */
export function useControlsNow(controls: Controls): Controls {
  const tape = useSyncExternalStore(controls.past?.subscribe ?? never, () => controls.past?.tape());
  return useMemo(() => (tape ? inPast(controls, tape) : controls), [controls, tape]);
}

/** What is left out acts on the host, or is of now. */
function inPast(controls: Controls, tape: Tape): Controls {
  const {
    signals: _signals,
    naming: _naming,
    openShell: _openShell,
    recording: _recording,
    alarms: _alarms,
    ...rest
  } = controls;
  return {
    ...rest,
    tape,
    setInterval: () => rest.intervalMs,
    connectNow() {},
    lookForRuns() {},
    chooseRun() {},
    capture: () => ({ id: '', over: Promise.resolve() }),
    cancelCapture() {},
  };
}

/** Why a key that acts on the host does nothing: one sentence. */
export function notNow(tape: Tape): string {
  return `You look at ${timeOfDay(tape.state().position)}; L goes back to live.`;
}

/** Says once of each alarm that begins to ring behind the past. */
export function useRingNotices({ past, tape, store }: Controls, dispatch: (action: UiAction) => void): void {
  const alarms = useStore(past?.now ?? store, (state) => state.alarms);
  const known = useRef(new Set<string>());
  useEffect(() => {
    const ringing = alarms.filter(({ state }) => state === 'ringing');
    const fresh = ringing.filter(({ id }) => !known.current.has(id)).at(-1);
    known.current = new Set(ringing.map(({ id }) => id));
    if (!past || !tape || !fresh) return;
    dispatch({ type: 'notice', notice: { text: `Now: ${fresh.text} L goes back to live.`, tone: 'bad' } });
  }, [alarms, past, tape, dispatch]);
}

const never = () => () => {};
