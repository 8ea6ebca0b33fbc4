import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readMoment, type MomentContext } from '../../src/model/moment.ts';

const zone = process.env['TZ'];

function inZone(name: string) {
  beforeEach(() => void (process.env['TZ'] = name));
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
}

/** As ISO without milliseconds, or the fault. */
function read(text: string, context: MomentContext): string {
  const moment = readMoment(text, context);
  return 'fault' in moment ? moment.fault : new Date(moment.time).toISOString().replace('.000Z', 'Z');
}

const at = (iso: string) => Date.parse(iso);

describe('in UTC', () => {
  inZone('UTC');
  const night = {
    from: at('2026-06-11T22:00:10Z'),
    to: at('2026-06-12T06:30:00Z'),
    position: at('2026-06-12T04:00:00Z'),
  };

  test.each([
    ['start', '2026-06-11T22:00:10Z'],
    [' End ', '2026-06-12T06:30:00Z'],
    ['03:12', '2026-06-12T03:12:00Z'],
    ['3:12', '2026-06-12T03:12:00Z'],
    ['03:12:45', '2026-06-12T03:12:45Z'],
    ['03:12:45.250', '2026-06-12T03:12:45.250Z'],
    ['23:59', '2026-06-11T23:59:00Z'],
    ['-2h', '2026-06-12T02:00:00Z'],
    ['\u22122h', '2026-06-12T02:00:00Z'],
    ['-90s', '2026-06-12T03:58:30Z'],
    ['+10m', '2026-06-12T04:10:00Z'],
    ['+1h30m', '2026-06-12T05:30:00Z'],
    ['- 1 h 30 m', '2026-06-12T02:30:00Z'],
    ['2h30m', '2026-06-12T00:30:10Z'],
    ['1.5h', '2026-06-11T23:30:10Z'],
    ['50%', '2026-06-12T02:15:05Z'],
    ['0 %', '2026-06-11T22:00:10Z'],
    ['2026-06-12 03:12', '2026-06-12T03:12:00Z'],
    ['2026-06-12T03:12:45', '2026-06-12T03:12:45Z'],
    ['2026-06-12T03:12:45Z', '2026-06-12T03:12:45Z'],
    ['2026-06-12T05:12+02:00', '2026-06-12T03:12:00Z'],
    ['06-12 03:12', '2026-06-12T03:12:00Z'],
    ['2026-06-12', '2026-06-12T00:00:00Z'],
    // The day, the minute in which it begins.
    ['2026-06-11', '2026-06-11T22:00:10Z'],
    ['22:00', '2026-06-11T22:00:10Z'],
    // Counted beyond an end is that end.
    ['-30d', '2026-06-11T22:00:10Z'],
    ['+9h', '2026-06-12T06:30:00Z'],
    ['100h', '2026-06-12T06:30:00Z'],
    ['250%', '2026-06-12T06:30:00Z'],
  ])('%j', (text, time) => {
    expect(read(text, night)).toBe(time);
  });

  test.each([
    '',
    '3',
    '90',
    '25:00',
    '03:60',
    '03:12:60',
    '3.12',
    'noon',
    '-',
    '+',
    '%',
    '2h 30',
    '2026-13-01',
    '2026-06-12 24:00',
    '3:1',
    '03:12 pm',
    '-03:12',
    '１２:００',
    '\x1b[2J',
  ])('%j is refused with what can be written', (text) => {
    expect(read(text, night)).toBe(
      `${JSON.stringify(text)} is no time: write 03:12, 03:12:45, 2026-06-12 03:12, -2h, +10m, 2h30m (from the start), 50%, start or end; times are local.`,
    );
  });

  test.each([
    '12:00',
    '22:00:09',
    '06:30:01',
    '2026-06-10 03:12',
    '2026-06-12T03:12+09:00',
    '2026-02-30',
    '2025-06-12',
  ])('%j is refused with what there is', (text) => {
    expect(read(text, night)).toBe(
      `${JSON.stringify(text)} is not in the recording, which is from 2026-06-11 22:00:10 to 2026-06-12 06:30:00.`,
    );
  });

  test('a huge text is told short', () => {
    expect(read('9'.repeat(100_000), night).length).toBeLessThan(250);
  });

  test('a time of day that occurs twice is the one nearest to where the tape stands', () => {
    const long = { from: at('2026-06-11T01:00:00Z'), to: at('2026-06-12T07:00:00Z') };
    expect(read('03:12', { ...long, position: long.from })).toBe('2026-06-11T03:12:00Z');
    expect(read('03:12', { ...long, position: at('2026-06-11T15:11:00Z') })).toBe('2026-06-11T03:12:00Z');
    expect(read('03:12', { ...long, position: at('2026-06-11T15:13:00Z') })).toBe('2026-06-12T03:12:00Z');
    expect(read('03:12', { ...long, position: long.to })).toBe('2026-06-12T03:12:00Z');
  });

  test('on a command line a time of day is the last, - counts from the end, + from the start', () => {
    const long = { from: at('2026-06-11T01:00:00Z'), to: at('2026-06-12T07:00:00Z') };
    expect(read('03:12', long)).toBe('2026-06-12T03:12:00Z');
    expect(read('-2h', long)).toBe('2026-06-12T05:00:00Z');
    expect(read('+2h', long)).toBe('2026-06-11T03:00:00Z');
  });

  test('of all times that a file can claim, the nearest', () => {
    const all = { from: at('2026-06-11T22:00:10Z'), to: 8.64e15 };
    const position = at('2031-05-03T10:00:00Z');
    expect(read('03:12', all)).toBe('+275760-09-12T03:12:00Z');
    expect(read('03:12', { ...all, position })).toBe('2031-05-03T03:12:00Z');
    expect(read('23:12', { ...all, position })).toBe('2031-05-02T23:12:00Z');
    expect(read('03:12', { ...all, position: all.from })).toBe('2026-06-12T03:12:00Z');
    expect(read('06-12 03:12', { ...all, position })).toBe('2031-06-12T03:12:00Z');
    expect(read('02-29', { ...all, position })).toBe('2032-02-29T00:00:00Z');
    expect(read('02-29 12:00', { ...all, position: at('2096-03-01T00:00:00Z') })).toBe('2096-02-29T12:00:00Z');
    expect(read('02-29 12:00', { from: at('2096-03-01T00:00:00Z'), to: 8.64e15, position: 0 })).toBe(
      '2104-02-29T12:00:00Z',
    );
    expect(read('2040-01-02 03:12', { ...all, position })).toBe('2040-01-02T03:12:00Z');
    expect(read('2041-02-29', { ...all, position })).toMatch(/is not in the recording/);
  });

  test('a recording of one moment has its start', () => {
    const one = { from: night.from, to: night.from };
    for (const text of ['start', 'end', '50%', '-2h', '22:00', '22:00:10']) {
      expect(read(text, one)).toBe('2026-06-11T22:00:10Z');
    }
  });
});

