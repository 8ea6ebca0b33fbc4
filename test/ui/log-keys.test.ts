import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../src/model/samples.ts';
import { logLines } from '../../src/ui/panels/log.tsx';
import { logRows } from '../../src/ui/panels/log-rows.ts';
import { session, type Session } from './key-session.ts';
import { base, start } from './made-store.ts';
import { text } from './panels/made.ts';

const plain = (line: string, more: Partial<LogLine> = {}): LogLine => ({ text: line, time: start, ...more });
const error = { level: 'error' } as const;

/** A run of two ranks: a traceback in the log of errors, and an error of one rank beside steps. */
const steps = Array.from({ length: 40 }, (_, i) =>
  plain(`rank ${i % 2} step ${i >> 1}`, { rank: i % 2, time: start + i * 1000 }),
);
const trouble = [
  plain('Traceback (most recent call last):', {
    ...error,
    continued: 2,
    event: { kind: 'traceback' },
    time: start + 20_500,
  }),
  plain('  File "train.py", line 8', { ...error, time: start + 20_500 }),
  plain('    loss = model(batch)', { ...error, time: start + 20_500 }),
  plain('ValueError: Batch is empty', { ...error, event: { kind: 'exception' }, time: start + 20_500 }),
  plain('ERROR: gave up', { ...error, time: start + 30_500 }),
];

function inLog(): Session & { shown(): readonly string[]; cursor(): string | undefined; note(): string } {
  const made = session({ columns: 120, rows: 40, empty: true });
  const { store, clock } = made.controls;
  const log = (source: string, path: string, lines: readonly LogLine[]) =>
    store.push({ kind: 'log', ...base(source, clock.now()), path, format: 'generic', lines });
  store.push({ kind: 'source', status: 'live', ...base('log', clock.now()) });
  log('log', '/run/out.log', steps);
  log('log:2', '/run/err.log', trouble);
  clock.advance(2000);
  made.press('5');
  const body = () =>
    logLines({
      state: store.getState(),
      history: store.history,
      view: made.ui.get().views.log,
      width: 110,
      height: 9,
      focused: true,
      intervalMs: 1000,
    });
  return {
    ...made,
    shown: () => text(body().lines),
    cursor: () =>
      body()
        .lines.find(([first]) => first?.inverse)
        ?.map((segment) => segment.text)
        .join('')
        .trim(),
    note: () => (body().note ?? []).map((segment) => segment.text).join(''),
  };
}

test("what wandb's output.log has of another log stands there twice only when it is asked for", () => {
  const { controls, ui, note, press, cursor } = inLog();
  const lines = [...trouble.map((each) => ({ ...each })), plain('only here', { time: start + 35_500 })];
  const path = '/run/wandb/run-1/files/output.log';
  controls.store.push({ kind: 'log', ...base('log:3', start + 90_000), path, format: 'generic', lines });
  controls.clock.advance(2000);
  const shown = () =>
    logRows(controls.store.getState().logs, ui.get().views.log).shown.map(({ line, path }) => `${path} ${line.text}`);
  expect(shown().filter((row) => row.endsWith('gave up'))).toEqual(['/run/err.log ERROR: gave up']);
  expect(shown().filter((row) => row.startsWith(path))).toEqual([`${path} only here`]);
  expect(shown()).toHaveLength(steps.length + trouble.length + 1);
  expect(note()).toBe('3 logs · generic · 2 errors');
  const view = ui.get().views.log;
  ui.dispatch({ type: 'view', panel: 'log', view: { ...view, log: { ...view.log, path } } });
  expect(shown()).toEqual(lines.map(({ text }) => `${path} ${text}`));
  press('E');
  expect(cursor()).toContain('gave up');
});

describe('errors', () => {
  test('a traceback is one, its lines and its exception with it; the one above comes first', () => {
    const { press, cursor, ui, note } = inLog();
    expect(note()).toBe('2 logs · generic · 2 errors');
    press('e');
    expect(ui.get().notice?.text).toBe('No error further below: E goes up, to 2 more.');
    press('E');
    expect(cursor()).toBe('err.log E ERROR: gave up');
    press('E');
    expect(cursor()).toBe('err.log E Traceback (most recent call last):');
    press('E');
    expect(ui.get().notice?.text).toBe('No error further above: e goes down, to 1 more.');
    press('e');
    expect(cursor()).toBe('err.log E ERROR: gave up');
  });

  test('lines of a record stay together, with what led to it above and what came of it below', () => {
    const { press, shown } = inLog();
    press('E', 'E');
    expect(shown()).toEqual([
      'out.log   rank 0 step 9',
      'out.log   rank 1 step 9',
      'out.log   rank 0 step 10',
      'err.log E Traceback (most recent call last):',
      'err.log │   File "train.py", line 8',
      'err.log │     loss = model(batch)',
      'err.log E ValueError: Batch is empty',
      'out.log   rank 1 step 10',
      'out.log   rank 0 step 11',
    ]);
  });
});

