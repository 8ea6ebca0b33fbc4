import type { CastName } from './cast.ts';
import type { ActiveEffect } from './machine.ts';
import { drift, hash } from './noise.ts';
import type { GpuEffect, GpuRole } from './scenario.ts';

/** One GPU at a moment, in the units of nvidia-smi. */
export interface DemoGpu {
  readonly index: number;
  readonly uuid: string;
  readonly utilization: number;
  readonly memoryUtilization: number;
  readonly memoryUsedMib: number;
  readonly watts: number;
  readonly celsius: number;
  readonly smMhz: number;
  /** The mask of clocks_event_reasons.active. */
  readonly reasons: number;
  /** Of the tensor cores, as GPM's mmaact has it. */
  readonly tensorPercent: number;
  readonly eccUncorrected: number;
  readonly lost?: NonNullable<GpuEffect['lost']>;
}

/** Memory of an H200 as nvidia-smi tells it. */
export const gpuMemoryMib = 143_771;
/** Of each GPU. */
export const powerLimitWatts = 700;
/** The highest SM clock. */
export const maxSmMhz = 1980;

/**
 * Read from the captures of two H200 (700 W, driver 580): a process is there but nothing runs, 116 to 119 W at 1980 MHz; nobody is
 * there, 76 W at 345 MHz and reason 0x1 (idle); large matrix work, 683 to 691 W, tensor 45 to 49 %, 1785 to 1965 MHz (power cap);
 * one that waits in a collective, 100 % and 119 to 124 W, tensor 0. Between them power follows the work: a share of 0.11 takes 194 W
 * (input_starved_inline), one of 0.8 takes 608 W (alloc_churn), so about its power of 0.92.
 */
const heldWatts = 118;
const free = { watts: 76, smMhz: 345, memoryMib: 4, reasons: 0x1 };
const workPower = 0.92;

const softwarePowerCap = 0x4;
const targets = 5;

/** How a healthy GPU of a role is. */
const profiles: Readonly<Record<GpuRole, Profile>> = {
  target: { utilization: 96, sway: 3, watts: 655, memory: 0.41, memoryMib: 78_412, tensor: 44 },
  drafter: { utilization: 88, sway: 7, watts: 560, memory: 0.36, memoryMib: 96_230, tensor: 35 },
  rank: { utilization: 98, sway: 1, watts: 668, memory: 0.46, memoryMib: 117_860, tensor: 46 },
};

interface Profile {
  readonly utilization: number;
  readonly sway: number;
  readonly watts: number;
  /** utilization.memory as a share of utilization.gpu. */
  readonly memory: number;
  readonly memoryMib: number;
  readonly tensor: number;
}

/** A GPU, and what there is to know of it. */
export interface Place {
  readonly seed: number;
  readonly index: number;
  readonly up: number;
  readonly effects: (up: number) => readonly ActiveEffect[];
  /** Whose run is there at a moment. */
  readonly castAt: (up: number) => CastName | undefined;
}

/** What a GPU does at a moment. */
export interface GpuLoad {
  readonly role: GpuRole;
  /** Percent of the time with a kernel. */
  readonly utilization: number;
  /** That of a healthy one. */
  readonly fullUtilization: number;
  /** Arithmetic done, as a share of a healthy one's at full clock. */
  readonly work: number;
  /** As a share of the highest. */
  readonly clock: number;
}

/** What a GPU does; undefined: nobody is there. */
export function loadAt(place: Place): GpuLoad | undefined {
  const cast = place.castAt(place.up);
  if (cast === undefined) return undefined;
  const role = roleOf(cast, place.index);
  const state = mix(place, role, place.up);
  const utilization = utilizationOf(place, state);
  const fullUtilization = profiles[role].utilization;
  const work = state.isHealthy ? utilization / fullUtilization : workOf(place, state);
  return { role, utilization, fullUtilization, work, clock: state.clock };
}

function utilizationOf(place: Place, { utilization, sway, calm, volatility }: State): number {
  const { seed, index, up } = place;
  const steady = utilization + sway * drift(seed, 100 + index, up, 6) + 2 * calm * drift(seed, 120 + index, up, 1.5);
  return clamp(steady + (burst(place, utilization) - steady) * volatility, 0, 100);
}

const workOf = ({ seed, index, up }: Place, { isHealthy, work }: State) =>
  isHealthy ? 1 : clamp(work * (1 + 0.08 * drift(seed, 220 + index, up, 2)), 0, 1.1);

