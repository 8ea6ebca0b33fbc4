import { queueCapacity, type Machine } from '../machine.ts';
import { drift, hash } from '../noise.ts';

/** The log has a line every two seconds of the run, and its stages every ten. */
const secondsPerLine = 2;
const stepsPerLine = 1;
/** Of the run. */
const totalSteps = 20_000;

/** The lines that the trainer writes for one beat (a whole number of `secondsPerLine` since the run began). */
export function logBeat(machine: Machine, beat: number): readonly string[] {
  const up = machine.runStart + beat * secondsPerLine;
  const step = beat * stepsPerLine;
  const { low, high } = machine.queue(up);
  const loss = 1.92 + 5.1 * Math.exp(-step / 900) + 0.03 * drift(3, 1, step, 3) + 0.05 * drift(3, 2, step, 17);
  const norm = 0.42 + 0.6 * Math.exp(-step / 700) + 0.06 * drift(3, 3, step, 4);
  const rate = 3e-5 * Math.min(1, step / 500) * (0.5 + 0.5 * Math.cos((Math.PI * step) / totalSteps));
  const tokens = machine.tokensPerSecond(up) / 1000;
  const at = new Date(machine.bootTime + up * 1000).toISOString().slice(11, 19);
  const line =
    `[${at}] step ${step}/${totalSteps} | loss ${loss.toFixed(4)} | gnorm ${norm.toFixed(3)} | lr ${rate.toExponential(2)} | ` +
    `${tokens.toFixed(1)}K tok/s | q_hs=[${low}-${high}]/${queueCapacity}`;
  return beat % 5 === 0 ? [line, ...stages(beat)] : [line];
}

/** The beat that a moment (seconds of uptime) belongs to. */
export function beatAt(machine: Machine, up: number): number {
  return Math.floor((up - machine.runStart) / secondsPerLine);
}

function stages(beat: number): readonly string[] {
  const of = (n: number, name: string, mean: number, count: number) => {
    const average = mean * (1 + 0.04 * drift(4, n, beat, 6));
    const maximum = average * (1.25 + 0.5 * hash(4, n, beat));
    return `[profile] ${name} avg=${average.toFixed(2)}ms max=${maximum.toFixed(2)}ms n=${count}`;
  };
  return [
    of(1, 'target.model_forward', 268.4, 178),
    of(2, 'target.pack_hidden', 21.7, 178),
    of(3, 'queue.get_wait', 3.1, 106),
    of(4, 'drafter.forward', 88.1, 106),
    of(5, 'drafter.backward', 171.9, 106),
    of(6, 'drafter.grad_norm_item', 9.6, 106),
  ];
}