describe('a search', () => {
  test('shows the nearest line while it is typed; n and N go on; Esc takes it off', () => {
    const { press, cursor, note, ui } = inLog();
    press('/', 's', 't', 'e', 'p', ' ', '7');
    expect(cursor()).toBe('out.log   rank 1 step 7');
    press('Enter', 'n');
    expect(ui.get().notice?.text).toBe('No "step 7" further below: N goes up, to 1 more.');
    press('N');
    expect(cursor()).toBe('out.log   rank 0 step 7');
    expect(note()).toContain('/step 7 1 of 2');
    press('N');
    expect(ui.get().notice?.text).toBe('No "step 7" further above: n goes down, to 1 more.');
    press('Esc', 'Esc');
    expect(ui.get().views.log.log?.search).toBeUndefined();
    expect(cursor()).toBe('out.log   rank 0 step 7');
  });

  test('Esc while it is typed goes back to where it began; nothing found says so', () => {
    const { press, note, ui } = inLog();
    press('/', 'x', 'y', 'z');
    expect(note()).toContain('/xyz not found');
    expect(ui.get().views.log.following).toBe(true);
    press('Backspace', 'Ctrl-U', '9', 'Esc');
    expect(ui.get().views.log).toMatchObject({ following: true, log: { search: undefined } });
    press('n');
    expect(ui.get().notice?.text).toBe('Nothing is sought in the log: / begins a search.');
  });

  test('an empty one takes the last one again', () => {
    const { press, cursor } = inLog();
    press('/', ...'STEP 12', 'Enter', 'g', '/', 'Enter');
    expect(cursor()).toBe('out.log   rank 0 step 12');
  });

  test('matches stand out in every line, and on the row under the cursor too', () => {
    const { press, shown } = inLog();
    press('/', ...'rank 1', 'Enter');
    expect(shown().at(-1)).toBe('out.log   rank 1 step 19');
  });
});

describe('what is shown', () => {
  test('one rank, the next, all; the cursor stays at its line, or near it', () => {
    const { press, shown, cursor, ui, note } = inLog();
    press('k', 'k', 'o');
    expect(note()).toContain('rank 1');
    expect(cursor()).toBe('out.log   rank 1 step 18');
    expect(shown().every((line) => /rank 1 step/.test(line))).toBe(true);
    press('o');
    expect(ui.get().views.log.log?.rank).toBeUndefined();
    press('j', 'o');
    expect(note()).toContain('rank 0');
    press('o');
    expect(note()).toContain('rank 1');
    press('Esc');
    expect(ui.get().views.log.log?.rank).toBeUndefined();
  });

  test('one log, the next, all', () => {
    const { press, note, ui, shown } = inLog();
    press('f');
    expect(note()).toMatch(/^out\.log · generic/);
    press('f');
    expect(shown().slice(-2)).toEqual(['E ValueError: Batch is empty', 'E ERROR: gave up']);
    press('f');
    expect(ui.get().views.log.log?.path).toBeUndefined();
  });

  test('the filter keeps records whole', () => {
    const { press, shown, note } = inLog();
    press('&', ...'MODEL(', 'Enter');
    expect(shown()).toEqual([
      'err.log E Traceback (most recent call last):',
      'err.log │   File "train.py", line 8',
      'err.log │     loss = model(batch)',
    ]);
    expect(note()).toContain('&MODEL( 3');
    press('Esc');
    expect(shown()).toHaveLength(9);
  });

  test('g, G, F, Space and b are as in less', () => {
    const { press, cursor, ui } = inLog();
    press('g');
    expect(cursor()).toBe('out.log   rank 0 step 0');
    press(' ');
    const page = cursor();
    expect(page).not.toBe('out.log   rank 0 step 0');
    press(' ', 'b');
    expect(cursor()).toBe(page);
    press('G');
    expect(ui.get().views.log.following).toBe(true);
    press('b', 'F');
    expect(ui.get().views.log.following).toBe(true);
  });

  test('with one log and no rank the keys say so', () => {
    const { press, ui } = session();
    press('5', 'o');
    expect(ui.get().notice?.text).toBe('No line of the log says which rank printed it.');
    press('f');
    expect(ui.get().notice?.text).toBe('There is one log only.');
  });
});

describe('long lines', () => {
  const long = `${'word '.repeat(60)}end`;
  const wrapped = (...keys: string[]) => {
    const made = inLog();
    const { store, clock } = made.controls;
    store.push({
      kind: 'log',
      ...base('log', clock.now()),
      path: '/run/out.log',
      format: 'generic',
      lines: [plain(long, { time: clock.now() })],
    });
    clock.advance(2000);
    made.press(...keys);
    return made;
  };

  test('are cut, or wrapped at a blank, with nothing lost', () => {
    const rows = wrapped('W').shown().slice(-4);
    expect(rows[0]).toMatch(/^out\.log {3}word/);
    expect(rows.map((row) => row.slice(10).trim()).join(' ')).toContain(long.slice(-200));
    expect(wrapped().shown().at(-1)).toMatch(/…$/);
  });

  test('are scrolled by l and h; not while they are wrapped', () => {
    expect(wrapped('l').shown().at(-1)).toMatch(/^out\.log {3}….*…$/);
    expect(wrapped('l').note()).toContain('→ 60');
    expect(wrapped('l', 'h').note()).not.toContain('→');
    const made = wrapped('W', 'l');
    expect(made.ui.get().notice?.text).toBe('Long lines are wrapped: W cuts them.');
  });
});
