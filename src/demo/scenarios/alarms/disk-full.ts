import type { Effect, Scenario } from '../../scenario.ts';
import { betweenPauses, save, saveLines, type Pause } from '../pauses.ts';

const GB = 1e9;
/** A checkpoint with its optimizer's state: 432 GB. */
const bytesPerSecond = 7.2e9;

const left = (from: number, gigabytes: number, ramp?: number): Effect => ({
  ...{ from, ...(ramp !== undefined && { ramp }) },
  host: { diskAvailable: { '/workspace': gigabytes * GB } },
});
const saves = (pauses: readonly Pause[]) => ({
  effects: pauses.map((pause) => save(pause, bytesPerSecond)),
  log: pauses.flatMap((pause) => saveLines(pause, bytesPerSecond)),
  events: pauses.map(({ from }) => ({ event: 'checkpoint', at: from, within: 10 }) as const),
  findings: betweenPauses(pauses.map((pause) => ({ situation: 'checkpointing' as const, ...pause }))),
});

const full = saves([
  { from: 150, until: 210 },
  { from: 390, until: 450 },
  { from: 630, until: 690 },
]);

/** The run has room for two checkpoints more, and nobody removes the old ones. */
export const diskFull: Scenario = {
  name: 'disk-full',
  title: 'checkpoints fill the disk, and none is removed',
  story: [
    'Every four minutes, first at 150 s, a checkpoint of 432 GB is saved in a minute to /workspace, where 1400 GB of 28 TB are left.',
    'After that of 630 s there are 104 GB: the next one will fail.',
  ],
  seconds: 760,
  effects: [left(-3600, 1400), ...full.effects, left(150, 968, 60), left(390, 536, 60), left(630, 104, 60)],
  log: full.log,
  truth: {
    findings: full.findings,
    events: full.events,
    alarms: [{ alarm: 'disk-full', about: '/workspace', at: 210, within: 420 }],
  },
};

const pruned = saves([
  { from: 150, until: 210 },
  { from: 750, until: 810 },
]);

/** One that keeps house. */
export const diskFullPruned: Scenario = {
  name: 'disk-full-pruned',
  title: 'checkpoints fill the disk to 93 %, then the old ones are removed',
  story: [
    'Every ten minutes, first at 150 s, a checkpoint of 432 GB is saved to /workspace, where 2820 GB of 28 TB are left.',
    'After that of 750 s it is full to 93 %, and at 860 s the old ones are removed.',
  ],
  seconds: 1020,
  effects: [left(-3600, 2820), ...pruned.effects, left(150, 2388, 60), left(750, 1956, 60), left(860, 2820, 20)],
  log: [...pruned.log, { at: 880, lines: ['[{time}] removed 2 old checkpoints'] }],
  near: ['disk-full'],
  truth: { findings: pruned.findings, events: pruned.events, alarms: [] },
};
