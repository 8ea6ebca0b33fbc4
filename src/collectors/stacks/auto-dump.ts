import type { Clock } from '../../clock.ts';
import { activePercent } from '../../model/history.ts';
import { roleFinder } from '../../model/roles/finder.ts';
import type { RunProcess } from '../../model/run.ts';
import type { State } from '../../model/store.ts';
import type { Captures } from './captures.ts';

/** Dumps that are taken by themselves, so that threads have names: few, and none that holds the run. */
export interface AutoDump {
  /** Called at each commit: takes one, when it is time. */
  consider(state: State): void;
  /** One sentence on when the last one was, or why there is none. */
  said(): string;
}

interface Init {
  readonly captures: Pick<Captures, 'start' | 'isBusy'>;
  readonly clock: Clock;
  readonly timeOf: (time: number) => string;
}

/** One at attach; then at most one in this time, and only where a thread without a name is busy. */
const pauseMs = 5 * 60_000;
/** CPU of a thread that is worth a name, percent of one core. */
const worthPercent = 5;
/** Ranks of one host, and some more. */
const mostProcesses = 16;
/** py-spy that failed this often in a row will go on so. */
const mostFailures = 2;

/** Nothing is taken before `consider`. */
export function createAutoDump({ captures, clock, timeOf }: Init): AutoDump {
  let runId: string | undefined;
  let lastAt: number | undefined;
  let failures = 0;
  let failure: string | undefined;
  let isTaking = false;
  let named = 0;
  let lacks: string | undefined = 'No run is watched yet.';

  function take(pids: readonly number[]) {
    isTaking = true;
    lastAt = clock.now();
    const own = runId;
    const { over, last } = captures.start({ what: 'dump', pids, auto: true });
    void over.then(() => {
      isTaking = false;
      if (own !== runId) return;
      const told = last();
      const failed = told === undefined || (told.state !== 'done' && told.state !== 'partial');
      failures = failed ? failures + 1 : 0;
      failure = failed ? (told?.failure ?? 'it was ended') : undefined;
      named = told?.samples ?? 0;
    });
  }

  return {
    consider(state) {
      const run = state.run?.run;
      if (!run || state.run?.phase !== 'running') return;
      if (run.id !== runId) {
        runId = run.id;
        lastAt = failure = undefined;
        failures = 0;
      }
      lacks = lackOf(state);
      // A frame with shares: which threads are busy is known then.
      if (lacks !== undefined || isTaking || failures >= mostFailures || state.threads?.intervalSeconds === undefined)
        return;
      if (captures.isBusy()) return;
      const isFirst = lastAt === undefined;
      if (lastAt !== undefined && clock.now() - lastAt < pauseMs && clock.now() >= lastAt) return;
      const pids = isFirst ? pythonPids(state, run.processes) : unnamedPids(state);
      if (pids.length > 0) take(pids.slice(0, mostProcesses));
    },
    said() {
      if (lastAt === undefined) return lacks ?? 'None was taken yet.';
      const at = `The last one was at ${timeOf(lastAt)}`;
      if (isTaking) return 'One is being taken now.';
      if (failure !== undefined)
        return `${at}, and failed${failures >= mostFailures ? ' again (no more are taken)' : ''}: ${failure}.`;
      return `${at}: ${named} ${named === 1 ? 'process' : 'processes'}.`;
    },
  };
}

function lackOf({ facts, link }: State): string | undefined {
  if (link?.state !== 'up') return 'There is no connection to the host now.';
  return facts?.pySpy === undefined ? 'There is no py-spy on the host.' : undefined;
}

/** Of the run's Python processes those that hold ranks first; workers of a known kind need no names. */
function pythonPids(state: State, processes: readonly RunProcess[]): readonly number[] {
  const roleOf = roleFinder(state);
  const busy = new Set(unnamedPids(state));
  const wanted = processes.filter((process) => {
    if (!isPython(process)) return false;
    const role = roleOf({ pid: process.pid, tid: process.pid });
    return role === undefined || role === 'main' || busy.has(process.pid);
  });
  const order = ({ rank, gpuMinors }: RunProcess) => (rank !== undefined ? 0 : gpuMinors.length > 0 ? 1 : 2);
  return [...wanted].sort((a, b) => order(a) - order(b) || a.pid - b.pid).map(({ pid }) => pid);
}

function isPython({ executable, commandLine }: RunProcess): boolean {
  return [executable, commandLine[0]].some((path) =>
    /(^|\/)(python|pypy)[\d.]*[a-z-]*( \(deleted\))?$/.test(path ?? ''),
  );
}

/** Processes with a busy thread of which nothing tells what it is, the busiest first. */
function unnamedPids(state: State): readonly number[] {
  const { threads, threadNames } = state;
  if (!threads) return [];
  const roleOf = roleFinder(state);
  const busiest = new Map<number, number>();
  threads.tid.forEach((tid, i) => {
    const percent = threads.cpuPercent[i] ?? 0;
    const pid = threads.pid[i] ?? 0;
    if (percent < Math.max(worthPercent, activePercent) || threadNames.has(`${pid}:${tid}`)) return;
    if (roleOf({ pid, tid, comm: threads.comm[i] }) !== undefined) return;
    busiest.set(pid, Math.max(percent, busiest.get(pid) ?? 0));
  });
  return [...busiest].sort(([, a], [, b]) => b - a).map(([pid]) => pid);
}
