import type { CaptureSample } from './samples.ts';
import type { State } from './state.ts';

/** A process that a capture left stopped, and that has not gone on since. */
export interface LeftStopped {
  /** Of this stop: the capture and the process. */
  readonly key: string;
  readonly pid: number;
  readonly capture: CaptureSample;
}

/** Those that still are, the newest first. A process that runs again by whatever hand, or is gone, is none. */
export function leftStopped(state: Pick<State, 'captures' | 'threads' | 'processes'>): readonly LeftStopped[] {
  return state.captures.flatMap((capture) =>
    (capture.stoppedPids ?? [])
      .filter((pid) => isStopped(state, { pid, since: capture.endedAt ?? capture.time }))
      .map((pid) => ({ key: `${capture.id} ${pid}`, pid, capture })),
  );
}

/** As the newest frame since then says; before there is one, it is. */
function isStopped(
  { threads, processes }: Pick<State, 'threads' | 'processes'>,
  { pid, since }: { readonly pid: number; readonly since: number },
): boolean {
  if (threads && threads.time > since) return isT(threads.state[threads.tid.indexOf(pid)]);
  if (processes && processes.time > since) return isT(processes.state[processes.pid.indexOf(pid)]);
  return true;
}

/** `undefined`: no row of it is left. */
function isT(state: string | null | undefined): boolean {
  return state === null || /^[Tt]$/.test(state ?? '');
}
