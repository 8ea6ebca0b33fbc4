import type { CaptureKind, CaptureRequest } from './capture-samples.ts';

/** What a capture is when the user says no more. */
export const captureDefaults = {
  /** Of a record. */
  seconds: 30,
  /** A second: at 100 py-spy stops a process of many threads for most of the time. */
  rate: 20,
  /** Of `many`. */
  rounds: 10,
  everySeconds: 1,
} as const;

/** py-spy that run at once on one host. */
export const spiesAtOnce = 2;

/** How long a capture takes of all its processes, from its start, when all goes well. */
export function plannedMs(request: Omit<CaptureRequest, 'auto'>): number {
  return plannedMsOfOne(request) * Math.ceil(request.pids.length / spiesAtOnce);
}

/** How long it takes of one of them. */
export function plannedMsOfOne(request: Omit<CaptureRequest, 'auto' | 'pids'>): number {
  const { what, seconds, rounds, everySeconds } = { ...captureDefaults, ...request };
  const each: Readonly<Record<CaptureKind, number>> = {
    dump: 1000,
    native: 2000,
    many: 1000 + (rounds - 1) * everySeconds * 1000,
    record: seconds * 1000,
    gil: seconds * 1000,
  };
  return each[what];
}
