import type { EventKind, EventSample, Sample } from './samples.ts';

/** Finds events in the stream of all Samples of one host. */
export interface EventFinder {
  /** The events that this Sample tells of, to be taken in after it. */
  find(sample: Sample): readonly EventSample[];
}

/** A finder at the beginning of a stream. */
export function createEventFinder(): EventFinder {
  let lastRun: string | undefined;
  return {
    find(sample) {
      if (sample.kind !== 'run') return [];
      const { phase, run } = sample;
      const key = `${phase} ${run?.id}`;
      const before = lastRun;
      lastRun = key;
      if (key === before || before === undefined) return [];
      if (phase === 'running') return [event(sample, 'run started', `The run of PID ${run?.rootPid} is watched.`)];
      if (phase === 'ended') return [event(sample, 'run ended', `The run of PID ${run?.rootPid} ended.`)];
      return [];
    },
  };
}

function event({ host, source, time, receivedAt }: Sample, kind: EventKind, text: string): EventSample {
  return { kind: 'event', host, source, time, receivedAt, event: kind, text };
}
