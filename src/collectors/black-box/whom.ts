import { mainProcess, rankProcesses } from '../../model/capture-pids.ts';
import { rangesText } from '../../model/ranges.ts';
import type { Run, RunProcess } from '../../model/run.ts';

/** Whose stacks are taken. */
export interface Whom {
  /** Without holding them: those that train first, then their children. */
  readonly plain: readonly number[];
  /** Those that are held for a moment, for the frames of libraries. */
  readonly native: readonly number[];
  /** A sentence, where some are left out. */
  readonly leftOut?: string;
}

/** Of a host: eight GPUs have a rank each, and their loaders come after them. */
const most = 16;

/** The processes of a run whose stacks tell why it stands: ranks, else who holds a GPU, else the one that trains; then other Python processes. */
export function whom(run: Run): Whom {
  const ranks = rankProcesses(run);
  const holders = run.processes.filter(({ gpuMinors }) => gpuMinors.length > 0);
  const main = mainProcess(run);
  const training = ranks.length > 0 ? ranks : holders.length > 0 ? holders : main ? [main] : [];
  const others = run.processes.filter((process) => isPython(process) && !training.includes(process));
  const plain = [...training, ...others].slice(0, most);
  const missing = training.slice(most);
  const names = missing.every(({ rank }) => rank !== undefined)
    ? `rank${missing.length === 1 ? '' : 's'} ${rangesText(missing.map(({ rank }) => rank ?? 0))}`
    : `${missing.length} of the processes that train`;
  return {
    plain: plain.map(({ pid }) => pid),
    native: training.slice(0, most).map(({ pid }) => pid),
    ...(missing.length > 0 && { leftOut: `Stacks are of ${most} processes at most: ${names} left out.` }),
  };
}

function isPython({ executable, commandLine }: RunProcess): boolean {
  return [executable, commandLine[0]].some((path) => /(^|\/)(python|pypy)[\d.]*( \(deleted\))?$/.test(path ?? ''));
}