describe('in Berlin, when the clocks are set back (03:00 CEST is 02:00 CET)', () => {
  inZone('Europe/Berlin');
  const night = { from: at('2026-10-24T20:00:00Z'), to: at('2026-10-25T06:00:00Z') };

  test('02:30 is the nearest of two', () => {
    expect(read('02:30', { ...night, position: night.from })).toBe('2026-10-25T00:30:00Z');
    expect(read('02:30', { ...night, position: night.to })).toBe('2026-10-25T01:30:00Z');
    expect(read('2026-10-25 02:30', { ...night, position: night.to })).toBe('2026-10-25T01:30:00Z');
  });

  test('others are what the clock showed', () => {
    expect(read('23:00', night)).toBe('2026-10-24T21:00:00Z');
    expect(read('03:30', night)).toBe('2026-10-25T02:30:00Z');
  });
});

describe('in Berlin, when the clocks are set forward (02:00 CET is 03:00 CEST)', () => {
  inZone('Europe/Berlin');
  const night = { from: at('2026-03-28T20:00:00Z'), to: at('2026-03-29T06:00:00Z') };

  test('02:30 was not, and is told of on the same clock', () => {
    expect(read('02:30', night)).toBe(
      '"02:30" is not in the recording, which is from 2026-03-28 21:00:00 to 2026-03-29 08:00:00.',
    );
    expect(read('03:30', night)).toBe('2026-03-29T01:30:00Z');
    expect(read('01:59', night)).toBe('2026-03-29T00:59:00Z');
  });
});

describe('in other zones', () => {
  describe('Kathmandu, 5 h 45 min before UTC', () => {
    inZone('Asia/Kathmandu');
    test('is read on the local clock', () => {
      expect(read('03:12', { from: at('2026-06-11T20:00:00Z'), to: at('2026-06-11T23:00:00Z') })).toBe(
        '2026-06-11T21:27:00Z',
      );
    });
  });

  describe('Lord Howe, whose clocks are set by half an hour', () => {
    inZone('Australia/Lord_Howe');
    test('both are found', () => {
      const night = { from: at('2026-04-04T10:00:00Z'), to: at('2026-04-04T20:00:00Z') };
      expect(read('01:45', { ...night, position: night.from })).toBe('2026-04-04T14:45:00Z');
      expect(read('01:45', { ...night, position: night.to })).toBe('2026-04-04T15:15:00Z');
    });
  });

  describe('Los Angeles', () => {
    inZone('America/Los_Angeles');
    test('a day that begins before the recording does', () => {
      const week = { from: at('2026-06-12T01:00:00Z'), to: at('2026-06-19T01:00:00Z') };
      expect(read('06-15', week)).toBe('2026-06-15T07:00:00Z');
      expect(read('06-11 18:30', week)).toBe('2026-06-12T01:30:00Z');
    });
  });
});
