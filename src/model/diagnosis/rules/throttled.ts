import type { Clue, Rule } from '../rule.ts';

const slowed: Clue = { signal: 'clockShare', most: 'clockDown', weight: 2 };
const works: Clue = { signal: 'utilization', least: 'notBusy' };

/** Too hot. */
export const throttledThermal: Rule = {
  situation: 'throttled',
  cause: 'thermal',
  of: 'gpu',
  explains: 'The driver or the hardware names heat as the reason that it holds the clock down, and the clock is down.',
  must: [{ signal: 'thermalShare', least: 'oftenSlowed', weight: 3, needed: true }],
  speaksFor: [slowed, works],
  speaksAgainst: [],
  next: [{ text: 'look at inlet air, fans and neighbours in the chassis: temperature and clock are in GPUs' }],
};

/** The hardware pulls the brake. */
export const throttledHardware: Rule = {
  situation: 'throttled',
  cause: 'hardware slowdown',
  of: 'gpu',
  explains:
    'The hardware slows the clock down (power brake or hardware slowdown) and does not name heat: the supply of power.',
  must: [{ signal: 'powerBrakeShare', least: 'oftenSlowed', weight: 3, needed: true }],
  speaksFor: [slowed, works],
  speaksAgainst: [{ signal: 'thermalShare', least: 'oftenSlowed', weight: 3 }],
  next: [{ text: 'look at power supplies and cables of the host: nvidia-smi -q -d PERFORMANCE names the reason' }],
};

/** A limit far below what it could draw. */
export const throttledPower: Rule = {
  situation: 'throttled',
  cause: 'power limit',
  of: 'gpu',
  explains:
    'The software power cap holds the clock far down. At its usual limit a busy GPU is at the cap too, but loses a few percent of clock only: that is healthy.',
  must: [
    { signal: 'powerCapShare', least: 'mostLooks' },
    { signal: 'clockShare', most: 'clockFarDown', weight: 4, needed: true },
  ],
  speaksFor: [works],
  speaksAgainst: [{ signal: 'thermalShare', least: 'oftenSlowed', weight: 4 }],
  next: [{ text: 'compare the power limit with the default one: nvidia-smi -q -d POWER' }],
};
