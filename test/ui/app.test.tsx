import stringWidth from 'string-width';
import type { CaptureSample } from '../../src/model/samples.ts';
import { describe, expect, test } from 'vitest';
import { base, frame, makeCapture, makeRun, makeStacks, start, type MadeControls } from './made-store.ts';
import { show } from './shown.tsx';

describe.each(['80x24', '120x40', '160x50', '200x60', '60x24', '40x10'])('at %s', (size) => {
  test('the screen is filled exactly', () => {
    const [columns, rows] = size.split('x').map(Number);
    const lines = show({ size }).text().split('\n');
    expect(lines).toHaveLength(rows ?? 0);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns ?? 0);
    expect(lines[0]).toContain('traintop');
    expect(lines.at(-1)).toContain('q quit');
  });
});

test('80x24 shows the run, the host, the link, the cost, each GPU, throughput, queues, threads and log', () => {
  const text = show({ size: '80x24' }).text();
  for (const wanted of [
    'train_pipeline.py',
    'PID 4021',
    'node-7',
    'link 12 ms',
    'costs the host 0.4 %',
    '¹GPUs',
    '²Throughput',
    '³Queues',
  ])
    expect(text).toContain(wanted);
  expect(text).toContain('hs_reader');
  expect(text.match(/step=\d+\/5000/g)?.length).toBeGreaterThanOrEqual(1);
  expect(text.match(/│ +40\d\d +50\d\d /g)).toHaveLength(3);
});

test('without data every panel says what it waits for, and nothing is zero', async () => {
  const shown = show({ empty: true });
  expect(shown.text().match(/connecting …/g)?.length).toBeGreaterThanOrEqual(5);
  expect(shown.text()).not.toMatch(/\b0 %|\b0\.0\b/);
  const { store, clock } = shown.controls;
  store.push({ ...base('link', start), kind: 'link', state: 'up' });
  store.push({ ...base('gpu', start), kind: 'source', status: 'off', reason: 'nvidia-smi is not on this host' });
  store.push({ ...base('threads', start), kind: 'source', status: 'failed', reason: 'this host has no awk' });
  clock.advance(2000);
  await shown.see('nvidia-smi is not on this host');
  await shown.see('this host has no awk');
});

test('a source that went silent keeps its values and shows their age', async () => {
  const shown = show();
  const { store, clock } = shown.controls;
  store.push({ ...base('gpu', clock.now()), kind: 'source', status: 'stale', reason: 'nothing new for 9 s' });
  clock.advance(9000);
  await shown.see(/¹GPUs ─+ stale · \d+s old/);
  expect(shown.text()).toMatch(/\/141/);
});

test('a lost link is in the header, with its reason, how long it is so, and when it is tried again', async () => {
  const shown = show();
  const { store, clock } = shown.controls;
  const link = { ...base('link', clock.now()), kind: 'link', reason: 'no answer for 14 s' } as const;
  store.push({ ...link, state: 'lost', retryAt: clock.now() + 20_000 });
  clock.advance(3000);
  await shown.see(/link lost \d+s, next try in 1\ds: no answer for 14 s/);
  store.push({ ...link, state: 'connecting' });
  clock.advance(1000);
  await shown.see(/link lost \d+s, trying now: no answer for 14 s/);
});

test('an ended run is said so', async () => {
  const shown = show();
  const { store, clock } = shown.controls;
  const reason = 'The run (PID 1, python train.py) ended; waiting for the next';
  store.push({ ...base('run', clock.now()), kind: 'run', phase: 'ended', run: makeRun(), candidates: [], reason });
  clock.advance(1000);
  await shown.see(/the run ended \d+s ago · \S.*waiting for the next/);
});

test('after the run panels keep all rows for what was, and say `no run` in their notes', async () => {
  const shown = show({ size: '80x24' });
  const { store, clock } = shown.controls;
  const reason = 'no run is watched; give the log with --log PATH';
  store.push({ ...base('run', clock.now()), kind: 'run', phase: 'ended', run: makeRun(), candidates: [] });
  for (const source of ['log', 'threads'])
    store.push({ ...base(source, clock.now()), kind: 'source', status: 'off', reason });
  clock.advance(3000);
  await shown.see(/⁴Threads ─+ no run · \d+s old/);
  await shown.see(/⁵Log ─+ no run · \d+s old/);
  expect(shown.text()).not.toContain('no run is watched');
  expect(shown.text()).toMatch(/hs_reader/);
});

test('DEMO and the wrapper are in the header', () => {
  expect(show({ controls: { demo: true, wrap: 'pct exec 200 --' } }).text()).toMatch(/DEMO[^]*through pct exec 200 --/);
});

