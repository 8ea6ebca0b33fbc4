import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { startDemoServer } from '../src/demo/server.ts';
import { manyThreads } from './many-threads.ts';

/**
 * A demo host in a process of its own, so that its cost is not the monitor's: eight GPUs, `threads` threads of which `active` run.
 * Prints the arguments that connect traintop to it as one line of JSON, and ends when its standard input does.
 */
export async function runDemoHost([threads = '62', active = '38']: readonly string[]): Promise<void> {
  const server = await startDemoServer({
    clock: systemClock,
    threads: manyThreads({ threads: Number(threads), active: Number(active) }),
  });
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-host-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const knownHosts = file('known_hosts', `[127.0.0.1]:${server.port} ${server.hostKey}\n`);
  const config = file('config', `Host *\n  UserKnownHostsFile ${knownHosts}\n`);
  const identity = file('id', server.clientKey);
  const args = [`${server.user}@127.0.0.1:${server.port}`, '--identity', identity, '--ssh-config', config];
  process.stdout.write(`${JSON.stringify(args)}\n`);
  process.stdin.resume();
  process.stdin.on('end', () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
}
