import { event, reasonText, type Finder } from './events/found.ts';
import { createGpuFinder } from './events/gpu-events.ts';
import { createKernelFinder, createToldXids } from './events/kernel-events.ts';
import { createLinkFinder, createSourceFinder } from './events/link-events.ts';
import { createLogFinder } from './events/log-events.ts';
import { createBoxFinder } from './events/box-events.ts';
import { createRunFinder } from './events/run-events.ts';
import { captureTitle, samplesText } from './capture-words.ts';
import type { CaptureSample, EventSample, Sample } from './samples.ts';

/**
 * Finds in the stream of all Samples of one host what a reader of the night looks for. The same Samples give the same events; what is
 * remembered is bounded; of what happens all the time some are told, and how many were not.
 */
export interface EventFinder {
  /** The events that this Sample tells of, to be taken in after it. */
  find(sample: Sample): readonly EventSample[];
}

/** A finder at the beginning of a stream. */
export function createEventFinder(): EventFinder {
  const xids = createToldXids();
  const finders: readonly Finder[] = [
    createRunFinder(),
    createLinkFinder(),
    createSourceFinder(),
    createLogFinder(xids),
    createGpuFinder(),
    createKernelFinder(xids),
    captures,
    createBoxFinder(),
  ];
  return { find: (sample) => finders.flatMap((finder) => finder.find(sample)) };
}

const captures: Finder = {
  find(sample) {
    if (sample.kind === 'capture') return sample.endedAt === undefined ? [] : [capture(sample)];
    // Of before there were captures; else the capture itself tells.
    if (sample.kind !== 'stacks' || sample.auto || sample.capture !== undefined) return [];
    const { pid, threads, failure } = sample;
    const text = failure === undefined ? `${threads.length} threads` : reasonText(failure);
    return [event(sample, 'capture', `py-spy dump of PID ${pid}: ${text}`)];
  },
};

function capture(sample: CaptureSample): EventSample {
  const { state, failure, stoppedPids = [] } = sample;
  const looks = samplesText(sample);
  const told = [
    ...(state === 'done' ? [] : [state]),
    ...(looks === undefined ? [] : [looks]),
    ...(failure === undefined ? [] : [reasonText(failure)]),
    ...(stoppedPids.length > 0 ? [`PID ${stoppedPids.join(', ')} was left stopped`] : []),
  ];
  return event(sample, 'capture', `py-spy ${captureTitle(sample)}: ${told.join(', ')}`);
}
