import { join } from 'node:path';
import { hostname } from 'node:os';
import type { Clock } from '../clock.ts';
import { hashOf, longestSocketPath, makeOwn, runtimeFolders, watchesFolders, watchName } from './places.ts';
import type { WatchIdentity } from './places.ts';
import { listenForScreens, type AttachServer } from './server.ts';
import { holdFolder, isHeld, readWatchFile, type HeldFolder, type WatchFile } from './watch-lock.ts';

/** This process's watch, as others on this machine see it. */
export interface HeldWatch {
  readonly name: string;
  /** Opens the socket. Rejects with a sentence: the watch goes on without it. */
  listen(init: Omit<Parameters<typeof listenForScreens>[0], 'path' | 'clock'>): Promise<AttachServer>;
  /** Of the recording, once it is known. */
  recordsIn(folder: string): Promise<void>;
  /** The run is this watch's too; undefined: it is. Else whose it is. */
  takeRun(run: string): Promise<WatchFile | 'another' | undefined>;
  release(): Promise<void>;
}

interface Init {
  readonly environment: NodeJS.ProcessEnv;
  readonly identity: WatchIdentity;
  /** Of this machine. */
  readonly clock: Clock;
  readonly about: Pick<WatchFile, 'target' | 'wrap' | 'demo' | 'traintop'>;
}

const touchMs = 30_000;
/** Runs that one watch may follow, one after the other. */
const mostRuns = 100;

/** Takes the watch, or says who has it. Rejects with a sentence where there is no folder for it. */
export async function holdWatch(
  init: Init,
): Promise<HeldWatch | { readonly by: WatchFile | undefined; readonly name: string }> {
  const { environment, clock, about } = init;
  const name = watchName(about.target, init.identity);
  const { held, base } = await takeFirst(environment, name, clock.now());
  if ('by' in held) return { ...held, name };
  const runs = new Map<string, HeldFolder>();
  let file: WatchFile = {
    ...{ ...about, name, pid: process.pid, machine: hostname(), startedAt: clock.now() },
    ...{ node: process.execPath, program: process.argv[1] ?? '' },
  };
  await held.write(file);
  const stopTouching = clock.every(touchMs, () => {
    for (const each of [held, ...runs.values()]) each.touch(clock.now()).catch(() => {});
  });
  const writeAll = async () => {
    for (const each of [held, ...runs.values()]) await each.write(file);
  };
  let server: AttachServer | undefined;

  return {
    name,
    async listen(more) {
      const faults: string[] = [];
      for (const folder of [held.folder, ...runtimeFolders(environment).map((base) => join(base, name))]) {
        const path = join(folder, 'watch.sock');
        if (Buffer.byteLength(path) > longestSocketPath) continue;
        try {
          // A home on NFS holds no sockets.
          await makeOwn(folder);
          server = await listenForScreens({ ...more, clock, path });
          file = { ...file, socket: path };
          await writeAll();
          return server;
        } catch (error) {
          faults.push(error instanceof Error ? error.message : String(error));
        }
      }
      throw new Error(`No socket could be made for traintop attach (${faults.at(-1) ?? 'all paths are too long'}).`);
    },
    async recordsIn(folder) {
      file = { ...file, recording: folder };
      await writeAll();
    },
    async takeRun(run) {
      if (runs.has(run) || runs.size >= mostRuns) return undefined;
      const taken = await holdFolder(join(base, `.run-${hashOf(run)}`), clock.now());
      if ('by' in taken) return taken.by ?? 'another';
      runs.set(run, taken);
      await taken.write(file);
      return undefined;
    },
    async release() {
      stopTouching();
      for (const each of [held, ...runs.values()]) await each.release().catch(() => {});
    },
  };
}

/** The living watch of the same, or of the same run; for a screen that is opened beside it. */
export async function watchBeside(
  init: Pick<Init, 'environment' | 'identity' | 'clock'> & { readonly target: string },
) {
  return firstHeld(init.environment, watchName(init.target, init.identity), init.clock.now());
}

/** The same of a run. */
export async function watchOfRun(
  environment: NodeJS.ProcessEnv,
  run: string,
  now: number,
): Promise<WatchFile | undefined> {
  return firstHeld(environment, `.run-${hashOf(run)}`, now);
}

async function firstHeld(environment: NodeJS.ProcessEnv, name: string, now: number): Promise<WatchFile | undefined> {
  for (const base of watchesFolders(environment)) {
    const folder = join(base, name);
    const file = await readWatchFile(folder);
    if (file && file.pid !== process.pid && (await isHeld(folder, now))) return file;
  }
  return undefined;
}

async function takeFirst(environment: NodeJS.ProcessEnv, name: string, now: number) {
  const faults: string[] = [];
  for (const base of watchesFolders(environment)) {
    try {
      await makeOwn(base);
      return { base, held: await holdFolder(join(base, name), now) };
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`There is no folder in which a watch can say that it runs (${faults.join('; ')}).`);
}
