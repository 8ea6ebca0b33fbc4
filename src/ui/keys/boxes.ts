import { boxAt, boxStarts } from '../black-box/box-view.tsx';
import { isUnderWay } from '../../model/capture-words.ts';
import type { KeyContext, KeyEntry } from './context.ts';
import { readIt } from './reading-actions.ts';

const modes = ['box'] as const;
type Entry = Pick<KeyEntry, 'id' | 'keys' | 'text' | 'run'> & Partial<KeyEntry>;
const entry = (init: Entry): KeyEntry => ({ modes, group: 'Evidence', ...init });

/** Keys of the evidence that was taken by itself. */
export const boxKeys: readonly KeyEntry[] = [
  entry({
    id: 'box',
    keys: ['B'],
    modes: ['main'],
    text: 'the evidence that was taken by itself when the run stalled, hung or ended',
    enabled: ({ controls }) =>
      controls.store.getState().blackBoxes.length > 0 ||
      'No evidence was taken by itself: it is when the run stalls, hangs or ends.',
    run: ({ dispatch }) => dispatch({ type: 'box', place: { id: undefined, top: 0 } }),
  }),
  entry({
    id: 'boxLeave',
    keys: ['Esc', 'q', 'B'],
    text: 'back to the screen',
    footer: { label: 'back', rank: 1 },
    run: ({ dispatch }) => dispatch({ type: 'close' }),
  }),
  entry({
    id: 'boxStacks',
    keys: ['Enter'],
    text: 'read its stacks',
    footer: { label: 'stacks', rank: 2 },
    enabled: (context) => stacksOf(context) !== undefined || 'Its stacks are not there: see under Captures (S).',
    run: (context) => {
      const id = stacksOf(context);
      if (id !== undefined) readIt(context, { id });
    },
  }),
  entry({
    id: 'boxSection',
    keys: ['Tab'],
    text: 'next section',
    footer: { label: 'section', rank: 3 },
    run: (context) => toSection(context, 1),
  }),
  entry({
    id: 'boxSectionBack',
    keys: ['Shift-Tab'],
    text: 'section before',
    run: (context) => toSection(context, -1),
  }),
  entry({
    id: 'boxOlder',
    keys: ['Left', '['],
    text: 'the evidence before',
    footer: { label: 'others', rank: 4, keys: ['Left', 'Right'] },
    run: (context) => toBox(context, 1),
  }),
  entry({ id: 'boxNewer', keys: ['Right', ']'], text: 'the next evidence', run: (context) => toBox(context, -1) }),
  scroll('boxUp', ['Up', 'k'], 'row up', ({ top }) => top - 1),
  scroll('boxDown', ['Down', 'j'], 'row down', ({ top }) => top + 1),
  scroll('boxPageUp', ['PgUp'], 'page up', ({ top, page }) => top - page),
  scroll('boxPageDown', ['PgDn', ' '], 'page down', ({ top, page }) => top + page),
  scroll('boxFirst', ['Home', 'g'], 'first row', () => 0),
  scroll('boxLast', ['End', 'G'], 'last row', () => Infinity),
];

interface Standing {
  readonly top: number;
  readonly page: number;
}

function scroll(id: string, keys: readonly string[], text: string, next: (now: Standing) => number): KeyEntry {
  return entry({
    id,
    keys,
    text,
    run: (context) => {
      const starts = startsOf(context);
      goTo(context, next({ top: Math.min(context.ui.box.top, starts.count - 1), page: starts.page }));
    },
  });
}

function startsOf({ controls, ui, layout }: KeyContext) {
  const { width = 80, height = 24 } = layout?.body ?? {};
  return boxStarts({ state: controls.store.getState(), place: ui.box, width, height });
}

function goTo(context: KeyContext, wanted: number) {
  const { count } = startsOf(context);
  const top = Math.max(0, Math.min(count - 1, wanted));
  context.dispatch({ type: 'box', place: { ...context.ui.box, top } });
}

function toSection(context: KeyContext, step: 1 | -1) {
  const { sections, count } = startsOf(context);
  const top = Math.min(context.ui.box.top, count - 1);
  const next = step === 1 ? sections.find((at) => at > top) : sections.findLast((at) => at < top);
  goTo(context, next ?? (step === 1 ? Infinity : 0));
}

function toBox({ controls, ui, dispatch }: KeyContext, step: 1 | -1) {
  const state = controls.store.getState();
  const boxes = state.blackBoxes;
  const now = boxAt(state, ui.box);
  const next = boxes[boxes.findIndex((box) => box === now) + step];
  if (next) dispatch({ type: 'box', place: { id: next.id, top: 0 } });
  else {
    const text = step === 1 ? 'This is the oldest that is known here.' : 'This is the newest.';
    dispatch({ type: 'notice', notice: { text, tone: 'plain' } });
  }
}

/** The plain dumps come first, and tell which rank is elsewhere. */
function stacksOf({ controls, ui }: KeyContext): string | undefined {
  const state = controls.store.getState();
  const box = boxAt(state, ui.box);
  const known = new Map(state.captures.map((capture) => [capture.id, capture]));
  return box?.captures.find((id) => {
    const capture = known.get(id);
    return capture !== undefined && !isUnderWay(capture) && capture.state !== 'failed';
  });
}
