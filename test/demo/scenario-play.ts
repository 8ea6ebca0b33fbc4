import { findScenario } from '../../src/demo/scenarios/index.ts';
import type { Scenario } from '../../src/demo/scenario.ts';
import type { LogLine, Sample } from '../../src/model/samples.ts';
import { demoStart, playDemo, type DemoPlay } from '../support/demo-recording.ts';

/** A scenario that was played through the real runner, parsers and store: what came of it, by demo seconds. */
export interface Played {
  readonly scenario: Scenario;
  readonly samples: readonly Sample[];
  /** Of how many seconds. */
  readonly seconds: number;
  /** Samples of a kind that were received in a stretch. */
  of<K extends Sample['kind']>(kind: K, from: number, until: number): readonly Extract<Sample, { kind: K }>[];
  lines(from: number, until: number): readonly LogLine[];
  /** The mean of a GPU's column. */
  gpu(index: number, column: GpuColumn, from: number, until: number): number;
  /** The mean CPU of the threads with such a name (of the kernel) or TID. */
  cpu(which: RegExp | number, from: number, until: number): number;
}

type GpuColumn =
  | 'utilizationPercent'
  | 'memoryUtilizationPercent'
  | 'powerWatts'
  | 'smClockMhz'
  | 'memoryUsedBytes'
  | 'temperatureCelsius';

/** Plays all of a scenario, or its first seconds, as for a user who keeps watch. */
export async function playScenario(
  name: string,
  {
    seed = 27,
    seconds = findScenario(name)?.seconds ?? 0,
    stepMs = 1000,
    options = {},
    sources,
  }: Partial<DemoPlay> = {},
): Promise<Played> {
  const scenario = findScenario(name);
  if (!scenario) throw new Error(`no scenario ${name}`);
  const samples: Sample[] = [];
  await playDemo({
    ...{ scenario: name, seed, seconds, stepMs, keepsWatch: true },
    // Its captures would be events that no scenario has.
    options: { ...options, blackBox: false },
    onSample: (sample) => samples.push(sample),
    ...(sources && { sources }),
  });
  const at = (sample: { readonly receivedAt: number }) => (sample.receivedAt - demoStart) / 1000;
  const of: Played['of'] = (kind, from, until) =>
    samples.filter(
      (sample): sample is Extract<Sample, { kind: typeof kind }> =>
        sample.kind === kind && at(sample) >= from && at(sample) < until,
    );
  return {
    scenario,
    samples,
    seconds,
    of,
    lines: (from, until) =>
      of('log', 0, Infinity)
        .flatMap(({ lines }) => lines)
        .filter(({ time }) => time >= demoStart + from * 1000 && time < demoStart + until * 1000),
    gpu: (index, column, from, until) =>
      mean(of('gpus', from, until).map((frame) => frame[column]?.[frame.index.indexOf(index)] ?? NaN)),
    cpu: (which, from, until) =>
      mean(
        of('threads', from, until).flatMap(({ tid, comm, cpuPercent }) =>
          tid.flatMap((id, i) =>
            (typeof which === 'number' ? id === which : which.test(comm[i] ?? '')) ? (cpuPercent[i] ?? []) : [],
          ),
        ),
      ),
  };
}

/** Of nothing: NaN, which meets no expectation. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
