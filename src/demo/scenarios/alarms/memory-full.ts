import type { Scenario } from '../../scenario.ts';
import { betweenPauses, save, saveLines } from '../pauses.ts';

const GiB = 2 ** 30;
const grows = 120;

/** Up to the kernel's killer, which comes at 0. */
export const memoryFull: Scenario = {
  name: 'memory-full',
  title: 'a cache of decoded samples fills the memory of the host',
  story: [`From ${grows} s on 7 GiB a second are taken and never given back; at 360 s 60 of 2113 GiB (3 %) are left.`],
  seconds: 480,
  effects: [{ from: grows, ramp: 240, host: { memoryAvailableBytes: 60 * GiB } }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [],
    alarms: [{ alarm: 'memory-full', at: grows + 230, within: 70 }],
  },
};

const saving = { from: 150, until: 180, every: 180 };
/** The checkpoint is gathered before it is written: for less than half a minute nearly nothing is left. */
const gathers = { from: 154, until: 170, ramp: 6, every: 180 };

/** A peak of a save. */
export const memoryFullSave: Scenario = {
  name: 'memory-full-save',
  title: 'each checkpoint is gathered in memory, and takes nearly all of it for some seconds',
  story: [
    `190 of 2113 GiB are left. Every three minutes, first at ${saving.from} s, a checkpoint is saved; for 20 s of it 60 GiB are left.`,
  ],
  seconds: 420,
  effects: [
    { from: -3600, host: { memoryAvailableBytes: 190 * GiB } },
    save(saving),
    { ...gathers, host: { memoryAvailableBytes: 60 * GiB } },
  ],
  log: saveLines(saving),
  near: ['memory-full'],
  truth: {
    findings: betweenPauses([
      { situation: 'checkpointing', from: 150, until: 180 },
      { situation: 'checkpointing', from: 330, until: 360 },
    ]),
    events: [
      { event: 'checkpoint', at: 150, within: 10 },
      { event: 'checkpoint', at: 330, within: 10 },
    ],
    alarms: [],
  },
};
