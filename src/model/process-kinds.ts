/** One process as the host shows it, with what is needed to tell which run it belongs to. Text is safe for a terminal. */
export interface HostProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** Clock ticks after boot: with the PID it names a process for good. */
  readonly startTicks: number;
  readonly comm: string;
  /** argv; empty when it could not be read. */
  readonly commandLine: readonly string[];
  readonly executable?: string | undefined;
  readonly rank?: number | undefined;
  readonly localRank?: number | undefined;
  readonly worldSize?: number | undefined;
  /** MASTER_ADDR:MASTER_PORT. */
  readonly master?: string | undefined;
  readonly gpuMinors: readonly number[];
  /** Of one core, when it was measured. */
  readonly cpuPercent?: number | undefined;
}

/**
 * Whether it runs Python code. The name alone is no proof (PyTorch renames threads and processes, `pt_main_thread`), so the
 * executable decides, and where another user's cannot be read, argv[0] or the name.
 */
export function isPython({ executable, commandLine, comm }: HostProcess): boolean {
  const isName = (text: string) => /^(python|pypy)[\d.]*(d|t|-dbg)?$/.test(baseName(text));
  if (executable !== undefined && isName(executable.replace(/ \(deleted\)$/, ''))) return true;
  if (isName(commandLine[0] ?? '')) return true;
  return executable === undefined && (isName(comm) || comm.startsWith('pt_') || comm.startsWith('ray::'));
}

/** Programs that host the work of many: a run's tree starts below them. */
const workHosts =
  /^(jupyter([-_]\w+)?|jupyterhub|jupyterlab|notebook|supervisord?|circusd|airflow|celery|prefect|luigid|dagster(-\w+)?|dask([-_]\w+)?|gunicorn|ray|raylet|code-server|sshd|conda|mamba)$/;

/** Whether it is a server, a scheduler or a daemon of Ray: no launcher of one run. */
export function isWorkHost({ commandLine, comm }: HostProcess): boolean {
  if (comm === 'raylet' || comm === 'gcs_server') return true;
  if (commandLine.some((arg) => /\/ray\/(dashboard|_private|autoscaler)\//.test(arg))) return true;
  const script = scriptOf(commandLine);
  return [commandLine[0] ?? '', script].some((name) => workHosts.test(baseName(name).replace(/\.py$/, '')));
}

/** The script, or the first part of the module of `-m`, that a Python command line runs; empty when there is none. */
export function scriptOf(commandLine: readonly string[]): string {
  for (let at = 1; at < commandLine.length; at++) {
    const arg = commandLine[at] ?? '';
    if (arg === '-c') return '';
    if (arg === '-m') return (commandLine[at + 1] ?? '').split('.')[0] ?? '';
    // -X, -W and --check-hash-based-pycs take a value (python --help, 3.13).
    if (arg === '-X' || arg === '-W' || arg === '--check-hash-based-pycs') at++;
    else if (!arg.startsWith('-')) return arg;
  }
  return '';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
