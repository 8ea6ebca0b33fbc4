import type { Clock } from '../../clock.ts';
import type { CaptureKind, CaptureRequest, CaptureResult, CaptureSample, Sample } from '../../model/samples.ts';
import type { Context } from '../collector.ts';
import type { Runner } from '../run.ts';
import type { SpyAnswer } from './answer.ts';
import { explainFailure } from './failures.ts';
import type { SpyJob } from './guard.ts';
import { readThreads } from './parse.ts';
import { foldDumps, readRaw } from './profile.ts';
import { runSpy, type SpyRun } from './spy-run.ts';

/** All captures of one host: at most two py-spy at once, the others wait. */
export interface Captures {
  /** Begins one. What comes of it comes as Samples; `over` resolves when all have come, and never rejects. */
  start(request: CaptureRequest): { readonly id: string; readonly over: Promise<void> };
  /** Ends one early; what there is is kept. */
  cancel(id: string): void;
  /** Ends all; resolves when they have told what they have. */
  stop(): Promise<void>;
}

/** Where captures run, and who takes their Samples. */
export interface CapturesOptions {
  readonly runner: Pick<Runner, 'converse' | 'context'>;
  readonly clock: Clock;
  readonly take: (sample: Sample) => void;
  /** Keeps what came on this machine and gives the files' paths. */
  readonly save?: (capture: CaptureSample, results: readonly CaptureResult[]) => Promise<readonly string[]>;
}

const atOnce = 2;

/** Nothing runs before `start`. */
export function createCaptures({ runner, clock, take, save }: CapturesOptions): Captures {
  let count = 0;
  let running = 0;
  const queue: (() => void)[] = [];
  const live = new Map<string, { cancelled: boolean; readonly runs: Set<SpyRun>; readonly over: Promise<void> }>();

  const slot = () =>
    new Promise<void>((go) => {
      queue.push(go);
      pump();
    });
  function pump() {
    while (running < atOnce && queue.length > 0) {
      running++;
      queue.shift()?.();
    }
  }

  return {
    start(request) {
      const startedAt = clock.now();
      const id = `${new Date(startedAt).toISOString().replace(/[:.]/g, '-')}-${++count}`;
      const runs = new Set<SpyRun>();
      const entry = { cancelled: false, runs, over: Promise.resolve() };
      live.set(id, entry);
      entry.over = perform().finally(() => live.delete(id));
      return { id, over: entry.over };

      async function perform() {
        const context = runner.context();
        if (!context) return;
        const base = { kind: 'capture', host: context.host, source: 'stacks', id, what: request.what } as const;
        let last: CaptureSample = {
          ...base,
          time: startedAt,
          receivedAt: startedAt,
          state: 'waiting',
          pids: request.pids,
          startedAt,
          plannedMs: plannedMs(request),
          notes: [],
          files: [],
        };
        const tell = (change: Partial<CaptureSample>) => {
          const now = clock.now();
          last = { ...last, ...change, time: now, receivedAt: now };
          if (!request.auto) take(last);
        };
        tell({});
        const results: CaptureResult[] = [];
        const failures: string[] = [];
        await Promise.all(
          request.pids.map(async (pid) => {
            await slot();
            try {
              if (entry.cancelled) return;
              if (last.state === 'waiting') tell({ state: 'running' });
              const run = runSpy({
                converse: runner.converse,
                context,
                clock,
                job: { ...request, pid },
                limitMs: plannedMs(request) * 2 + 30_000,
              });
              runs.add(run);
              const answer = await run.answer.finally(() => runs.delete(run));
              const read = readAnswer({ answer, context, request, pid, id, time: startedAt, receivedAt: clock.now() });
              results.push(...read.results);
              failures.push(...read.failures);
              for (const result of read.results) take(result);
            } finally {
              running--;
              pump();
            }
          }),
        );
        const some = results.length > 0;
        const state = entry.cancelled ? (some ? 'partial' : 'cancelled') : some ? 'done' : 'failed';
        const files = save && some ? await save({ ...last, state }, results) : [];
        tell({ state, endedAt: clock.now(), files, ...(failures.length > 0 && { failure: failures.join('; ') }) });
      }
    },
    cancel(id) {
      const entry = live.get(id);
      if (!entry) return;
      entry.cancelled = true;
      for (const run of entry.runs) run.cancel();
    },
    async stop() {
      for (const id of live.keys()) this.cancel(id);
      await Promise.all([...live.values()].map(({ over }) => over));
    },
  };
}

/** How long a capture of one process takes. */
export function plannedMs({ what, seconds = 30, rounds = 10, everySeconds = 1 }: Omit<SpyJob, 'pid'>): number {
  const each: Readonly<Record<CaptureKind, number>> = {
    dump: 1000,
    native: 2000,
    many: rounds * everySeconds * 1000,
    record: seconds * 1000,
    gil: seconds * 1000,
  };
  return each[what];
}

interface Reading {
  readonly answer: SpyAnswer;
  readonly context: Context;
  readonly request: CaptureRequest;
  readonly pid: number;
  readonly id: string;
  readonly time: number;
  readonly receivedAt: number;
}

function readAnswer({ answer, context, request, pid, id, time, receivedAt }: Reading) {
  const { what } = request;
  const command = context.run?.processes.find((p) => p.pid === pid)?.commandLine.join(' ') ?? '';
  const base = { host: context.host, source: 'stacks', time, receivedAt, pid, command, capture: id } as const;
  const results: CaptureResult[] = [];
  if (what === 'dump' || what === 'native') {
    const threads = readThreads(answer.outputs.at(-1)?.text ?? '');
    const native = what === 'native' && answer.plainBecause === undefined;
    if (threads)
      results.push({
        ...base,
        kind: 'stacks',
        threads,
        ...(native && { native }),
        ...(request.auto && { auto: request.auto }),
      });
  } else {
    const profile = what === 'many' ? foldDumps(answer) : readRaw(answer, request);
    if (profile) results.push({ ...base, kind: 'profile', what, ...profile });
  }
  const failure = explainFailure({
    answer: { ...answer, ...answer.outputs.at(-1), errorText: answer.outputs.at(-1)?.errorText ?? '' },
    pid,
    context,
    timedOut: answer.timedOut,
    shellText: answer.shellText,
  });
  return { results, failures: failure === undefined || results.length > 0 ? [] : [failure] };
}
