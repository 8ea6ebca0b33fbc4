import { expect, test } from 'vitest';
import type { Controls } from '../../../src/ui/controls.ts';
import { show, type Shown } from '../shown.tsx';
import { alarmHands, ring, tell } from './made.ts';

function open(
  size: string,
  more: { readonly controls?: Partial<Controls>; readonly environment?: Record<string, string> } = {},
) {
  const hands = alarmHands(() => shown);
  const shown: Shown = show({ size, ...more, controls: { alarms: hands.controls, ...more.controls } });
  return { shown, did: hands.did, now: () => shown.controls.clock.now() };
}

const rows = (shown: Shown) => shown.text().split('\n');
const bottom = (shown: Shown) => rows(shown).at(-1) ?? '';

test('what rings is counted in the header, with its worst severity in a word, until it was seen', async () => {
  const { shown, now } = open('80x24');
  expect(rows(shown)[0]).not.toMatch(/▲|▼|CRITICAL/);
  tell(shown, ring(now(), 'a'), ring(now(), 'b', { severity: 'info' }));
  await shown.see(/^ traintop +▼ 1 warning \+1 /);
  tell(shown, ring(now(), 'c', { severity: 'critical' }));
  await shown.see(/^ traintop +▲ 1 CRITICAL \+2 /);
  await shown.keys('a', 'A', '\x1b');
  await shown.see(/^ traintop +▲ 3 seen /);
  for (const { id } of shown.controls.store.getState().alarms)
    tell(shown, ring(now(), id, { state: 'resolved', resolvedAt: now() }));
  await expect.poll(() => rows(shown)[0]).not.toMatch(/▲|▼/);
});

test.each(['80x24', '200x60', '60x20', '40x12'])(
  'at %s the newest critical one has a row below the headline until it was seen',
  async (size) => {
    const { shown, now } = open(size);
    const [columns = 0, height] = size.split('x').map(Number);
    const before = rows(shown);
    const headline = before.findIndex((row) => /no verdict/.test(row));
    tell(shown, ring(now(), 'older', { severity: 'critical' }));
    tell(shown, ring(now(), 'newer', { severity: 'critical' }), ring(now(), 'warns'));
    await shown.see(/▲ \d\d:\d\d:\d\d newer is/);
    expect(rows(shown)[headline + 1]).toMatch(/^ ▲ \d\d:\d\d:\d\d newer is at.* a alarms$/);
    if (columns > 70)
      expect(rows(shown)[headline + 1]).toMatch(/newer is at 93 °C, above 90 °C for 1m 0s\. +1 more · a alarms$/);
    expect(rows(shown)).toHaveLength(height ?? 0);
    await shown.keys('a', 'A', '\x1b');
    await expect.poll(() => rows(shown)[headline + 1]).not.toMatch(/newer/);
  },
);

test('the lowest screen has it in the header alone', async () => {
  const { shown, now } = open('40x10');
  tell(shown, ring(now(), 'a', { severity: 'critical' }));
  await shown.see('▲ 1 CRITICAL');
  expect(shown.text()).not.toMatch(/above 90 °C/);
});

test('a lists them: what rings before what is over, what was not seen first, with all of the one under the cursor', async () => {
  const { shown, now } = open('120x40');
  tell(shown, ring(now(), 'over', { about: 'GPU 1' }), ring(now(), 'warns', { about: 'GPU 2' }));
  tell(
    shown,
    ring(now(), 'worst', { severity: 'critical', about: 'GPU 3' }),
    ring(now(), 'note', { severity: 'info', about: 'GPU 4' }),
  );
  tell(shown, ring(now() - 2000, 'over', { about: 'GPU 1', state: 'resolved', resolvedAt: now() }));
  await shown.keys('a');
  await shown.see(/─ Alarms ─.* 3 ring · 1 of 4 ─/);
  const list = rows(shown).filter((row) => /gpu-hot GPU \d +93 °C/.test(row));
  expect(list.map((row) => /(?:RINGING|over) +\w+ +gpu-hot GPU \d/.exec(row)?.[0].replace(/ +/g, ' '))).toEqual([
    'RINGING critical gpu-hot GPU 3',
    'RINGING warning gpu-hot GPU 2',
    'RINGING info gpu-hot GPU 4',
    'over warning gpu-hot GPU 1',
  ]);
  expect(list[0]).toMatch(/▸ ▲ \d\d:\d\d:\d\d .* 93 °C +1m +\d+s worst is at 93 °C/);
  expect(shown.text()).toMatch(/│ worst is at 93 °C, above 90 °C for 1m 0s\. +│/);
  expect(shown.text()).toMatch(/gpu-hot GPU 3: critical · so since \S+ · rang \S+ · 93 °C, border 90 °C/);
  expect(shown.text()).toMatch(/Told by +│\n│ This terminal: the bell/);
  await shown.keys('G');
  await shown.see(/over warns is|gpu-hot GPU 1: warning · so since \S+ · rang \S+ · over \S+/);
});

