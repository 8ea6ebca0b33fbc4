import { describe, expect, test } from 'vitest';
import { hasUnbufferedOption } from '../../src/doctor/checks/log.ts';
import type { RunOutput } from '../../src/model/run.ts';
import type { LogLine, LogSample } from '../../src/model/samples.ts';
import { checkOf, facts, factsOf, lookOf, runOf, running, source, stateOf, type Part } from './made.ts';

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

describe('the log', () => {
  const log = (name: string, path: string, lines: readonly LogLine[], more: Partial<LogSample> = {}): Part => ({
    ...{ kind: 'log', source: name, path, format: 'generic', lines, ...more },
  });
  const line = { text: 'a line', time: 1_000_000 };
  const of = (...parts: Part[]) => ({ state: stateOf([facts(factsOf('debian-12')), running(runOf()), ...parts]) });
  const named = (logs: readonly string[]) => ({ options: { intervalMs: 1000, threads: 'proc' as const, logs } });

  test('that is named and is not there fails, without a promise to look again', () => {
    const reason = 'there is no /x on gpu7 (yet); looking again';
    const more = { ...of(source('log', 'failed', reason)), ...named(['/x']) };
    expect(checkOf('log', more)).toMatchObject({ status: 'failed', needed: true, why: 'there is no /x on gpu7' });
  });

  test('and the second are told in their order, whichever spoke first', () => {
    const more = of(
      ...[source('log', 'live'), source('log:2', 'live'), log('log:2', '/err', [line]), log('log', '/out', [line])],
    );
    expect(checkOf('log', more).found).toBe('/out, read as generic');
    expect(checkOf('log.2', more).found).toBe('/err, read as generic');
  });

  test('that is empty is not read as anything', () => {
    expect(checkOf('log', of(source('log', 'live'), log('log', '/out', [], { endOffset: 0 })))).toMatchObject({
      status: 'note',
      found: '/out, which is empty',
    });
  });

  test('that has said nothing for long is worth a note', () => {
    const old = log('log', '/out', [{ ...line, time: line.time - 600_000 }], { backlog: true });
    expect(checkOf('log', of(source('log', 'live'), old))).toMatchObject({
      status: 'note',
      why: 'its last line is 10 min old',
    });
    expect(checkOf('log', of(source('log', 'live'), log('log', '/out', [line]))).status).toBe('ok');
  });
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
