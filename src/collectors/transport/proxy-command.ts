import { spawn, type ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { lastWords } from '../../model/text.ts';
import type { Wire } from './ssh-wires.ts';
import { TransportFault } from './transport.ts';

interface Init {
  /** Its tokens are expanded. */
  readonly command: string;
  /** `user@host`, for the sentence. */
  readonly target: string;
  readonly clock: Clock;
}

/** How long it may take to end by itself. */
const graceMs = 1000;
const leaveMs = 250;
const mostNoise = 4096;

/**
 * Runs a ProxyCommand as ssh does: the user's shell execs it, its standard input and output are the wire. In a session of its own,
 * so that it cannot write over the screen or read its keys, and can be ended with all it started.
 */
export function startProxyCommand({ command, target, clock }: Init): Wire {
  const shell = process.env.SHELL || '/bin/sh';
  const child = spawn(shell, ['-c', `exec ${command}`], { detached: true, stdio: 'pipe' });
  let noise = '';
  let ended: string | undefined;
  child.stderr.on('data', (chunk: Buffer) => (noise = (noise + chunk.toString()).slice(-mostNoise)));
  child.on('error', (error: NodeJS.ErrnoException) => (ended = `could not be started (${error.code}: ${shell})`));

  const stream = new Duplex({
    read: () => void child.stdout.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (child.stdin.write(chunk)) done();
      else child.stdin.once('drain', () => done());
    },
    final: (done) => {
      child.stdin.end();
      done();
    },
    destroy: (_error, done) => {
      endGroup(child, clock);
      done(null);
    },
  });
  child.stdin.on('error', () => {}); // it is gone: `close` tells
  child.stdout.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) child.stdout.pause();
  });
  // It may close its output and stay. Most do so on their way out, where a hang-up would pass for their end.
  child.stdout.on('end', () => {
    const cancel = clock.after(leaveMs, () => endGroup(child, clock));
    child.once('close', cancel);
  });
  child.on('close', (code, signal) => {
    ended ??= signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    stream.push(null);
    stream.destroy();
  });
  return {
    stream,
    destroy: () => void stream.destroy(),
    fault: () => (ended === undefined ? undefined : proxyFault({ target, ended, noise })),
  };
}

/**
 * Hangs up on it as ssh does; what does not go by itself is killed. What left its group (the master of `ssh -o ControlPersist`) stays, and
 * is not waited for: it may have its standard error.
 */
function endGroup(child: ChildProcess, clock: Clock) {
  const { pid } = child;
  if (pid === undefined) return;
  const isThere = signal(pid, 'SIGHUP');
  child.stdin?.destroy();
  const cancel = clock.after(graceMs, () => {
    if (isThere) signal(pid, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
  // Its number may be another's soon, and a timer would hold up our own end.
  child.once('close', () => {
    cancel();
    if (isThere) signal(pid, 'SIGKILL');
  });
}

function signal(group: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
}

function proxyFault({ target, ended, noise }: { target: string; ended: string; noise: string }): TransportFault {
  const last = lastWords(noise);
  return new TransportFault(
    `The ProxyCommand to ${target} ${ended}${last === '' ? '' : `, saying: ${last}`}: try it by itself in a shell.`,
    false,
  );
}
