import type { Run, RunProcess } from './run.ts';

/** A command line as one reads it: the script or module without its folders, then its arguments. */
export function shortCommand(commandLine: readonly string[]): string {
  const [program = '', ...rest] = commandLine;
  const script = rest.findIndex((argument, i) => argument.endsWith('.py') || rest[i - 1] === '-m');
  if (script >= 0) return [baseName(rest[script] ?? ''), ...rest.slice(script + 1)].join(' ');
  return [baseName(program), ...rest].join(' ');
}

/** The process that speaks for the run: its first rank, else its root. */
export function leader({ processes, rootPid }: Run): RunProcess | undefined {
  const first = processes.find(({ rank }) => rank === 0);
  return first ?? processes.find(({ pid }) => pid === rootPid) ?? processes[0];
}

/** How many ranks a run has here: 0 when its processes have none. */
export function rankCount({ processes }: Run): number {
  return new Set(processes.flatMap(({ rank }) => (rank === undefined ? [] : [rank]))).size;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
