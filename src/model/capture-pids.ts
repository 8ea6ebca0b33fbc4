import type { Run, RunProcess } from './run.ts';

/** The processes of a run that train, one a rank in their order: not what they started, which has their environment. None: no ranks. */
export function rankProcesses({ processes }: Run): readonly RunProcess[] {
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  const parentRank = ({ parentPid }: RunProcess) => (parentPid === undefined ? undefined : byPid.get(parentPid)?.rank);
  return processes
    .filter((process) => process.rank !== undefined && parentRank(process) !== process.rank)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.pid - b.pid);
}

/** The process that is captured when the user names none: the first rank, else who holds a GPU, else the first Python from the root on. */
export function mainProcess(run: Run): RunProcess | undefined {
  const root = run.processes.find(({ pid }) => pid === run.rootPid);
  const inOrder = [...(root ? [root] : []), ...run.processes.filter((process) => process !== root)];
  const isPython = ({ executable, commandLine }: RunProcess) =>
    /python|pypy/.test((executable ?? commandLine[0] ?? '').split('/').at(-1) ?? '');
  return (
    rankProcesses(run)[0] ?? inOrder.find(({ gpuMinors }) => gpuMinors.length > 0) ?? inOrder.find(isPython) ?? root
  );
}
