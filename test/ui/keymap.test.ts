import type { Key } from 'ink';
import { describe, expect, test } from 'vitest';
import { footerKeys, keymap, presses } from '../../src/ui/keymap.ts';
import type { Mode } from '../../src/ui/keys/context.ts';
import { panels } from '../../src/ui/panels/index.ts';
import { session } from './key-session.ts';
import { fill, makeStacks } from './made-store.ts';

const modes: readonly Mode[] = [
  'main',
  'filter',
  'help',
  'picker',
  'captures',
  'stacks',
  'flame',
  'search',
  'find',
  'events',
  'question',
  'form',
];

describe('the table', () => {
  test('each id is there once', () => {
    const ids = keymap.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(modes)('no two entries share a key in %s, but one of a panel', (mode) => {
    const entries = keymap.filter((entry) => entry.modes.includes(mode));
    const keys = entries.flatMap(({ keys, panel = '' }) => keys.map((key) => `${panel} ${key}`));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(keymap.map((entry) => [entry.id, entry] as const))(
    '%s has a text, a group, a key and a mode',
    (_, entry) => {
      expect(entry.text).not.toBe('');
      expect(entry.group).not.toBe('');
      expect(entry.keys.length).toBeGreaterThan(0);
      expect(entry.modes.length).toBeGreaterThan(0);
    },
  );

  test.each(modes)('the ranks of the footer in %s differ', (mode) => {
    for (const panel of [undefined, ...panels.map(({ id }) => id)]) {
      const ranks = footerKeys(mode, { panel }).map(({ footer }) => footer?.rank);
      expect(new Set(ranks).size).toBe(ranks.length);
      expect(ranks.length).toBeGreaterThan(0);
    }
  });

  test('every panel has a digit of the table', () => {
    const digits = keymap.find(({ id }) => id === 'panel')?.keys ?? [];
    expect(panels.map(({ digit }) => digit)).toEqual(digits);
  });

  test('with --read-only there is no key that touches the run, in the footer or when it is pressed', () => {
    expect(keymap.filter(({ touches }) => touches).map(({ id }) => id)).toEqual([
      'native',
      'signals',
      'continue',
      'signalSend',
    ]);
    const ids = (readOnly: boolean) => footerKeys('main', { readOnly }).map(({ id }) => id);
    expect(ids(false)).toContain('signals');
    expect(ids(true)).toEqual(ids(false).filter((id) => id !== 'signals'));
  });

  test('what works on the host is marked', () => {
    expect(keymap.filter(({ dangerous }) => dangerous).map(({ id }) => id)).toEqual([
      'dump',
      'native',
      'many',
      'record',
      'gil',
      'signals',
      'continue',
      'signalSend',
      'dumpAgain',
    ]);
  });
});

describe('panels', () => {
  test('a digit focuses, the same again zooms, Esc goes back', () => {
    const { ui, press } = session();
    press('1');
    expect(ui.get()).toMatchObject({ focused: 'gpus', zoomed: undefined });
    press('1');
    expect(ui.get().zoomed).toBe('gpus');
    press('Esc');
    expect(ui.get()).toMatchObject({ focused: 'gpus', zoomed: undefined });
  });

  test('a panel without a place is zoomed by its digit, and Esc goes to one that has a place', () => {
    const { ui, press } = session({ columns: 80, rows: 24 });
    press('6');
    expect(ui.get().focused).toBe('host');
    press('Esc');
    expect(ui.get().focused).toBe('threads');
  });

  test('Tab goes round those in view, Shift-Tab back', () => {
    const { ui, press } = session();
    press('Tab');
    expect(ui.get().focused).toBe('log');
    press('Tab');
    expect(ui.get().focused).toBe('gpus');
    press('Shift-Tab');
    expect(ui.get().focused).toBe('log');
  });

  test('Enter and z zoom, Tab then shows the next one, zoomed', () => {
    const { ui, press } = session();
    press('z', 'Tab');
    expect(ui.get()).toMatchObject({ focused: 'log', zoomed: 'log' });
    press('Enter');
    expect(ui.get().zoomed).toBeUndefined();
  });
});

describe('rows', () => {
  test('the arrows move the cursor, and stop at the ends', () => {
    const { ui, press } = session();
    press('k', 'Down', 'j', 'PgDn');
    expect(ui.get().views.threads.cursor).toBeGreaterThan(10);
    press('Home');
    expect(ui.get().views.threads.cursor).toBe(0);
    press('End', 'j');
    const last = ui.get().views.threads.cursor;
    press('H', 'End');
    expect(ui.get().views.threads.cursor).toBeGreaterThan(last);
  });

  test('a log follows until one moves up, and again at its end', () => {
    const { ui, press } = session();
    press('5', 'k');
    expect(ui.get().views.log).toMatchObject({
      following: false,
      log: { line: { text: expect.stringMatching(/^step=1201/) as string } },
    });
    press('j');
    expect(ui.get().views.log.following).toBe(true);
  });

  test('a panel without rows says so', () => {
    const { ui, press } = session();
    press('2', 'j');
    expect(ui.get().notice?.text).toBe('Throughput has no rows to move over.');
    press('s');
    expect(ui.get().notice?.text).toBe('Throughput has one order only.');
    press('/');
    expect(ui.get().notice?.text).toBe('Throughput has no rows to filter.');
  });

  test('the filter is typed, kept by Enter, cleared by Esc', () => {
    const { ui, press } = session();
    press('/', 'q', 'p', 'x', 'Backspace', 'Enter');
    expect(ui.get()).toMatchObject({ filtering: undefined, views: { threads: { filter: 'qp' } } });
    press('/', 'Esc');
    expect(ui.get().views.threads.filter).toBe('');
  });
});

describe('the screen', () => {
  test('q and Ctrl-C quit; Ctrl-C also from the help', () => {
    const { press, exits } = session();
    press('q', 'Ctrl-C', '?', 'Ctrl-C');
    expect(exits()).toBe(3);
  });

  test('+ and - walk through the intervals, and say where they end', () => {
    const { ui, controls, press } = session();
    press('-', '-', '+', '+', '+');
    expect(controls.asked).toEqual(['interval 500', 'interval 1000', 'interval 2000', 'interval 5000']);
    expect(ui.get().intervalMs).toBe(5000);
    press('-', '-', '-', '-');
    expect(ui.get().notice?.text).toMatch(/500 ms is the shortest/);
  });

  test('p holds the state and lets it go', () => {
    const { ui, controls, press } = session();
    const before = controls.store.getState();
    press('p');
    fill(controls, 2);
    expect(ui.get().paused?.state).toBe(before);
    press('p');
    expect(ui.get().paused).toBeUndefined();
  });

  test('keys without an entry do nothing', () => {
    const { ui, press } = session();
    const before = ui.get();
    press('Z', '7', 'Ü', 'F1');
    expect(ui.get()).toBe(before);
  });
});

describe('dumps', () => {
  test('d asks for the process under the cursor; the stacks open at its end', async () => {
    const { ui, controls, press } = session();
    press('d');
    expect(controls.asked[0]).toMatch(/^dump 40\d\d$/);
    expect(ui.get()).toMatchObject({ overlay: undefined, notice: { busy: true } });
    controls.clock.advance(100);
    press('d');
    expect(ui.get().notice?.text).toMatch(/still under way/);
    const { awaited } = ui.get().reading;
    controls.store.push({ ...makeStacks(controls.clock.now()), ...(awaited !== undefined && { capture: awaited }) });
    controls.endDump();
    await expect.poll(() => ui.get().overlay).toBe('stacks');
    controls.clock.advance(100);
    press('j', 'j', 'k');
    expect(ui.get().reading.cursor).toBe(1);
    press('Esc', 'S');
    expect(ui.get().overlay).toBe('captures');
    press('Enter');
    expect(ui.get()).toMatchObject({ overlay: 'stacks', reading: { cursor: 1 } });
    press('Esc');
    expect(ui.get().overlay).toBe('captures');
  });

  test('without a link or stacks the keys say why not', () => {
    const { ui, press } = session({ empty: true });
    press('d');
    expect(ui.get().notice?.text).toMatch(/no connection/);
    press('c');
    expect(ui.get().notice?.text).toMatch(/No training run/);
  });
});

test('the picker chooses a run', () => {
  const { ui, controls, press } = session();
  press('c', 'j', 'Enter');
  expect(controls.asked).toEqual(['look', 'run 9000']);
  expect(ui.get().overlay).toBeUndefined();
});

describe('presses', () => {
  const none = {} as Key;
  test('fast typing is several presses, but one text while a filter is typed', () => {
    expect(presses('jjk', none, 'keys').map(({ key }) => key)).toEqual(['j', 'j', 'k']);
    expect(presses('abc', none, 'filter')).toEqual([{ key: 'abc', text: 'abc' }]);
  });
  test('control characters of a paste are no text', () => {
    expect(presses('a\rb\x07', none, 'filter')).toEqual([{ key: 'ab', text: 'ab' }]);
    expect(presses('\x07', none, 'keys')).toEqual([]);
    const typed = presses('p w\rq1\x15\x7f\t\r', none, 'form').map(({ key }) => key);
    expect(typed).toEqual(['p w', 'Enter', 'q1', 'Ctrl-U', 'Backspace', 'Tab', 'Enter']);
  });
  test('special keys have their names', () => {
    expect(presses('', { tab: true, shift: true } as Key, 'keys')).toEqual([{ key: 'Shift-Tab', text: '' }]);
    expect(presses('c', { ctrl: true } as Key, 'keys')).toEqual([{ key: 'Ctrl-C', text: '' }]);
    expect(presses('u', { ctrl: true } as Key, 'form')).toEqual([{ key: 'Ctrl-U', text: '' }]);
    expect(presses('x', { ctrl: true } as Key, 'keys')).toEqual([]);
  });
});

test('what a key said that was typed behind a shell stays', async () => {
  let end = () => {};
  const openShell = () => new Promise<undefined>((resolve) => (end = () => resolve(undefined)));
  const { ui, press } = session({ change: { openShell } });
  press('!');
  expect(ui.get().notice?.busy).toBe(true);
  press('+');
  const said = ui.get().notice;
  expect(said?.busy).toBeUndefined();
  end();
  await Promise.resolve();
  expect(ui.get().notice).toBe(said);
});

test('the words of a shell that is opening go with it', async () => {
  const { ui, press } = session({ change: { openShell: async () => undefined } });
  press('!');
  await Promise.resolve();
  await Promise.resolve();
  expect(ui.get().notice).toBeUndefined();
});
