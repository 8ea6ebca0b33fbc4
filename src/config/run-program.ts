import { spawn } from 'node:child_process';

interface Init {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly limitMs: number;
  /** Ends it before. */
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended. */
export interface Ended {
  /** null = by a signal, or not started. */
  readonly code: number | null;
  /** Why it was not started: `ENOENT`. */
  readonly fault?: string;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const mostBytes = 1 << 20;

/** Runs a program of this machine to its end, without a shell and without input. What it started is ended with it. Never rejects. */
export async function runProgram({ file, args, env, limitMs, signal }: Init): Promise<Ended> {
  const limit = AbortSignal.timeout(limitMs);
  const stop = signal ? AbortSignal.any([signal, limit]) : limit;
  // A group of its own: `ssh -G` may have started a Match exec.
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...(env && { env }) });
  const killAll = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
    // What left the group may keep them open, and `close` from coming.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  if (stop.aborted) killAll();
  stop.addEventListener('abort', killAll);
  let stdout = '';
  let stderr = '';
  let fault: string | undefined;
  child.stdout.on('data', (chunk: Buffer) => (stdout = (stdout + chunk.toString()).slice(0, mostBytes)));
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(0, mostBytes)));
  child.on('error', (error: NodeJS.ErrnoException) => (fault = error.code ?? error.message));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  stop.removeEventListener('abort', killAll);
  return {
    code: fault === undefined ? code : null,
    ...(fault !== undefined && { fault }),
    timedOut: limit.aborted,
    stdout,
    stderr,
  };
}