test('the cursor stays on its alarm while others ring before it, and what is done is done to that', async () => {
  const { shown, now, did } = open('120x40');
  tell(shown, ring(now(), 'first', { about: 'GPU 1' }), ring(now(), 'second', { about: 'GPU 2' }));
  await shown.keys('a', 'j');
  await shown.see(/2 of 2/);
  const [here] =
    shown
      .text()
      .match(/▸ .*gpu-hot (GPU \d)/)
      ?.slice(1) ?? [];
  tell(shown, ring(now(), 'third', { severity: 'critical', about: 'GPU 9' }));
  await shown.see(/3 of 3/);
  expect(shown.text()).toMatch(new RegExp(`▸ .*gpu-hot ${here ?? ''}`));
  await shown.keys('\r');
  expect(did).toEqual([`acknowledge ${here === 'GPU 1' ? 'first' : 'second'}`]);
  await shown.see(/▸ .* seen +warning/);
  await shown.keys('a');
  await expect.poll(() => bottom(shown)).toContain('It was seen already.');
});

test('m mutes for an hour, M until it is heard again by u', async () => {
  const { shown, now, did } = open('120x40');
  tell(shown, ring(now(), 'a', { severity: 'critical' }));
  await shown.keys('a', 'u');
  await expect.poll(() => bottom(shown)).toContain('It is not muted.');
  await shown.keys('m');
  await shown.see(/▸ .* muted +critical/);
  expect(shown.text()).toMatch(/, 1 muted · /);
  expect(bottom(shown)).toMatch(/gpu-hot GPU 3 is muted until \d\d:\d\d:\d\d: the screen and the recording have it/);
  expect(rows(shown)[0]).not.toMatch(/CRITICAL/);
  expect(shown.text()).toMatch(/muted until \d\d:\d\d:\d\d/);
  await shown.keys('u');
  await shown.see(/▲ 1 CRITICAL/);
  await shown.keys('M');
  await shown.see(/muted until u/);
  expect(did).toEqual(['mute gpu-hot GPU 3 3600000', 'unmute gpu-hot GPU 3', 'mute gpu-hot GPU 3 on']);
});

test('a mute that is over mutes no more', async () => {
  const { shown, now } = open('120x40');
  tell(shown, ring(now(), 'a'));
  await shown.keys('a', 'm');
  await shown.see(/▸ .* muted +warning/);
  shown.controls.clock.advance(3_600_000);
  tell(shown, ring(now(), 'b', { about: 'GPU 4' }));
  await shown.see(/▸ .* RINGING +warning +gpu-hot GPU 3/);
});

test('without any it says so, and without a watch why', async () => {
  const { shown } = open('80x24');
  await shown.keys('a');
  await shown.see('Nothing rings, and nothing has rung so far.');
  expect(shown.text()).toMatch(/it answered 503/);
  await shown.keys('m');
  await expect.poll(() => bottom(shown)).toContain('Nothing has rung so far.');
  const off = show({ size: '80x24' });
  await off.keys('a');
  await off.see('traintop was started with --no-alarms.');
});

test('it reads without colour and in ASCII', async () => {
  const { shown, now } = open('80x24', { environment: { NO_COLOR: '1', TRAINTOP_ASCII: '1' } });
  tell(shown, ring(now(), 'a', { severity: 'critical' }));
  await shown.keys('a');
  await shown.see(/> \^ \d\d:\d\d:\d\d RINGING {2}critical gpu-hot GPU 3/);
  expect(shown.text()).toMatch(/^ traintop +\^ 1 CRITICAL /);
  expect(shown.text()).not.toMatch(/[^\x00-\x7e]/);
});

test('hostile text stays in its row', async () => {
  const { shown, now } = open('80x24');
  const text = `${'\ud800 世界 '.repeat(50)}${'x'.repeat(5000)}`;
  tell(shown, ring(now(), 'a', { severity: 'critical', text, about: text }));
  await shown.keys('a');
  await shown.see('Alarms');
  expect(rows(shown)).toHaveLength(24);
});
