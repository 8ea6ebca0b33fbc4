import type { LogEvent, LogLine } from '../../log-samples.ts';
import type { Ask, Gatherer } from './gatherer.ts';

/** Signals of failures that have a name of their own, and which events of a log are such. */
const failures = {
  outOfMemoryAge: ({ kind }) => kind === 'cuda_oom',
  hostMemoryAge: ({ kind, details }) => kind === 'host_oom' && !isOfWorker(details),
  workerKilledAge: ({ details }) => isOfWorker(details),
  collectiveTimeoutAge: ({ kind }) => kind === 'nccl_timeout',
  diskFullAge: ({ details }) => details?.['hint'] === 'disk full',
} as const satisfies Readonly<Record<string, (event: LogEvent) => boolean>>;

type Failure = keyof typeof failures;
const names = Object.keys(failures) as readonly Failure[];

interface Found {
  readonly at: number;
  readonly of: string | undefined;
}

/** Reads how long ago a failure was told that is the end of a run: what the log's last error follows from. */
export function createFailuresGatherer(): Gatherer {
  const found = new Map<Failure, Found>();

  function takeLine({ event, undated, time }: LogLine, receivedAt: number) {
    if (!event || undated) return;
    const name = names.find((each) => failures[each](event));
    // What comes after the first is told by the others that fall with it.
    if (name && !found.has(name)) found.set(name, { at: Math.min(time, receivedAt), of: gpuIn(event) });
  }

  return {
    take(sample) {
      if (sample.kind !== 'log') return;
      for (const line of sample.lines) takeLine(line, sample.receivedAt);
    },
    read({ subject, window, get, set }: Ask) {
      if (subject.kind !== 'run') return;
      // Steps came after it: the run lives.
      if (!get('errorAge')) found.clear();
      for (const [name, { at, of }] of found)
        set(name, { value: Math.max(0, window.to - at) / 1000, ...(of !== undefined && { of }) });
    },
    forgetRun: () => found.clear(),
  };
}

/** torch's words for a loader worker that a signal ended, which comes from the kernel where memory is short. */
function isOfWorker(details: LogEvent['details']): boolean {
  return /\bDataLoader worker\b.*\bkilled by signal\b/.test(`${details?.['message'] ?? ''}`);
}

function gpuIn({ details }: LogEvent): string | undefined {
  const gpu = details?.['gpu'];
  return gpu === undefined ? undefined : `GPU ${gpu}`;
}
