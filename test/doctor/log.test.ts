import { describe, expect, test } from 'vitest';
import { hasUnbufferedOption } from '../../src/doctor/checks/log.ts';
import type { RunOutput } from '../../src/model/run.ts';
import { checkOf, facts, factsOf, lookOf, runOf, running, stateOf } from './made.ts';

const look = lookOf('debian-12');
const target = { ...look.target, environReadable: true, unbuffered: false };
const outputTo = (kind: RunOutput['kind']): readonly RunOutput[] => [{ fd: 1, kind }];
const withRun = (...run: Parameters<typeof runOf>) => stateOf([facts(factsOf('debian-12')), running(runOf(...run))]);
const buffering = (more: Parameters<typeof checkOf>[1]) => checkOf('log.buffering', { state: withRun(), ...more });

describe('a log of Python', () => {
  test('that grew by 8 KiB at once, as captured, comes in blocks', () => {
    expect(look.logSizes).toEqual([0, 0, 8186, 8186, 8186, 8186, 16242]);
    expect(buffering({})).toMatchObject({
      status: 'warn',
      found: 'in blocks: it grew by 8186 bytes at once',
      mend: expect.stringContaining('PYTHONUNBUFFERED=1'),
    });
  });

  test.each([
    ['grew by a line a second', { logSizes: [0, 90, 180, 180, 270] }, 'ok', /^none seen/],
    ['did not grow', { logSizes: [5, 5, 5] }, 'warn', /^probably in blocks/],
    [
      'grew all the time by much: nothing can be told from that',
      { logSizes: [0, 90_000, 180_000] },
      'warn',
      /^probably/,
    ],
    ['shrank', { logSizes: [90_000, 0, 0] }, 'warn', /^probably/],
    ['has PYTHONUNBUFFERED', { target: { ...target, unbuffered: true } }, 'ok', /PYTHONUNBUFFERED is set/],
  ])('that %s', (_, more, status, found) => {
    expect(buffering({ look: { ...look, target, ...more } })).toMatchObject({
      status,
      found: expect.stringMatching(found),
    });
  });

  test.each([
    ['-u', withRun({ commandLine: ['python3', '-u', 'train.py'] }), 'ok', /-u/],
    ['a pipe', withRun({}, outputTo('pipe')), 'warn', /in blocks/],
    ['a terminal', withRun({}, outputTo('terminal')), 'ok', /terminal/],
  ])('with %s', (_, state, status, found) => {
    expect(buffering({ state })).toMatchObject({ status, found: expect.stringMatching(found) });
  });

  test('whose environment is not ours to read says so', () => {
    const { unbuffered: _u, ...hidden } = { ...target, environReadable: false };
    expect(buffering({ look: { ...look, logSizes: [], target: hidden } }).why).toMatch(/could not be read/);
  });

  test.each([
    ['no Python', withRun({ commandLine: ['./train'] })],
    ['/dev/null', withRun({}, outputTo('null'))],
    ['a deleted file', withRun({}, outputTo('deleted'))],
  ])('nothing is said of %s', (_, state) => expect(() => buffering({ state })).toThrow(/no check/));
});

describe('-u among the options of python', () => {
  test.each([
    ['python -u train.py', true],
    ['python -Bu train.py', true],
    ['python -X dev -u train.py', true],
    ['python -Xdev -W ignore -u -m torch.distributed.run', true],
    ['python train.py -u', false],
    ['python -m torch.distributed.run -u', false],
    ['python -c print() -u', false],
    ['python -mu', false],
    ['python -Wu train.py', false],
    ['python', false],
  ])('%s', (line, has) => expect(hasUnbufferedOption(line.split(' '))).toBe(has));
});
