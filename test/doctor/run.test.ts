import { describe, expect, test } from 'vitest';
import { checkOf, facts, factsOf, runOf, running, stateOf } from './made.ts';

const nothing = (pid: readonly number[]) => pid.map(() => null);
const withStates = (...state: (string | null)[]) => {
  const pid = state.map((_, i) => 42 + i);
  const columns = { rssBytes: nothing(pid), threadCount: nothing(pid), readBytes: nothing(pid) };
  return {
    state: stateOf([
      facts(factsOf('debian-12')),
      running(runOf()),
      { kind: 'processes', source: 'processes', pid, state, ...columns, writtenBytes: nothing(pid) },
    ]),
  };
};

describe('a run', () => {
  test('that is stopped as a whole is worth a warning', () => {
    expect(checkOf('run.stopped', withStates('T'))).toMatchObject({
      status: 'warn',
      found: 'its process is stopped (state T)',
      mend: expect.stringContaining('`kill -CONT 42`'),
    });
    expect(checkOf('run.stopped', withStates('T', 'T'))).toMatchObject({
      found: 'all of its 2 processes are stopped (state T)',
      mend: expect.stringContaining('`kill -CONT 42 43`'),
    });
    expect(checkOf('run.stopped', withStates('t')).why).toMatch(/debugger/);
  });

  test.each([[['T', 'S']], [['S']], [[null]]])('%j is not stopped', (states) =>
    expect(() => checkOf('run.stopped', withStates(...states))).toThrow(/no check/),
  );
});
