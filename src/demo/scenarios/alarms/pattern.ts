import type { Scenario } from '../../scenario.ts';

const patterns = [{ name: 'preemption', match: /preemption notice: \d+ s left/ }];
const told = 150;

/** A line that the user asked for. */
export const pattern: Scenario = {
  name: 'pattern',
  title: "a line of the log that the demo's user asked to hear of",
  story: [`Their pattern is called preemption: "preemption notice: N s left". At ${told} s there is such a line.`],
  seconds: 300,
  patterns,
  log: [{ at: told, lines: ['[{time}] preemption notice: 3600 s left'] }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [],
    alarms: [{ alarm: 'pattern', about: 'preemption', at: told, within: 10, resolvedAt: told + 60 }],
  },
};

/** A line that is nearly one. */
export const patternNear: Scenario = {
  name: 'pattern-near',
  title: "lines of the log that nearly fit the pattern of the demo's user",
  story: [
    'Their pattern is called preemption: "preemption notice: N s left". Every 30 s, first at 100 s, there is a line of preemption notices, of which there are none.',
  ],
  seconds: 240,
  patterns,
  log: [{ at: 100, every: 30, lines: ['[{time}] no preemption notice: 3600 steps left'] }],
  near: ['pattern'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
