import type { Effect, Scenario } from '../../scenario.ts';
import { betweenPauses, save, saveLines } from '../pauses.ts';

/** All do the same work on fewer tokens: attention grows with the square of what it looks at. */
const longDocuments: Omit<Effect, 'from' | 'until'> = {
  ramp: 5,
  pace: 0.56,
  stages: { 'target.model_forward': 480, 'drafter.forward': 157, 'drafter.backward': 306 },
};

const slows = { from: 300, until: 900 };

/** What the GPUs show is the same; what comes of it is not. */
export const slow: Scenario = {
  name: 'slow',
  title: 'documents of 64K tokens: the run makes little more than half of its tokens a second',
  story: [
    `From ${slows.from} s to ${slows.until} s the shards hold long documents: 8.1K tokens/s instead of 14.5K, with GPUs as busy as ever.`,
  ],
  seconds: 1080,
  effects: [{ ...slows, ...longDocuments }],
  log: [{ at: slows.from, lines: ['[{time}] shard 0417: 512 documents of up to 65536 tokens'] }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [],
    alarms: [{ alarm: 'slow', at: slows.from + 120, within: 240, resolvedAt: slows.until + 60 }],
  },
};

const dip = { from: 420, until: 550 };
const saving = { from: 180, until: 240, every: 600 };

/** A save is known, a dip is over soon. */
export const slowDip: Scenario = {
  name: 'slow-dip',
  title: 'a dip of two minutes, and a checkpoint of one minute every ten',
  story: [
    `Every ten minutes, first at ${saving.from} s, a checkpoint is saved for a minute.`,
    `From ${dip.from} s to ${dip.until} s the documents are long: 8.1K tokens/s instead of 14.5K.`,
  ],
  seconds: 1000,
  effects: [save(saving), { ...dip, ...longDocuments }],
  log: saveLines(saving),
  near: ['slow', 'no-step', 'gpu-idle'],
  truth: {
    findings: betweenPauses(
      [saving, { from: saving.from + 600, until: saving.until + 600 }].map(({ from, until }) => ({
        ...{ situation: 'checkpointing', from, until },
      })),
    ),
    events: [
      { event: 'checkpoint', at: saving.from, within: 10 },
      { event: 'checkpoint', at: saving.from + 600, within: 10 },
    ],
    alarms: [],
  },
};
