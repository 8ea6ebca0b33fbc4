import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { makeFolders } from '../config/make-folders.ts';
import { writeNew } from '../config/write-new.ts';
import type { HostFacts } from '../model/facts.ts';
import type { Run } from '../model/run.ts';
import type { LabelsSample, Sample, ThreadsSample } from '../model/samples.ts';
import type { State, Store } from '../model/store.ts';
import { safeText } from '../model/text.ts';

/** Names and roles of a run's threads, kept on this machine for the next monitor of the same run. */
export interface KeptLabels {
  see(sample: Sample): void;
  /** Writes what is not written yet; resolves soon, whatever the disk does. */
  stop(): Promise<void>;
}

interface Init {
  /** For its owner alone; made when there is something to keep. */
  readonly folder: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly take: (sample: Sample) => void;
}

/** A process of many threads with long names has some 300 kB. */
const mostBytes = 2 * 1024 * 1024;
const mostThreads = 4096;
/** Runs; those that were written last stay. */
const mostFiles = 64;
/** Two probes place the same start a little apart on our time axis. */
const sameStartMs = 3000;
/** Dumps of all ranks come one after the other. */
const settleMs = 2000;
const stopMs = 1000;

const kept = z.object({
  processes: z.array(z.object({ pid: z.number(), startTime: z.number() })),
  threads: z
    .array(
      z.object({
        ...{ pid: z.number(), tid: z.number(), comm: z.string() },
        ...{ name: z.string().optional(), stack: z.string().optional() },
      }),
    )
    .max(mostThreads),
});
type Kept = z.output<typeof kept>;

/** Nothing that goes wrong with the files is told: names are learnt again by the next dump. */
export function createKeptLabels({ folder, clock, store, take }: Init): KeptLabels {
  let facts: HostFacts | undefined;
  let run: Run | undefined;
  let path: string | undefined;
  let found: Kept | undefined;
  let frame: ThreadsSample | undefined;
  let cancelSave: (() => void) | undefined;
  let work: Promise<unknown> = Promise.resolve();

  function turnTo(next: Run) {
    run = next;
    if (!facts?.bootId) return;
    const own = join(folder, `${hashOf([facts.bootId, facts.hostname, next.id])}.json`);
    if (own === path) return;
    path = own;
    found = undefined;
    work = work.then(async () => {
      const read = await readKept(own);
      if (path !== own) return;
      found = read;
      apply();
    });
  }

  /** Only threads that are surely the same: of the same process, with the same comm. */
  function apply() {
    if (!found || !frame || !run) return;
    const labels = labelsOf(found, frame, run);
    found = undefined;
    if (labels) take(labels);
  }

  function save(): Promise<void> {
    cancelSave?.();
    cancelSave = undefined;
    const state = store.getState();
    const own = path;
    const content = own !== undefined && run && state.run?.run?.id === run.id ? contentOf(state) : undefined;
    if (own === undefined || !content) return Promise.resolve();
    const written = work.then(() => write({ folder, path: own, text: JSON.stringify(content) })).catch(() => {});
    work = written;
    return written;
  }

  return {
    see(sample) {
      if (sample.kind === 'facts') {
        ({ facts } = sample);
        if (run) turnTo(run);
      } else if (sample.kind === 'run' && sample.run) {
        if (sample.run.id !== run?.id) frame = undefined;
        turnTo(sample.run);
      } else if (sample.kind === 'threads') {
        frame = sample;
        apply();
      } else if (sample.kind === 'stacks') cancelSave ??= clock.after(settleMs, () => void save());
    },
    async stop() {
      if (!cancelSave) return;
      let cancel = () => {};
      const late = new Promise<void>((resolve) => (cancel = clock.after(stopMs, resolve)));
      await Promise.race([save(), late]);
      cancel();
    },
  };
}

function labelsOf({ processes, threads }: Kept, frame: ThreadsSample, run: Run): LabelsSample | undefined {
  const starts = new Map(processes.map(({ pid, startTime }) => [pid, startTime]));
  const same = new Set(
    run.processes
      .filter(({ pid, startTime }) => Math.abs((startTime ?? NaN) - (starts.get(pid) ?? NaN)) <= sameStartMs)
      .map(({ pid }) => pid),
  );
  const comms = new Map(frame.tid.map((tid, i) => [`${frame.pid[i]}:${tid}`, frame.comm[i]]));
  const rows = threads.filter(({ pid, tid, comm }) => same.has(pid) && comms.get(`${pid}:${tid}`) === comm);
  if (rows.length === 0) return undefined;
  const { host, time, receivedAt } = frame;
  const text = (value: string | undefined) => (value === undefined ? null : safeText(value));
  return {
    ...{ kind: 'labels', host, source: 'kept', time, receivedAt },
    ...{ pid: rows.map(({ pid }) => pid), tid: rows.map(({ tid }) => tid), rule: rows.map(() => null) },
    ...{ name: rows.map(({ name }) => text(name)), stack: rows.map(({ stack }) => text(stack)) },
  };
}

function contentOf({ run, threads, threadNames, threadRoles }: State): Kept | undefined {
  const rows = (threads?.tid ?? []).flatMap((tid, i) => {
    const pid = threads?.pid[i] ?? 0;
    const [name, stack] = [threadNames.get(`${pid}:${tid}`), threadRoles.get(`${pid}:${tid}`)?.stack];
    if (name === undefined && stack === undefined) return [];
    const labels = { ...(name !== undefined && { name }), ...(stack !== undefined && { stack }) };
    return [{ pid, tid, comm: threads?.comm[i] ?? '', ...labels }];
  });
  if (rows.length === 0) return undefined;
  const processes = (run?.run?.processes ?? []).flatMap(({ pid, startTime }) =>
    startTime === undefined ? [] : [{ pid, startTime }],
  );
  return { processes, threads: rows.slice(0, mostThreads) };
}

async function readKept(path: string): Promise<Kept | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile() || about.size > mostBytes) return undefined;
      return kept.parse(JSON.parse(await file.readFile('utf8')));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Whole or not at all: another monitor may read it, or write it too. */
async function write({
  folder,
  path,
  text,
}: {
  readonly folder: string;
  readonly path: string;
  readonly text: string;
}) {
  await makeFolders(folder);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeNew(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await prune(folder);
}

async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= mostFiles) return;
  const all = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const old = all.sort((a, b) => b.at - a.at).slice(mostFiles);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
}

const hashOf = (words: readonly string[]) => createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 32);
