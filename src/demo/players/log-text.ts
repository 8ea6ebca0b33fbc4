import type { CastName } from '../cast.ts';
import { queueCapacity, secondsPerBeat, type DemoRun, type Machine } from '../machine.ts';
import { drift, hash } from '../noise.ts';

/** Every so many lines of steps there are those of the stages. */
const beatsPerProfile = 5;

/** What a trainer writes. */
interface Trainer {
  readonly stepsPerBeat: number;
  readonly totalSteps: number;
  readonly tokensPerSecond: number;
  readonly stages: readonly (readonly [name: string, milliseconds: number, count: number])[];
}

const trainers: Readonly<Record<CastName, Trainer>> = {
  pipeline: {
    stepsPerBeat: 1,
    totalSteps: 20_000,
    tokensPerSecond: 14_500,
    stages: [
      ['target.model_forward', 268.4, 178],
      ['target.pack_hidden', 21.7, 178],
      ['queue.get_wait', 3.1, 106],
      ['drafter.forward', 88.1, 106],
      ['drafter.backward', 171.9, 106],
      ['drafter.grad_norm_item', 9.6, 106],
    ],
  },
  ddp: {
    stepsPerBeat: 5,
    totalSteps: 100_000,
    tokensPerSecond: 163_800,
    stages: [
      ['data.next', 3.4, 25],
      ['step.forward', 118.2, 25],
      ['step.backward', 236.5, 25],
      ['step.allreduce_wait', 14.8, 25],
      ['step.optimizer', 24.1, 25],
    ],
  },
};

/** A line of a run's steps: when it was written (seconds of uptime), and when the one before was. */
export interface Beat {
  readonly run: DemoRun;
  readonly beat: number;
  readonly up: number;
  readonly before: number;
}

/** The lines that the trainer writes at a beat of its run. */
export function logBeat(machine: Machine, { run, beat, up, before }: Beat): readonly string[] {
  const { cast } = run.plan;
  const trainer = trainers[cast];
  const { totalSteps } = trainer;
  const step = stepOf(run, beat);
  const age = cast === 'ddp' ? step / trainer.stepsPerBeat : step;
  let loss = 1.92 + 5.1 * Math.exp(-age / 900) + 0.03 * drift(3, 1, age, 3) + 0.05 * drift(3, 2, age, 17);
  let norm = 0.42 + 0.6 * Math.exp(-age / 700) + 0.06 * drift(3, 3, age, 4);
  for (const { effect, strength } of machine.effects(up)) {
    loss = changed(loss, effect.values?.loss, strength);
    norm = changed(norm, effect.values?.gradNorm, strength);
  }
  const rate = 3e-5 * Math.min(1, age / 500) * (0.5 + 0.5 * Math.cos((Math.PI * step) / totalSteps));
  const healthy =
    trainer.tokensPerSecond *
    (1 + (160 * drift(machine.seed, 911, up, 31)) / 14_500 + (90 * drift(machine.seed, 912, up, 4)) / 14_500);
  const tokens = (healthy * (secondsPerBeat / (up - before))) / 1000;
  const line =
    `[${timeOfDay(machine, up)}] step ${step}/${totalSteps} | loss ${python(loss, 4)} | gnorm ${python(norm, 3)} | lr ${rate.toExponential(2)} | ` +
    `${tokens.toFixed(1)}K tok/s | ${lastCell(machine, cast, { up, before })}`;
  return beat % beatsPerProfile === 0 ? [line, ...stages(machine, trainer, { beat, up })] : [line];
}

/** The step that a run has done at a beat. */
export function stepOf({ plan }: DemoRun, beat: number): number {
  return (plan.firstStep ?? 0) + Math.floor(beat) * trainers[plan.cast].stepsPerBeat;
}

/** `09:41:07`, of the demo host's clock. */
export function timeOfDay(machine: Machine, up: number): string {
  return new Date(machine.bootTime + up * 1000).toISOString().slice(11, 19);
}

/** A factor; what is no finite number stands for itself. */
function changed(value: number, factor: number | undefined, strength: number): number {
  if (factor === undefined) return value;
  return Number.isFinite(factor) ? value * (1 + (factor - 1) * strength) : factor;
}

/** As Python's format has it. */
function python(value: number, digits: number): string {
  return Number.isNaN(value) ? 'nan' : Number.isFinite(value) ? value.toFixed(digits) : 'inf';
}

function lastCell(machine: Machine, cast: CastName, { up, before }: Pick<Beat, 'up' | 'before'>): string {
  if (cast === 'ddp') return `step_time ${Math.round(((up - before) * 1000) / trainers.ddp.stepsPerBeat)}ms`;
  const { low, high } = machine.queue(up);
  return `q_hs=[${low}-${high}]/${queueCapacity}`;
}

function stages(machine: Machine, trainer: Trainer, { beat, up }: Pick<Beat, 'beat' | 'up'>): readonly string[] {
  return trainer.stages.map(([name, healthy, count], i) => {
    const mean = machine
      .effects(up)
      .reduce((ms, { effect, strength }) => ms + ((effect.stages?.[name] ?? ms) - ms) * strength, healthy);
    const average = mean * (1 + 0.04 * drift(4, i + 1, beat, 6));
    const maximum = average * (1.25 + 0.5 * hash(4, i + 1, beat));
    return `[profile] ${name} avg=${average.toFixed(2)}ms max=${maximum.toFixed(2)}ms n=${count}`;
  });
}
