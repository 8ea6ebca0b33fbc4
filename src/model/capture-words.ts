import type { CaptureKind, CaptureSample } from './capture-samples.ts';
import { shortCommand } from './run-words.ts';
import type { Run } from './run.ts';

/** What a capture is called, by its kind. */
export const captureNames: Readonly<Record<CaptureKind, string>> = {
  dump: 'dump',
  native: 'native dump',
  many: 'dumps',
  record: 'record',
  gil: 'GIL share',
};

/** `record of PID 4211`, `dump of rank 3 (PID 4211)`, `dump of 8 processes`. */
export function captureTitle({ what, pids }: Pick<CaptureSample, 'what' | 'pids'>, run?: Run): string {
  return `${captureNames[what]} of ${ofWhom(pids, run)}`;
}

/** Whose it is. */
export function ofWhom(pids: readonly number[], run?: Run): string {
  const [pid] = pids;
  if (pids.length !== 1 || pid === undefined) return `${pids.length} processes`;
  const rank = run?.processes.find((process) => process.pid === pid)?.rank;
  return rank === undefined ? `PID ${pid}` : `rank ${rank} (PID ${pid})`;
}

/** It goes on, or waits for its turn. */
export function isUnderWay({ state }: Pick<CaptureSample, 'state'>): boolean {
  return state === 'running' || state === 'waiting';
}

/** How many times a process was looked at, in the word for it; undefined while it is not known. */
export function samplesText({ what, samples }: Pick<CaptureSample, 'what' | 'samples'>): string | undefined {
  if (samples === undefined) return undefined;
  const word = what === 'record' || what === 'gil' ? 'sample' : 'dump';
  return `${samples} ${word}${samples === 1 ? '' : 's'}`;
}

/** The command of a process as one reads it, from one line. */
export function commandText(command: string): string {
  return shortCommand(command.split(' '));
}
