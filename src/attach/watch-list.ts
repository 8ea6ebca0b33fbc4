import { readdir } from 'node:fs/promises';
import { connect as connectSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { watchesFolders } from './places.ts';
import { isHeld, readWatchFile, type WatchFile } from './watch-lock.ts';
import { wireOfStream, type Wire } from './wire.ts';

/** The watches of this machine that live, the oldest first. `now`: of this machine. */
export async function watchesHere(environment: NodeJS.ProcessEnv, now: number): Promise<readonly WatchFile[]> {
  const found = new Map<string, WatchFile>();
  for (const base of watchesFolders(environment)) {
    for (const name of await readdir(base).catch((): string[] => [])) {
      const folder = join(base, name);
      const file = name.startsWith('.') ? undefined : await readWatchFile(folder);
      if (file && !found.has(file.name) && (await isHeld(folder, now))) found.set(file.name, file);
    }
  }
  return [...found.values()].sort((a, b) => a.startedAt - b.startedAt);
}

/** Opens its socket. Rejects with a sentence. */
export async function openHere(watch: WatchFile): Promise<Wire> {
  return wireOfStream(await connectHere(watch));
}

/** The socket itself. */
export function connectHere({ socket, name, pid }: WatchFile): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (socket === undefined) return reject(new Error(`The watch ${name} (PID ${pid}) has no socket to attach to.`));
    const stream = connectSocket(socket);
    stream.once('connect', () => resolve(stream));
    stream.once('error', (error) =>
      reject(new Error(`The watch ${name} (PID ${pid}) did not answer at ${socket} (${error.message}).`)),
    );
  });
}
