import type { Ask, Gatherer, Known } from './gatherer.ts';

/** Reads what is known of the run's processes as such: its age, its end, who is dead or stopped. */
export function createRunGatherer(): Gatherer {
  return {
    take() {},
    read({ subject, known, window, set }) {
      if (subject.kind !== 'run') return;
      const { run, phaseSince } = known;
      if (run?.phase === 'ended' && phaseSince !== undefined)
        set('ended', { value: Math.max(0, window.to - phaseSince) / 1000 });
      const beganAt = run?.run?.processes.find(({ pid }) => pid === run.run?.rootPid)?.startTime;
      if (run?.phase === 'running' && beganAt !== undefined)
        set('runAge', { value: Math.max(0, window.to - beganAt) / 1000 });
      if (run?.phase === 'running') readStates(known, set);
    },
    forgetRun() {},
  };
}

function readStates(known: Known, set: Ask['set']): void {
  const states = statesOf(known);
  if (!states) return;
  const tell = (signal: 'zombies' | 'stopped', holds: (state: string) => boolean) => {
    const pids = [...states].flatMap(([pid, state]) => (holds(state) ? pid : []));
    set(signal, { value: pids.length, ...(pids.length === 1 && { of: `PID ${pids[0]}` }) });
  };
  tell('zombies', (state) => state === 'Z' || state === 'X');
  // `t` is a debugger, or a look at native frames that holds it for a moment.
  tell('stopped', (state) => state === 'T');
}

/** State by PID: as the processes tell it, else their first threads. */
function statesOf({ run, processes, threads }: Known): ReadonlyMap<string | number, string> | undefined {
  const told = processes ?? threads;
  if (!told) return undefined;
  const ofRun = new Set(run?.run?.processes.map(({ pid }) => pid));
  const states = new Map<number, string>();
  told.pid.forEach((pid, row) => {
    const state = told.state[row];
    if (state && ofRun.has(pid) && (told.kind === 'processes' || told.tid[row] === pid)) states.set(pid, state);
  });
  return states.size > 0 ? states : undefined;
}
