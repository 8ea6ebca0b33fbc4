import { expect, test } from 'vitest';
import type { Verdict } from '../../../src/model/verdict-samples.ts';
import { lineWidth } from '../../../src/ui/parts/render-line.ts';
import { whyLines } from '../../../src/ui/verdict/why-lines.ts';
import { show, type Shown } from '../shown.tsx';
import { start } from '../made-store.ts';
import { hang, stateOf, textOf, throttled, told, unknown } from './made.ts';

/** The screen with these verdicts told on data that was made. */
async function open(size: string, ...verdicts: readonly Verdict[]): Promise<Shown> {
  const shown = show({ size });
  tell(shown, ...verdicts);
  await shown.see(/collective hang/);
  return shown;
}

function tell({ controls }: Shown, ...verdicts: readonly Verdict[]) {
  controls.store.push(told(controls.clock.now(), ...verdicts));
  controls.clock.advance(1000);
}

const rows = (shown: Shown) => shown.text().split('\n');
/** What is in the frame, without its edges. */
const inside = (shown: Shown) =>
  rows(shown).flatMap((row) => (/^[│┃]/.test(row) ? [row.slice(2).replace(/ *[│┃]$/, '')] : []));

test('the headline stands below the header, and w opens why it says so, with the figures in columns', async () => {
  const shown = await open('120x40', hang, throttled, unknown);
  expect(rows(shown)[2]).toMatch(/^ ▲ collective hang · rank 3 missing · .*sure · for 1m \d+s/);
  await shown.keys('w');
  await shown.see(/╭─ Why ─/);
  const lines = inside(shown);
  expect(lines[0]).toMatch(/^▲ collective hang · rank 3 missing +▇+▄· +86 % sure?$/);
  expect(lines[1]).toMatch(/^Since \d\d:\d\d:\d\d, for 1m \d+s\. Ranks wait in a collective/);
  const at = (text: string) => lines.find((line) => line.includes(text)) ?? '';
  expect(at('GPU 0 utilization since')).toMatch(/ +100 % at least 80 +1 GPUs$/);
  expect(at('GPU 0 power since')).toMatch(/ +121 W +1 GPUs$/);
  expect(at('since the last progress of the log')).toMatch(/ +94 s at least 10 +5 Log$/);
  expect(at('training thread on a CPU')).toMatch(/ +0\.4 % at least 80 +4 Threads$/);
  const columns = ['100 %', '121 W', '94 s', '0.4 %'].map((value) => {
    const line = at(value);
    return line.indexOf(value) + value.length;
  });
  expect(new Set(columns).size).toBe(1);
  const text = lines.join('\n');
  for (const wanted of [
    /speaks for it +VALUE EXPECTED +FOUND ON/,
    /speaks against it +VALUE/,
    /not known\n {2}r stacks in collectives: take stacks for a few seconds/,
    /next\n {2}d dump rank 3: where it is instead of the collective\n {2}· look for/,
    /▲ throttled · GPU 5 · thermal +▇+·+ +60 % likely/,
    /○ not enough evidence\n/,
    /G GIL held: take a GIL profile/,
  ])
    expect(text).toMatch(wanted);
});

test.each(['40x10', '80x24'])('at %s it is scrolled from its first row to its last', async (size) => {
  const shown = await open(size, hang, throttled, unknown);
  await shown.keys('w');
  await shown.see(/│ ▲ collective hang/);
  await shown.keys('\x1b[F');
  await shown.see(/take a GIL profile *│/);
  const [columns = 0, height] = size.split('x').map(Number);
  expect(rows(shown)).toHaveLength(height ?? 0);
  expect(rows(shown).every((row) => row.length <= columns)).toBe(true);
  await shown.keys('\x1b[H');
  await shown.see(/│ ▲ collective hang/);
});

test('nothing is left out at any width, and no row is wider', () => {
  const state = stateOf(told(start, hang, throttled, unknown));
  for (let width = 36; width <= 200; width += 4) {
    const lines = whyLines({ state, width });
    if (lines.some((line) => lineWidth(line) > width)) expect.fail(`wider than ${width}`);
    const text = lines.map(textOf).join(' ').replace(/\s+/g, ' ');
    for (const wanted of ['rank 3 missing', '121 W', 'speaks against it', 'throttled', '84 %', 'take a GIL profile'])
      expect(text).toContain(wanted);
  }
});

test('it follows what is told, and keeps its place', async () => {
  const shown = await open('80x24', hang, throttled, unknown);
  await shown.keys('w', 'j', 'j', 'j');
  await shown.see(/│ {3}speaks for it/);
  tell(shown, { ...hang, evidence: hang.evidence.map((figure) => ({ ...figure, value: 77 })) }, throttled, unknown);
  await shown.see(/77 W/);
  expect(inside(shown)[0]).toMatch(/^ {2}speaks for it/);
  // Fewer rows than it was scrolled by: its end is shown.
  tell(shown, { ...unknown, missing: [] });
  await shown.see(/│ ○ not enough evidence/);
});

test('a held screen holds it too', async () => {
  const shown = await open('80x24', hang);
  await shown.keys('p');
  await shown.see('PAUSED');
  tell(shown, { ...throttled, summary: 'another' });
  expect(rows(shown)[2]).toContain('collective hang');
  await shown.keys('w');
  await shown.see(/│ ▲ collective hang/);
  await shown.keys('w', 'p');
  await expect.poll(() => rows(shown)[2]).toContain('throttled');
});

test('which verdict stood first when is below the graph of the speed, over its time, and below why', async () => {
  const shown = show({ size: '200x60' });
  const { store, clock } = shown.controls;
  for (let i = 0; i < 24; i++) {
    store.push(told(clock.now(), i < 12 ? throttled : hang));
    clock.advance(5000);
  }
  await shown.see(/│ *verdict +throttled━+hang━+ *│/);
  await shown.keys('w');
  await shown.see(/── verdicts of 2m ─/);
  expect(shown.text()).toMatch(/\d\d:\d\d:\d\d +throttled━+hang━+ \d\d:\d\d:\d\d/);
  expect(clock.now()).toBeGreaterThan(start);
});
