import type { CaptureSample } from '../../capture-samples.ts';
import { captureTitle } from '../../capture-words.ts';
import type { Run } from '../../run.ts';
import type { State } from '../../state.ts';
import type { Folded } from '../fold.ts';

/** What an export says beside the stacks: of whom, when, how, with which versions. Absent is what is not known. */
export interface ExportAbout {
  readonly host: string;
  readonly capture: CaptureSample;
  readonly run?: Run | undefined;
  /** `traintop 0.1.0`, `Linux 6.8.0`: what may matter to who reads the report. */
  readonly versions: readonly string[];
  /** State letters of the captured processes, by PID. */
  readonly states?: ReadonlyMap<number, string>;
}

/** What a state knows of a capture. `version` is traintop's own. */
export function aboutCapture(state: State, capture: CaptureSample, version: string): ExportAbout {
  const { facts, run, processes } = state;
  const driver = facts?.nvidia?.driverVersion;
  const states = new Map<number, string>();
  for (const [i, pid] of (processes?.pid ?? []).entries()) {
    const letter = processes?.state[i];
    if (letter && capture.pids.includes(pid)) states.set(pid, letter);
  }
  for (const pid of capture.stoppedPids ?? []) states.set(pid, 'T');
  return {
    host: facts?.hostname ?? capture.host,
    capture,
    run: run?.run,
    versions: [
      `traintop ${version}`,
      ...(facts?.kernel === undefined ? [] : [facts.kernel]),
      ...(driver === undefined ? [] : [`NVIDIA driver ${driver}`]),
    ],
    states,
  };
}

/** `record of rank 0 (PID 4211)`, and what is not as it should be: `, partial, 10 samples a second`. */
export function titleOf({ capture, run, host }: ExportAbout, folded: Folded): string {
  const remarks = [
    ...(capture.state === 'partial' ? ['partial'] : []),
    ...(folded.leftOut > 0 ? [`${folded.leftOut} counts left out`] : []),
  ];
  return [`${captureTitle(capture, run)} on ${host}: ${looksText(folded)}`, ...remarks].join(', ');
}

/** `600 samples at 20 a second (lowered to 10)`, `1 dump`. */
export function looksText({ unit, samples, rate, lowestRate }: Folded): string {
  const looks = countText(samples, unit);
  if (rate === undefined) return looks;
  return `${looks} at ${rate} a second${lowestRate === undefined ? '' : ` (lowered to ${lowestRate})`}`;
}

/** `1 dump`, `600 samples`. */
export function countText(count: number, unit: Folded['unit']): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** `2026-11-30 09:15:02 UTC`: who reads it is in another time zone. */
export function utc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `37.2 %`; what is there is never 0. */
export function percent(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1 %';
  return `${(share * 100).toFixed(1)} %`;
}