/** One GPU at a moment. */
export function gpuAt(place: Place): DemoGpu {
  const { seed, index, up, castAt } = place;
  const cast = castAt(up);
  // Group 4 tells the index, so that a reader sees which is which.
  const uuid = `GPU-d3300000-0000-4000-8000-00000000000${index}`;
  if (cast === undefined) {
    const watts = free.watts + 0.5 * drift(seed, 140 + index, up, 3);
    const idle = { utilization: 0, memoryUtilization: 0, tensorPercent: 0, smMhz: free.smMhz, reasons: free.reasons };
    return {
      index,
      uuid,
      ...idle,
      memoryUsedMib: free.memoryMib,
      watts,
      celsius: warmth(place, watts, 0),
      ...faultsOf(place),
    };
  }
  const role = roleOf(cast, index);
  const profile = profiles[role];
  const state = mix(place, role, up);
  const utilization = utilizationOf(place, state);
  // Healthy power goes with healthy utilization; what an effect takes away is work.
  const busy = state.isHealthy ? utilization : profile.utilization;
  const full = profile.watts * (0.35 + (0.65 * busy) / 97) + 12 * drift(seed, 140 + index, up, 3);
  const slowed = state.clock < 0.995;
  const work = workOf(place, state);
  const drawn = state.isHealthy && !slowed ? full : heldWatts + (full - heldWatts) * work ** workPower * state.clock;
  const watts = Math.min(drawn, powerLimitWatts + 4);
  const nearLimit = role === 'target' && work > 0.9 && drift(seed, 160 + index, up, 9) > 0.86;
  const capped = !slowed && (drawn > 0.975 * powerLimitWatts || nearLimit);
  const slowMhz = 15 * Math.round((maxSmMhz * state.clock + 20 * drift(seed, 200 + index, up, 1.5)) / 15);
  const capMhz = 1755 + 15 * Math.floor(6 * hash(seed, 200 + index, Math.floor(up)));
  const share = state.isHealthy ? 1 : Math.min(1, state.work / Math.max(0.01, state.utilization / profile.utilization));
  return {
    index,
    uuid,
    utilization: Math.round(utilization),
    memoryUtilization: Math.round(utilization * profile.memory * share),
    memoryUsedMib: Math.round(state.memoryMib) + index * 37,
    watts,
    celsius: warmth(place, watts, state.heat),
    smMhz: slowed ? Math.min(maxSmMhz, slowMhz) : capped ? capMhz : maxSmMhz,
    reasons: (capped ? softwarePowerCap : 0) | state.reasons,
    tensorPercent:
      Math.round(10 * profile.tensor * work * state.clock * (state.isHealthy ? utilization / profile.utilization : 1)) /
      10,
    ...faultsOf(place),
  };
}

/** What befell it, whoever works on it. */
function faultsOf({ index, up, effects, castAt }: Place): Pick<DemoGpu, 'eccUncorrected' | 'lost'> {
  let errors = 0;
  let lost: DemoGpu['lost'];
  for (const { effect, strength } of effects(up)) {
    for (const change of effect.gpus ?? []) {
      if (!concerns(change, roleOf(castAt(up) ?? 'pipeline', index), index)) continue;
      errors += ((change.eccUncorrected ?? errors) - errors) * strength;
      lost = change.lost ?? lost;
    }
  }
  return { eccUncorrected: Math.round(errors), ...(lost && { lost }) };
}

type State = ReturnType<typeof mix>;

/** What the effects make of a GPU of this role at a moment. */
function mix({ index, effects }: Place, role: GpuRole, up: number) {
  const profile = profiles[role];
  const state = {
    isHealthy: true,
    utilization: profile.utilization,
    sway: profile.sway,
    calm: 1,
    volatility: 0,
    work: 1,
    /** As a share of the highest. */
    clock: 1,
    reasons: 0,
    /** Degrees beyond what its power explains. */
    heat: 0,
    memoryMib: profile.memoryMib,
  };
  for (const { effect, strength } of effects(up)) {
    for (const change of effect.gpus ?? []) {
      if (!concerns(change, role, index)) continue;
      const to = (from: number, target: number | undefined) => from + ((target ?? from) - from) * strength;
      if (change.utilization !== undefined || change.work !== undefined) state.isHealthy = false;
      if (change.utilization !== undefined) {
        // A GPU at its end stop does not sway.
        const still = Math.min(1, Math.min(change.utilization, 100 - change.utilization) / 15);
        state.sway = to(state.sway, still * profile.sway);
        state.calm = to(state.calm, still);
      }
      state.utilization = to(state.utilization, change.utilization);
      state.volatility = to(state.volatility, change.volatility);
      state.work = to(state.work, change.work);
      state.clock = to(state.clock, change.smMhz === undefined ? undefined : change.smMhz / maxSmMhz);
      state.heat = to(state.heat, change.heatCelsius);
      state.memoryMib = to(state.memoryMib, change.memoryUsedMib);
      if (strength > 0.15) state.reasons |= change.reasons ?? 0;
    }
  }
  return state;
}

const concerns = ({ of }: GpuEffect, role: GpuRole, index: number) =>
  of === 'all' || of === role || (typeof of !== 'string' && of.includes(index));

const roleOf = (cast: CastName, index: number): GpuRole =>
  cast === 'ddp' ? 'rank' : index < targets ? 'target' : 'drafter';

/** A starved GPU's readings, a quarter of a second each: half of them 0, the mean as asked (input_starved_inline: 0 to 34, mean 12). */
function burst({ seed, index, up }: Place, mean: number): number {
  const die = hash(seed, 240 + index, Math.floor(up * 4));
  return die < 0.5 ? 0 : mean * (1 + 2 * (die - 0.5) * 2);
}

/** How long ago the power counts for how much of the temperature: the die follows in seconds, its heat sink in a minute. */
const memory = [
  { seconds: 1.5, share: 0.3 },
  { seconds: 5, share: 0.25 },
  { seconds: 15, share: 0.25 },
  { seconds: 40, share: 0.15 },
] as const;

/** Degrees that this power and those before it make. Where the power has been the same on the mean, the past changes nothing. */
function warmth(place: Place, watts: number, heat: number): number {
  const { seed, index, up } = place;
  const now = meanWatts(place, up);
  const lag = memory.reduce((sum, { seconds, share }) => sum + share * (meanWatts(place, up - seconds) - now), 0);
  const celsius = 34 + (watts + lag) / 22 + 2 * drift(seed, 180 + index, up, 60) + (index % 4);
  return Math.round(celsius + heat);
}

/** The power without its noise. */
function meanWatts(place: Place, up: number): number {
  const cast = place.castAt(up);
  if (cast === undefined) return free.watts;
  const role = roleOf(cast, place.index);
  const { work, clock } = mix(place, role, up);
  return heldWatts + (profiles[role].watts - heldWatts) * Math.min(1, work) ** workPower * clock;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
