import type { Readings, SignalName } from './signals.ts';
import type { GpuSubject, Subject } from './subjects.ts';
import { thresholds } from './thresholds.ts';

/** A subject with what was told of it. */
interface Asked {
  readonly subject: Subject;
  readonly readings: Readings;
}

interface OfGpu extends Asked {
  readonly subject: GpuSubject;
}

/** Sets what GPUs say together: of each other, of the run, and of the queues between them. Absent where nobody told its parts. */
export function readAcross(all: readonly Asked[]): void {
  const gpus = all.filter((each): each is OfGpu => each.subject.kind === 'gpu');
  for (const each of all) {
    if (each.subject.kind === 'gpu') readPeers(each as OfGpu, gpus);
    else if (each.subject.kind === 'queue') readSides(each.readings, gpus);
    else readWhole(each.readings, gpus, all.length - gpus.length - 1);
  }
}

/** What the last seconds say of a GPU: a kernel runs but little power is drawn, work is done, or neither. */
export type GpuState = 'idle' | 'spinning' | 'working';

/** Of one GPU, since the last progress; absent: nobody told enough. */
export function lateStateOf({ lateUtilization: use, latePowerRise: rise }: Readings): GpuState | undefined {
  if (!use) return undefined;
  if (use.value <= thresholds.idle.value) return 'idle';
  if (use.value < thresholds.busy.value) return 'working';
  if (!rise) return undefined;
  return rise.value <= thresholds.spinPower.value ? 'spinning' : 'working';
}

function readWhole(readings: Readings, gpus: readonly OfGpu[], queues: number): void {
  const states = gpus.flatMap(({ readings }) => lateStateOf(readings) ?? []);
  const share = (state: GpuState) => (100 * states.filter((each) => each === state).length) / states.length;
  if (states.length > 0) {
    readings.idleGpus = { value: share('idle') };
    readings.spinningGpus = { value: share('spinning') };
    readings.workingGpus = { value: share('working') };
  }
  set(readings, 'busiestMain', Math.max(...valuesOf(gpus, 'mainSpins')));
  set(readings, 'busiestProcess', Math.max(...valuesOf(gpus, 'processCpu')));
  if (queues > 0) readings.queues = { value: queues };
}

function readPeers({ subject, readings }: OfGpu, gpus: readonly OfGpu[]): void {
  const peers = gpus.filter((each) => each.subject !== subject);
  readings.peers ??= { value: peers.length };
  set(readings, 'peersUtilization', meanOf(valuesOf(peers, 'utilization')));
  set(readings, 'peersPowerRise', meanOf(valuesOf(peers, 'powerRise')));
  const absent = peers.filter(({ readings }) => lateStateOf(readings) === 'idle');
  set(readings, 'absentCpu', Math.max(...valuesOf(absent, 'mainSpins')));
  const working = peers.filter(({ readings }) => lateStateOf(readings) === 'working');
  if (peers.some(({ readings }) => lateStateOf(readings))) set(readings, 'peersAtWork', working.length);
}

function readSides(readings: Readings, gpus: readonly OfGpu[]): void {
  const uses = valuesOf(gpus, 'utilization');
  set(readings, 'leastUtilization', Math.min(...uses));
  if (uses.length > 1) set(readings, 'utilizationGap', Math.max(...uses) - Math.min(...uses));
}

/** Of nothing: not finite, and not set. */
function set(readings: Readings, signal: SignalName, value: number): void {
  if (Number.isFinite(value)) readings[signal] = { value };
}

function valuesOf(all: readonly Asked[], signal: SignalName): readonly number[] {
  const values: number[] = [];
  for (const { readings } of all) {
    const value = readings[signal]?.value;
    if (value !== undefined) values.push(value);
  }
  return values;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