describe('keys', () => {
  test('q quits; the help shows every key of the screen', async () => {
    const shown = show();
    await shown.keys('?');
    await shown.see('hold the screen still');
    await shown.see(/1-6 +1 GPUs  2 Throughput  3 Queues/);
    await shown.keys('G');
    await shown.see(/Esc goes back ─/);
    // One row up from the end is one press.
    await shown.keys('k');
    await shown.see('1 more row below');
    await shown.keys('\x1b[5~', '\x1b[5~');
    await shown.see(/\d\d more rows below/);
    await shown.keys('?');
    await shown.see('¹GPUs');
  });

  test('a key is drawn without waiting for data', async () => {
    const shown = show();
    const commits = shown.controls.store.commits();
    await shown.keys('/', 'nccl', '\r');
    await shown.see(/NCCL Progress/);
    expect(shown.text()).not.toMatch(/hs_reader/);
    expect(shown.controls.store.commits()).toBe(commits);
  });

  test('a paused screen stays as it is while data comes, and goes on', async () => {
    const shown = show();
    await shown.keys('p');
    await shown.see('PAUSED');
    const { store, clock } = shown.controls;
    for (let second = 0; second < 3; second++) {
      for (const sample of frame(clock.now(), 999)) store.push(sample);
      clock.advance(1000);
    }
    await shown.see(/PAUSED [1-9]\d*s/);
    expect(shown.text()).not.toContain('step=2199/5000');
    await shown.keys('p');
    await shown.see('step=2199/5000');
    expect(shown.text()).not.toContain('PAUSED');
  });

  test('a dump shows what is under way, then the stacks', async () => {
    const shown = show();
    const { controls } = shown;
    await shown.keys('d');
    await shown.see(/py-spy dump of rank \d \(PID \d+\) …/);
    const savedTo = '/home/ml/.local/share/traintop/captures/2026/stacks.txt';
    controls.store.push({ ...makeStacks(controls.clock.now(), dumpedPid(controls)), capture: 'capture-1' });
    controls.store.push(ended(controls, { state: 'done', files: [savedTo] }));
    controls.endDump();
    controls.clock.advance(100);
    await shown.see(/Stacks: dump of rank \d \(PID \d+\)/);
    await shown.see(/MainThread .* GIL/);
    await shown.keys('j');
    await shown.see('read_hidden_states');
    await shown.see('saved to /home/ml');
    await shown.keys('\x1b');
    await shown.see('¹GPUs');
  });

  test('a failed dump shows its sentence', async () => {
    const shown = show();
    const { controls } = shown;
    await shown.keys('d');
    await shown.see(/py-spy dump/);
    const failure = 'py-spy is not on node-7: pip install py-spy there, or give --py-spy PATH.';
    controls.store.push(ended(controls, { state: 'failed', failure }));
    controls.endDump();
    controls.clock.advance(100);
    await shown.see('give --py-spy PATH');
    await shown.see(/no stack · .* just now/);
  });

  test('a disabled key says why, for some seconds', async () => {
    const shown = show();
    await shown.keys('2', 's');
    await shown.see('Throughput has one order only.');
    shown.controls.clock.advance(6000);
    await shown.see('q quit');
  });
});

test('several runs: the picker comes by itself and chooses', async () => {
  const shown = show({ empty: true });
  const { store, clock, asked } = shown.controls;
  const candidates = [makeRun(100, 8), makeRun(200, 0, 'eval.py')];
  store.push({ ...base('link', start), kind: 'link', state: 'up' });
  store.push({ ...base('run', start), kind: 'run', phase: 'choosing', candidates });
  clock.advance(1000);
  await shown.see(/▸ +100 +ml/);
  await shown.keys('\x1b[B', '\r');
  await expect.poll(() => asked).toEqual(['run 200']);
});

test('nothing is drawn when nothing changed', async () => {
  const shown = show();
  await shown.keys('Z', 'W');
  // What came before may be drawn yet: 100 ms without a frame are longer than any that waits (Ink draws 30 a second).
  let before: number;
  do {
    before = shown.frames();
    await new Promise((done) => setTimeout(done, 100));
  } while (shown.frames() !== before);
  shown.controls.clock.advance(5000);
  await shown.keys('Z');
  expect(shown.frames()).toBe(before);
});

describe('themes', () => {
  test('NO_COLOR leaves no colour, also not in the picker', async () => {
    const shown = show({ environment: { NO_COLOR: '1' } });
    expect(shown.raw()).not.toMatch(/\x1b\[(?:[34]\d|9\d)/);
    await shown.keys('c');
    await shown.see('Training runs');
    expect(shown.raw()).not.toMatch(/\x1b\[(?:[34]\d|9\d)/);
  });

  test('TRAINTOP_ASCII leaves ASCII only, on every overlay', async () => {
    const shown = show({ environment: { TRAINTOP_ASCII: '1' } });
    expect(shown.text()).toMatch(/^[\x20-\x7e\n]*$/);
    for (const [key, wanted] of [
      ['?', 'Keys'],
      ['\x1b', '2 Throughput'],
      ['c', 'Training runs'],
    ] as const) {
      await shown.keys(key);
      await shown.see(wanted);
      expect(shown.text()).toMatch(/^[\x20-\x7e\n]*$/);
    }
  });
});

const dumpedPid = ({ asked }: MadeControls) => Number(asked[0]?.split(' ')[1]);

/** The end of the dump that was asked for first. */
function ended(controls: MadeControls, change: Partial<CaptureSample>): CaptureSample {
  const now = controls.clock.now();
  return makeCapture({ id: 'capture-1', pids: [dumpedPid(controls)], startedAt: now, endedAt: now, ...change });
}
