import { readFileSync } from 'node:fs';
import { systemClock } from '../../../src/clock.ts';
import { startStream } from '../../../src/collectors/stream.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import { createSession } from '../../../src/commands/session.ts';
import type { State } from '../../../src/model/store.ts';
import { captureOn } from '../../support/capture.ts';
import { requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { identityOf } from '../../support/wrappers/engine.ts';
import { createProcessTransport } from './process-transport.ts';

/** A way to a host with a run, and what is to be found there. */
export interface Way {
  /** As the monitor goes. */
  readonly transport: () => Transport;
  /** The same by a client that can be killed; `sh -s` is added. */
  readonly commandLine: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: { readonly pid: number; readonly logPath: string };
  /** What traintop has there now, given the PIDs of its shells. */
  readonly left: (shells: readonly number[]) => readonly number[];
}

/** When nothing was left: at once, or when the lease ran out. */
export type Ending = 'at once' | 'by the lease';

/** What was found on one way. */
export interface Findings {
  readonly sources: Readonly<Record<Subject, true>>;
  readonly afterEnd: Ending;
  readonly afterKill: Ending;
  readonly afterSilence: Ending;
}

export const subjects = ['run', 'threads', 'log', 'host', 'stacks', 'cost'] as const;
type Subject = (typeof subjects)[number];

/** Long enough that what ended "at once" did not end by it. */
const lease = 9;
/** A slow machine's "at once". */
const atOnceMs = 5000;
/** The lease is looked at each third of it, by shells that may have to wait for a core. */
const leaseMs = (lease * 4 * 1000) / 3 + 20_000;

/** The same for every way: everything traintop shows is there, and nothing is left behind however it ends. Rejects with what is not so. */
export async function checkWay(way: Way): Promise<Findings> {
  const killed = await startAndCut(way, 'kill');
  const afterKill = await killed.ending;
  const { pids: others, ending: silent } = await startAndCut(way, 'mute');
  silent.catch(() => {}); // it is waited for below
  const watched = await watch(way, others);
  return { ...watched, afterKill, afterSilence: await silent };
}

/** Starts a channel alone and cuts it; gives what it had there, and when that was gone. */
async function startAndCut(way: Way, how: 'kill' | 'mute') {
  const transport = createProcessTransport(way.commandLine, way.env);
  let shell: number | undefined;
  let said = '';
  let ready = false;
  // Everything has been forked when it says so.
  const body = 'sleep 1001 | { sleep 1002 & echo on; wait; }';
  await startStream({
    ...{ transport, clock: systemClock, name: 'test', body, lease },
    onReady: (pid) => void (shell = pid),
    onLine: () => void (ready = true),
    onEnd: (end) => void (said = end.errorText),
  });
  await waitFor(`a shell behind ${way.commandLine}`, () => ready, 60_000).catch((error: unknown) => {
    throw new Error(`${String(error)} ${said}`);
  });
  const before = way.left([shell ?? 0]);
  if (before.length < 3) throw new Error(`only ${before.length} processes were found`);
  transport[how]();
  const ending = ended(before).finally(() => transport.close());
  return { pids: before, ending };
}

async function ended(pids: readonly number[]): Promise<Ending> {
  const start = Date.now();
  const known = pids
    .map((pid) => ({ pid, identity: identityOf(pid) }))
    .filter(({ identity }) => identity !== undefined);
  const left = () => known.some(({ pid, identity }) => identityOf(pid) === identity);
  await waitFor('the end of everything', () => !left(), leaseMs).catch((error: unknown) => {
    const still = known.filter(({ pid, identity }) => identityOf(pid) === identity).map(({ pid }) => commandOf(pid));
    throw new Error(`${String(error)}: ${still.join(' | ')}`);
  });
  return Date.now() - start < atOnceMs ? 'at once' : 'by the lease';
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 100);
  } catch {
    return `${pid}`;
  }
}

async function watch(way: Way, others: readonly number[]): Promise<Pick<Findings, 'sources' | 'afterEnd'>> {
  const transport = way.transport();
  const session = createSession(
    {
      ...{ target: 'test', pid: way.run.pid, logs: [], threads: 'proc', intervalMs: 1000, identityFiles: [] },
      pySpy: requiredTool('py-spy'),
    },
    transport,
  );
  const state = () => session.store.getState();
  const is = async (what: string, condition: (now: State) => boolean) => {
    await waitFor(what, () => condition(state()), 90_000).catch((error: unknown) => {
      const sources = JSON.stringify([...state().sources], undefined, 1);
      throw new Error(`${String(error)}: ${sources} ${JSON.stringify(state().run)}`);
    });
    return true as const;
  };
  try {
    await session.runner.start();
    const sources = {
      run: await is('the run', ({ run }) => run?.phase === 'running' && run.run?.rootPid === way.run.pid),
      threads: await is('its threads', (now) => threadShare(now, 'pump') > 0),
      log: await is('its log', ({ logs }) => (logs.get(way.run.logPath)?.lines.length ?? 0) > 2),
      host: await is('its host', ({ host }) => host?.busyPercent !== undefined),
      cost: await is(
        'what it costs',
        ({ host }) => (host?.costProcesses ?? 0) > 3 && host?.costCpuPercent !== undefined,
      ),
      stacks: await stacks(session.runner, way.run.pid),
    };
    const shells = session.runner.context()?.shellPids ?? [];
    const before = way.left(shells).filter((pid) => !others.includes(pid));
    if (before.length < shells.length)
      throw new Error(`${before.length} processes of ${shells.length} shells were found`);
    await session.stop();
    const afterEnd = await ended(before);
    return { sources, afterEnd };
  } finally {
    await session.stop();
  }
}

function threadShare({ threads }: State, name: string): number {
  const at = threads?.comm.indexOf(name) ?? -1;
  return threads?.cpuPercent[at] ?? 0;
}

type Runner = ReturnType<typeof createSession>['runner'];

async function stacks(runner: Runner, pid: number): Promise<true> {
  const { capture, results } = await captureOn(runner, { what: 'dump', pids: [pid] });
  const threads = results.flatMap((result) => result.threads);
  if (capture.state !== 'done' || threads.length === 0) throw new Error(`no stacks: ${capture.failure}`);
  return true;
}
