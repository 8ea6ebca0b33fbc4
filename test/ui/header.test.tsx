import { describe, expect, test } from 'vitest';
import type { LinkSample } from '../../src/model/samples.ts';
import { base } from './made-store.ts';
import { show, type Shown } from './shown.tsx';

const reason =
  'The host key of [127.0.0.1]:47022 is now ssh-ed25519 SHA256:2bYV0Qx8QzvS3tIuT0hpcWm3n1bqSgkq1O8h0n8Jx1s, and known_hosts ' +
  'has another one for it. If the host was set up anew, remove that line (line 12 of /home/ml/.ssh/known_hosts) and connect again.';

function link({ controls }: Shown, state: LinkSample['state'], more: Partial<LinkSample> = {}) {
  const { store, clock } = controls;
  store.push({ ...base('link', clock.now()), kind: 'link', state, ...more });
}

function status({ controls }: Shown, source: string, status: 'stale' | 'off' | 'live') {
  const { store, clock } = controls;
  store.push({ ...base(source, clock.now()), kind: 'source', status, ...(status !== 'live' && { reason: 'it went' }) });
}

/** What the screen says, without where its rows are broken. */
const words = (shown: Shown) => shown.text().replace(/\s+/g, ' ');
const rows = (shown: Shown) => shown.text().split('\n');

describe.each(['60x24', '80x24', '120x40', '200x60'])('why the link is down, at %s', (size) => {
  test('is there whole, with the key that connects, when it was given up', async () => {
    const shown = show({ size });
    link(shown, 'failed', { reason });
    shown.controls.clock.advance(1000);
    await expect.poll(() => words(shown)).toContain(reason);
    expect(rows(shown).at(-1)).toContain('R connect now');
    expect(rows(shown)).toHaveLength(Number(size.split('x')[1]));
    await shown.keys('R');
    expect(shown.controls.asked).toEqual(['connect']);
    link(shown, 'up');
    shown.controls.clock.advance(1000);
    await expect.poll(() => words(shown)).not.toContain('known_hosts');
    expect(rows(shown).at(-1)).not.toContain('connect now');
  });

  test('moves nothing when the link comes back soon, and is there whole when it does not', async () => {
    const shown = show({ size });
    const places = () => rows(shown).map((row) => row.replace(/[^╭╰]/g, ' ').trimEnd());
    const before = places();
    link(shown, 'lost', { reason, retryAt: shown.controls.clock.now() + 1000 });
    shown.controls.clock.advance(2100);
    await shown.see(/link lost 2s/);
    expect(places()).toEqual(before);
    link(shown, 'connecting', { reason });
    shown.controls.clock.advance(4100);
    await shown.see(/link lost 6s, trying now/);
    expect(words(shown)).toContain(reason);
  });
});

test('why the link is down has at most a third of a small screen', async () => {
  const shown = show({ size: '40x10' });
  link(shown, 'failed', { reason });
  shown.controls.clock.advance(1000);
  await shown.see(/The host key of/);
  expect(rows(shown)).toHaveLength(10);
  expect(shown.text()).toContain('Threads');
});

describe('a figure of the header', () => {
  test.each([
    ['is lost', (shown: Shown) => link(shown, 'lost', { reason: 'gone' })],
    ['is silent', (shown: Shown) => link(shown, 'up', { silentSince: shown.controls.clock.now() - 6000 })],
  ])('is away while the link %s', async (_name, change) => {
    const shown = show({ size: '200x60' });
    expect(rows(shown)[1]).toMatch(/link 12 ms.*load 31\.2.*costs the host 0\.4 %/);
    change(shown);
    shown.controls.clock.advance(1000);
    await expect.poll(() => rows(shown)[1]).not.toMatch(/12 ms|load|costs/);
  });

  test.each(['off', 'stale'] as const)('is away while its source is %s', async (state) => {
    const shown = show({ size: '200x60' });
    status(shown, 'host', state);
    shown.controls.clock.advance(2000);
    await expect.poll(() => rows(shown)[1]).not.toMatch(/load|costs/);
    expect(rows(shown)[1]).toContain('link 12 ms');
    status(shown, 'host', 'live');
    shown.controls.clock.advance(2000);
    await expect.poll(() => rows(shown)[1]).toMatch(/load 31\.2.*costs/);
  });

  test('is away until it is known', async () => {
    const shown = show({ empty: true });
    const { store, clock } = shown.controls;
    link(shown, 'up');
    store.push({ ...base('host', clock.now()), kind: 'host', costMemoryBytes: 9 * 2 ** 20 });
    clock.advance(2000);
    await shown.see('costs the host 9.00 MiB');
    expect(rows(shown)[1]).not.toContain('?');
  });

  test('is away when it is a round trip of long ago', async () => {
    const shown = show();
    const { clock, store } = shown.controls;
    clock.advance(60_000);
    store.push({ ...base('host', clock.now()), kind: 'host', load1: 3 });
    clock.advance(1000);
    await shown.see('link up');
  });
});

describe('how long the run is up', () => {
  const up = (shown: Shown) => / · up (\S+ \S+) /.exec(rows(shown)[0] ?? '')?.[1];

  test.each([
    ['while the link is lost', (shown: Shown) => link(shown, 'lost', { reason: 'gone' })],
    [
      'while the link is silent',
      (shown: Shown) => link(shown, 'up', { silentSince: shown.controls.clock.now() - 6000 }),
    ],
    [
      'while its sources are stale',
      (shown: Shown) => ['run', 'threads'].forEach((name) => status(shown, name, 'stale')),
    ],
  ])('does not count on %s', async (_name, change) => {
    const shown = show({ size: '200x60' });
    const before = up(shown);
    change(shown);
    shown.controls.clock.advance(120_000);
    await shown.see(/2m/);
    expect(up(shown)).toBe(before);
  });

  test('counts on while its threads are read', async () => {
    const shown = show({ size: '200x60' });
    const before = up(shown);
    status(shown, 'run', 'stale');
    shown.controls.clock.advance(120_000);
    await expect.poll(() => up(shown)).not.toBe(before);
  });
});

test('a link is lost since the last sign of life, and silent before that is known', async () => {
  const shown = show();
  const { clock } = shown.controls;
  const silentSince = clock.now();
  clock.advance(6000);
  link(shown, 'up', { silentSince });
  clock.advance(1100);
  await shown.see('link silent 7s');
  clock.advance(6900);
  link(shown, 'lost', { silentSince, reason: 'no sign of life for 13.5 s' });
  clock.advance(100);
  await shown.see('link lost 14s');
});

test.each(['40x10', '60x24', '80x24', '120x40', '200x60'])('PAUSED stands beside any reason, at %s', async (size) => {
  const shown = show({ size });
  const { store, clock } = shown.controls;
  const why =
    'No process 999999999 on trainer; waiting for it (or give --match, or --wrap for one in a container, or wait for another)';
  store.push({ ...base('processes', clock.now()), kind: 'run', phase: 'finding', reason: why, candidates: [] });
  clock.advance(1000);
  await shown.see('No pro');
  await shown.keys('p');
  await shown.see('PAUSED');
});
