import { describe, expect, test } from 'vitest';
import { initialUi, reduceUi, type UiAction, type UiState } from '../../src/ui/ui-state.ts';

const after = (actions: readonly UiAction[], ui: UiState = initialUi(1000)) => actions.reduce(reduceUi, ui);
const move = (move: number | 'first' | 'last', count: number): UiAction => ({
  type: 'move',
  panel: 'threads',
  move,
  count,
});

describe('a cursor', () => {
  test('stays between the ends', () => {
    expect(after([move(-5, 10)]).views.threads.cursor).toBe(0);
    expect(after([move(50, 10)]).views.threads.cursor).toBe(9);
    expect(after([move('last', 10), move(-2, 10)]).views.threads.cursor).toBe(7);
  });
  test('starts at the last row that is left when rows have gone', () => {
    expect(after([move('last', 100), move(-1, 10)]).views.threads.cursor).toBe(8);
  });
  test('has nowhere to go without rows', () => {
    expect(after([move(3, 0), move('last', 0)]).views.threads.cursor).toBe(0);
  });
  test('that does not move changes nothing', () => {
    const ui = initialUi(1000);
    expect(reduceUi(ui, move(-1, 10))).toBe(ui);
  });
});

test('sorting goes round and starts at the top', () => {
  const sort: UiAction = { type: 'sort', panel: 'threads', sorts: ['cpu', 'wait', 'name'] };
  const moved = after([move(4, 10), sort]);
  expect(moved.views.threads).toMatchObject({ sort: 'wait', cursor: 0 });
  expect(after([sort, sort], moved).views.threads.sort).toBe('cpu');
});

test('focus takes the zoom along', () => {
  expect(after([{ type: 'focus', panel: 'log' }]).zoomed).toBeUndefined();
  const zoomed = after([
    { type: 'zoom', panel: 'gpus' },
    { type: 'focus', panel: 'log' },
  ]);
  expect(zoomed).toMatchObject({ focused: 'log', zoomed: 'log' });
});

test('only the dump that was asked for last opens the stacks', () => {
  const ui = after([{ type: 'awaited', id: 'b' }]);
  expect(reduceUi(ui, { type: 'captureOver', id: 'a' })).toBe(ui);
  expect(reduceUi(ui, { type: 'captureOver', id: 'b' })).toMatchObject({
    overlay: 'stacks',
    reading: { capture: 'b', awaited: undefined },
  });
});

test('who went elsewhere meanwhile stays there', () => {
  const ui = after([
    { type: 'awaited', id: 'b' },
    { type: 'open', overlay: 'help' },
    { type: 'captureOver', id: 'b' },
  ]);
  expect(ui).toMatchObject({ overlay: 'help', reading: { capture: undefined, awaited: undefined } });
});

test('from a dump that is just over one goes back to the screen, also when the last one was read from the list', () => {
  const ui = after([
    { type: 'read', id: 'a', fromList: true },
    { type: 'close' },
    { type: 'awaited', id: 'b' },
    { type: 'captureOver', id: 'b' },
  ]);
  expect(ui.reading).toMatchObject({ capture: 'b', fromList: false });
});

test('a dump that was asked for from why, which names it, opens over it', () => {
  const ui = after([
    { type: 'open', overlay: 'why' },
    { type: 'awaited', id: 'b' },
    { type: 'captureOver', id: 'b' },
  ]);
  expect(ui).toMatchObject({ overlay: 'stacks', reading: { capture: 'b' } });
});

test('a notice is taken away only by itself', () => {
  const first = { text: 'first', tone: 'plain' } as const;
  const second = { text: 'second', tone: 'plain' } as const;
  const ui = after([
    { type: 'notice', notice: first },
    { type: 'notice', notice: second },
    { type: 'noticeOver', notice: first },
  ]);
  expect(ui.notice).toBe(second);
  expect(reduceUi(ui, { type: 'noticeOver', notice: second }).notice).toBeUndefined();
});

test('the picker stays away once it was left, and comes when asked for', () => {
  const left = after([{ type: 'close' }]);
  expect(left.pickerLeft).toBe(true);
  expect(reduceUi(left, { type: 'open', overlay: 'picker' })).toMatchObject({ overlay: 'picker', pickerLeft: false });
});

test('text without a filter being typed goes nowhere', () => {
  const ui = initialUi(1000);
  expect(reduceUi(ui, { type: 'filterText', text: 'x' })).toBe(ui);
});
