import type { CaptureResult, CaptureSample } from './capture-samples.ts';

/** A capture that is kept on this machine. */
export interface SavedCapture {
  readonly capture: CaptureSample;
  readonly folder: string;
  /** Of all its files. */
  readonly bytes?: number;
  /** The command that was captured. */
  readonly command?: string;
}

/** A capture with what it found. */
export interface OpenedCapture {
  readonly capture: CaptureSample;
  readonly results: readonly CaptureResult[];
}

/** Files of the folder of a kept capture that traintop itself reads. */
export const savedNames = {
  /** A JSON object: first, so that a killed monitor leaves no file of which nobody knows what it is; written anew when all is there. */
  head: 'capture.json',
  /** What was found: a Sample a line. */
  results: 'results.jsonl',
} as const;

/** What `format` says in the head. */
export const savedFormat = 'traintop capture 1';
