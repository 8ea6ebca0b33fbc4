import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createSayings } from '../../src/commands/headless-lines.ts';
import type { AlarmSample, LinkSample } from '../../src/model/samples.ts';

function sayings(dated = false) {
  const clock = createManualClock(new Date(2026, 10, 30, 3, 12, 7).getTime());
  const lines: string[] = [];
  const { say, see } = createSayings({ clock, pace: clock, dated, write: (text) => lines.push(text) });
  return { clock, lines, say, see };
}

const base = { host: 'h', time: 0, receivedAt: 0 };
const link = (state: LinkSample['state'], reason?: string): LinkSample => ({
  ...{ ...base, kind: 'link', source: 'link', state },
  ...(reason !== undefined && { reason, retryAt: 5 }),
});

test('lines are dated, of one row, bounded, and have no control characters', () => {
  const { lines, say } = sayings(true);
  say(`a\n\x1b[31mb${'c'.repeat(1000)}`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^2026-11-30 03:12:07 a [^\x00-\x1f]{1,400} …\n$/);
});

test('a link that stays away is told once a reason, and again when it is back', () => {
  const { lines, see } = sayings();
  for (let i = 0; i < 50; i++) {
    see(link('connecting'));
    see(link('lost', 'no route'));
  }
  see(link('lost', 'refused'));
  see(link('up'));
  see(link('up'));
  expect(lines).toEqual([
    'The link is lost: no route. It is tried again.\n',
    'The link is lost: refused. It is tried again.\n',
    'The link is back.\n',
  ]);
});

test('of many lines some are left out, which is told', () => {
  const { clock, lines, say } = sayings();
  for (let i = 0; i < 1000; i++) say(`line ${i}`);
  expect(lines).toHaveLength(60);
  clock.advance(90_000);
  say('later');
  expect(lines.slice(60)).toEqual(['(940 lines before this one were left out.)\n', 'later\n']);
});

test('an alarm is told when it rings and when it is resolved, not when it was seen', () => {
  const { lines, see } = sayings();
  const alarm: AlarmSample = {
    ...{ ...base, kind: 'alarm', source: 'alarms', id: 'a', alarm: 'no-step', state: 'ringing' },
    ...{ severity: 'critical', since: 0, rungAt: 0, text: 'No step for 40 s' },
  };
  see(alarm);
  see({ ...alarm, acknowledgedAt: 1 });
  see({ ...alarm, acknowledgedAt: 1, state: 'resolved', resolvedAt: 2 });
  expect(lines).toEqual(['alarm (critical): No step for 40 s.\n', 'alarm resolved: No step for 40 s.\n']);
});
