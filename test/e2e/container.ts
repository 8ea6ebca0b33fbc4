import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isRunning } from '../support/processes.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { waitFor } from '../support/waiting.ts';

/** A container with a PID namespace of its own, and a stand-in for docker's client that gives a terminal (wrappers/terminal.py). */
export interface Container {
  /** The client; the container is called `box`. */
  readonly client: string;
  /** Of its processes, as /proc/PID/ns/pid says it. */
  readonly namespace: string;
  /** Command lines of what runs in it. */
  commands(): readonly string[];
  stop(): Promise<void>;
}

/** Starts the container. Root only. */
export async function startContainer(): Promise<Container> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-box-'));
  for (const name of ['bin', 'containers']) mkdirSync(join(folder, name));
  const client = join(folder, 'bin/docker');
  symlinkSync(resolve('test/support/wrappers/terminal.py'), client);
  const init = 'exec sleep 100000';
  const outer = spawn('unshare', ['--pid', '--fork', '--mount', '--mount-proc', '--kill-child', 'sh', '-c', init], {
    stdio: 'ignore',
  });
  const ended = new Promise((done) => outer.once('exit', done));
  const children = () => readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim() || undefined;
  const first = await waitFor('the first process', children);
  writeFileSync(join(folder, 'containers/box'), first);
  const namespace = readlinkSync(`/proc/${first}/ns/pid`);
  return {
    client,
    namespace,
    commands: () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && isRunning(Number(name)) && namespaceOf(name) === namespace)
        .map(commandOf),
    async stop() {
      outer.kill('SIGKILL');
      await ended;
      removeFolder(folder);
    },
  };
}

function namespaceOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return '';
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
