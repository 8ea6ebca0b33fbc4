import { createRunner, type Runner } from '../../../src/collectors/run.ts';
import type { Collector, CollectorOptions } from '../../../src/collectors/collector.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { systemClock } from '../../../src/clock.ts';
import type { RunProcess } from '../../../src/model/run.ts';
import type { Sample } from '../../../src/model/samples.ts';

/** A runner on this machine that watches the given processes as its run. */
export interface Live {
  readonly samples: readonly Sample[];
  readonly runner: Runner;
  /** Samples of one kind. */
  of<K extends Sample['kind']>(kind: K): Extract<Sample, { kind: K }>[];
  /** Waits until `condition` holds; throws with what came instead after 25 s. */
  until(condition: () => boolean, what: string): Promise<void>;
  /** Says that the run now has these processes. */
  watch(pids: readonly number[]): void;
}

interface Init {
  readonly collectors: readonly Collector[];
  readonly pids: readonly number[];
  readonly options?: Partial<CollectorOptions>;
  readonly wrap?: string;
}

/** Starts one, runs `fn` on it, and stops it whatever happens. */
export async function withLive({ collectors, pids, options, wrap }: Init, fn: (live: Live) => Promise<void>) {
  const samples: Sample[] = [];
  let sayRun: (pids: readonly number[]) => void = () => {};
  const run: Collector = {
    id: 'run',
    plans: () => [
      {
        key: 'run',
        source: 'run',
        body: 'ticks',
        tick: { everyMs: 200, line: () => wanted.join(' ') },
        parser: () => ({ push: (line, receivedAt) => (line === said ? [] : say(line, receivedAt)), rejected: 0 }),
      },
    ],
  };
  let wanted = pids;
  let said = '';
  const say = (line: string, time: number): readonly Sample[] => {
    said = line;
    const processes = line.split(' ').map((pid): RunProcess => {
      return { pid: Number(pid), parentPid: 1, commandLine: [], gpuMinors: [] };
    });
    const watched = { id: 'run:1', rootPid: processes[0]?.pid ?? 0, processes, outputs: [] };
    const base = { host: 'local', source: 'run', time, receivedAt: time };
    return [{ ...base, kind: 'run', phase: 'running', candidates: [watched], run: watched }];
  };
  sayRun = (next) => (wanted = next);
  const runner = createRunner({
    transport: createLocalTransport(wrap),
    collectors: [run, ...collectors],
    options: { intervalMs: 500, threads: 'proc', logs: [], ...options },
    clock: systemClock,
    onSample: (sample) => void samples.push(sample),
  });
  const of: Live['of'] = (kind) => samples.filter((s): s is Extract<Sample, { kind: typeof kind }> => s.kind === kind);
  const until: Live['until'] = async (condition, what) => {
    const end = Date.now() + 25_000;
    while (!condition()) {
      if (Date.now() > end) throw new Error(`waited for ${what}; had ${JSON.stringify(samples.slice(-5))}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  try {
    await runner.start();
    await fn({ samples, runner, of, until, watch: sayRun });
  } finally {
    await runner.stop();
  }
}
