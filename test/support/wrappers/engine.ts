import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkload, type Workload } from '../workload.ts';
import { waitFor } from '../waiting.ts';
import { removeFolder } from '../remove-folder.ts';

/** A container engine's stand-in (wrapper.py): its clients are programs in `bin`. */
export interface Engine {
  readonly folder: string;
  /** For PATH. */
  readonly bin: string;
  /** A container in a PID and a mount namespace of its own, with a run in it. */
  startContainer(name: string, options?: { readonly logSeconds?: number }): Promise<Container>;
  /** Names this machine as if it were a container. */
  addNode(name: string): void;
  /** Names a container that cannot be entered. */
  addBroken(name: string, state: 'stopped' | 'shell-less'): void;
  stop(): Promise<void>;
}

/** A running container. */
export interface Container {
  readonly name: string;
  /** PID, on this machine, of its first process. */
  readonly pid: number;
  /** PID of the run as the container has it. */
  readonly runPid: number;
  readonly logPath: string;
  /** PIDs, on this machine, of everything in it that was not there at its start. */
  guests(): readonly number[];
  stop(): Promise<void>;
}

const clients = ['docker', 'podman', 'kubectl', 'lxc', 'srun', 'pct'];

/** Starts the engine. Root only. */
export async function startEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-engine-'));
  chmodSync(folder, 0o755);
  const bin = join(folder, 'bin');
  for (const name of [bin, join(folder, 'containers')]) mkdirSync(name);
  // The interpreter itself: a version manager's stand-in for it would cost more than everything else.
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  const program = join(import.meta.dirname, 'wrapper.py');
  for (const name of [...clients, 'engine'])
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${python} -IS ${program} ${folder} ${name} "$@"\n`, {
      mode: 0o755,
    });
  const server = spawn(join(bin, 'engine'), { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  await firstOutput(server);
  const containers: Container[] = [];
  const note = (name: string, state: string) => writeFileSync(join(folder, 'containers', name), state);
  return {
    folder,
    bin,
    async startContainer(name, { logSeconds = 0.5 } = {}) {
      const container = await startContainer({ folder, name, python, logSeconds });
      note(name, String(container.pid));
      containers.push(container);
      return container;
    },
    addNode: (name) => note(name, String(process.pid)),
    addBroken: note,
    async stop() {
      await Promise.all(containers.map((container) => container.stop()));
      server.stdin?.end();
      await ended(server);
      removeFolder(folder);
    },
  };
}

interface Init {
  readonly folder: string;
  readonly name: string;
  readonly python: string;
  readonly logSeconds: number;
}

async function startContainer({ folder, name, python, logSeconds }: Init): Promise<Container> {
  const home = join(folder, name);
  mkdirSync(home);
  const logPath = join(home, 'train.log');
  // The workload's program: the container's first process, which reaps, and the run under it.
  const program = join(home, 'contained');
  const init = `exec 3<&0; ${python} "$@" <&3 & echo $! >${home}/run; exec 3<&-; wait`;
  const unshare = 'unshare --pid --fork --mount --mount-proc --kill-child';
  writeFileSync(program, `#!/bin/sh\necho $$ >${home}/outside\nexec ${unshare} sh -c '${init}' x "$@"\n`, {
    mode: 0o755,
  });
  const threads = [{ name: 'pump', percent: 3 }, { name: 'resting' }];
  const workload: Workload = await startWorkload({ python: program, threads, logSeconds, logPath });
  const outside = number(readFileSync(join(home, 'outside'), 'utf8'));
  const pid = await waitFor('the first process', () => childrenOf(outside)[0]);
  return {
    name,
    pid,
    runPid: workload.pid,
    logPath,
    guests: guestsOf(pid),
    stop: () => workload.stop(),
  };
}

/** Whoever came into the PID namespace of a process since this was called, by their PIDs on this machine. */
export function guestsOf(pid: number): () => readonly number[] {
  const namespace = readlinkSync(`/proc/${pid}/ns/pid`);
  const members = () => pids().filter((each) => isIn(each, namespace));
  const residents = new Set(members());
  return () => members().filter((each) => !residents.has(each));
}

/** PIDs of a process group; zombies are of none. */
export function groupOf(leader: number): readonly number[] {
  return pids().filter((pid) => statOf(pid)?.[2] === String(leader));
}

/** A process by its PID and its start: a PID may be given again. Undefined when it does not run. */
export function identityOf(pid: number): string | undefined {
  const fields = statOf(pid);
  return fields && `${pid} ${fields[19]}`;
}

function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** State, parent, group and so on of a process that runs. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZX]/.test(fields[0] ?? '') ? undefined : fields;
  } catch {
    return undefined;
  }
}

function isIn(pid: number, namespace: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === namespace && statOf(pid) !== undefined;
  } catch {
    return false;
  }
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(number);
}

const number = (text: string) => Number(text.trim());

async function firstOutput(child: ChildProcess): Promise<void> {
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the engine ended with ${code}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
}
