import { expect, test } from 'vitest';
import { bounded } from '../../src/commands/bounded.ts';
import { createAlarms } from '../../src/model/alarms/engine.ts';
import type { Sample } from '../../src/model/samples.ts';

const start = Date.UTC(2026, 5, 12);
const log = (text: string, time: number): Sample => ({
  ...{ kind: 'log', host: 'h', source: 'log', time, receivedAt: time, path: '/x.log', format: 'plain' },
  lines: [{ text, time }],
});

test('a pattern that would take for ever is given up and says so, and the others go on', () => {
  const patterns = [
    { name: 'slow', match: /^(a+)+$/ },
    { name: 'other', match: /b$/ },
  ];
  const alarms = createAlarms({ host: 'h', settings: { patterns }, bounded });
  const began = performance.now();
  const told = [0, 1000, 2000].flatMap((ms) => [
    ...alarms.find(log(`${'a'.repeat(60)}b`, start + ms)),
    ...alarms.tick(start + ms + 500),
  ]);
  expect(performance.now() - began).toBeLessThan(3000);
  const ringing = told.filter(({ state }) => state === 'ringing');
  expect(ringing.map(({ about, text }) => [about, text.slice(0, 30)])).toEqual([
    ['slow', 'slow: it takes too long on lin'],
    ['other', `other: ${'a'.repeat(23)}`],
  ]);
});
