import { dump } from './actions.ts';
import { liveOnly, type Group, type KeyContext, type KeyEntry, type Mode } from './context.ts';
import { goToEvent, onlyTape } from './tape-actions.ts';
import type { Move, UiAction } from '../ui-state.ts';
import { chosenStacks, eventRows, pickerRows } from '../overlays/selectors.ts';

/** Keys of what lies over the screen: the filter's line, help, picker, stacks and questions. */
export const overlayKeys: readonly KeyEntry[] = [
  {
    id: 'forceQuit',
    keys: ['Ctrl-C'],
    modes: ['filter', 'help', 'picker', 'stacks', 'events', 'question', 'form'],
    group: 'General',
    text: 'quit from everywhere',
    run: ({ exit }) => exit(),
  },
  {
    id: 'leave',
    keys: ['Esc', 'q'],
    modes: ['help', 'picker', 'stacks', 'events'],
    group: 'General',
    text: 'back to the screen',
    footer: { label: 'back', rank: 1 },
    run: ({ dispatch }) => dispatch({ type: 'close' }),
  },
  {
    id: 'helpAgain',
    keys: ['?'],
    modes: ['help'],
    group: 'Help',
    text: 'back from the help',
    run: ({ dispatch }) => dispatch({ type: 'close' }),
  },
  {
    id: 'filterKeep',
    keys: ['Enter'],
    modes: ['filter'],
    group: 'Filter',
    text: 'keep the filter',
    footer: { label: 'keep', rank: 1 },
    run: ({ dispatch }) => dispatch({ type: 'filterKept' }),
  },
  {
    id: 'filterClear',
    keys: ['Esc'],
    modes: ['filter'],
    group: 'Filter',
    text: 'clear the filter',
    footer: { label: 'clear', rank: 2 },
    run: ({ ui, dispatch }) => ui.filtering && dispatch({ type: 'filterCleared', panel: ui.filtering }),
  },
  {
    id: 'filterErase',
    keys: ['Backspace'],
    modes: ['filter'],
    group: 'Filter',
    text: 'take the last character away',
    run: (context) => context.dispatch({ type: 'filterText', text: [...filterText(context)].slice(0, -1).join('') }),
  },
  {
    id: 'filterType',
    keys: ['text'],
    modes: ['filter'],
    group: 'Filter',
    text: 'type the filter',
    run: (context, { text }) => context.dispatch({ type: 'filterText', text: filterText(context) + text }),
  },
  ...scroll('help', 'Help', (move, { helpStarts }) => ({ type: 'help', move, count: helpStarts })),
  ...scroll('picker', 'Runs', (move, { state }) => ({ type: 'pick', move, count: pickerRows(state).length })),
  {
    id: 'pick',
    keys: ['Enter'],
    modes: ['picker'],
    group: 'Runs',
    text: 'watch the run under the cursor',
    footer: { label: 'watch it', rank: 2 },
    run: ({ state, ui, controls, dispatch }) => {
      const run = pickerRows(state)[ui.pickerCursor];
      if (run) controls.chooseRun(run.rootPid);
      dispatch({ type: 'close' });
    },
  },
  ...scroll('events', 'Events', (move, { controls }) => ({ type: 'event', move, count: eventRows(controls).length })),
  {
    id: 'goToEvent',
    keys: ['Enter'],
    modes: ['events'],
    group: 'Events',
    text: 'go there, in a recording',
    footer: { label: 'go there', rank: 2, when: 'replay' },
    enabled: ({ controls }) => {
      if (eventRows(controls).length === 0) return 'There is nothing to go to.';
      return controls.tape !== undefined || onlyTape;
    },
    run: goToEvent,
  },
  {
    id: 'stackThreadUp',
    keys: ['Up', 'k'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'thread before',
    run: (context) => stackThread(context, -1),
  },
  {
    id: 'stackThreadDown',
    keys: ['Down', 'j'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'next thread',
    footer: { label: 'thread', rank: 2 },
    run: (context) => stackThread(context, 1),
  },
  {
    id: 'stackThreadFirst',
    keys: ['Home', 'g'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'first thread',
    run: (context) => stackThread(context, 'first'),
  },
  {
    id: 'stackThreadLast',
    keys: ['End', 'G'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'last thread',
    run: (context) => stackThread(context, 'last'),
  },
  {
    id: 'stackUp',
    keys: ['PgUp'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'towards the innermost frame',
    run: (context) => stackScroll(context, -10),
  },
  {
    id: 'stackDown',
    keys: ['PgDn'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'towards the outermost frame',
    footer: { label: 'scroll', rank: 4 },
    run: (context) => stackScroll(context, 10),
  },
  {
    id: 'dumpAgain',
    keys: ['d'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'dump the same process again',
    footer: { label: 'dump again', rank: 3, when: 'live' },
    dangerous: true,
    enabled: liveOnly(({ ui }) => ui.dumping === undefined || `The py-spy dump of PID ${ui.dumping} is still running.`),
    run: (context) => dump(context, context.ui.stacks.pid),
  },
  {
    id: 'yes',
    keys: ['y'],
    modes: ['question'],
    group: 'Questions',
    text: 'yes',
    footer: { label: 'yes', rank: 1 },
    run: ({ questions }) => questions.answer(true),
  },
  {
    id: 'no',
    keys: ['n', 'Esc', 'q'],
    modes: ['question'],
    group: 'Questions',
    text: 'no',
    footer: { label: 'no', rank: 2 },
    run: ({ questions }) => questions.answer(false),
  },
  {
    id: 'formEnter',
    keys: ['Enter'],
    modes: ['form'],
    group: 'Questions',
    text: 'next field; after the last one, send them',
    footer: { label: 'go on', rank: 1 },
    run: ({ questions }) => questions.enter(),
  },
  {
    id: 'formDecline',
    keys: ['Esc'],
    modes: ['form'],
    group: 'Questions',
    text: 'do not answer',
    footer: { label: 'decline', rank: 2 },
    run: ({ questions }) => questions.decline(),
  },
  {
    id: 'formNext',
    keys: ['Tab', 'Down'],
    modes: ['form'],
    group: 'Questions',
    text: 'next field',
    run: ({ questions }) => questions.move(1),
  },
  {
    id: 'formPrevious',
    keys: ['Shift-Tab', 'Up'],
    modes: ['form'],
    group: 'Questions',
    text: 'field before',
    run: ({ questions }) => questions.move(-1),
  },
  {
    id: 'formChoose',
    keys: ['Right', 'Left'],
    modes: ['form'],
    group: 'Questions',
    text: 'another choice, where there are some',
    run: ({ questions }, { key }) => questions.choose(key === 'Right' ? 1 : -1),
  },
  {
    id: 'formErase',
    keys: ['Backspace'],
    modes: ['form'],
    group: 'Questions',
    text: 'take the last character away',
    run: ({ questions }) => questions.edit((text) => [...text].slice(0, -1).join('')),
  },
  {
    id: 'formClear',
    keys: ['Ctrl-U'],
    modes: ['form'],
    group: 'Questions',
    text: 'take all of the field away',
    footer: { label: 'clear', rank: 3 },
    run: ({ questions }) => questions.edit(() => ''),
  },
  {
    id: 'formType',
    keys: ['text'],
    modes: ['form'],
    group: 'Questions',
    text: 'type into the field',
    run: ({ questions }, { text }) => questions.edit((before) => before + text),
  },
];

function scroll(mode: Mode, group: Group, action: (move: Move, context: KeyContext) => UiAction): readonly KeyEntry[] {
  const entry = (name: string, keys: readonly string[], text: string, move: Move): KeyEntry => ({
    id: `${mode}${name}`,
    keys,
    modes: [mode],
    group,
    text,
    ...(name === 'Down' && { footer: { label: 'move', rank: 3 } }),
    run: (context) => context.dispatch(action(move, context)),
  });
  return [
    entry('Up', ['Up', 'k'], 'row up', -1),
    entry('Down', ['Down', 'j'], 'row down', 1),
    entry('PageUp', ['PgUp'], 'page up', -10),
    entry('PageDown', ['PgDn'], 'page down', 10),
    entry('First', ['Home', 'g'], 'first row', 'first'),
    entry('Last', ['End', 'G'], 'last row', 'last'),
  ];
}

function filterText({ ui }: KeyContext): string {
  return ui.filtering ? ui.views[ui.filtering].filter : '';
}

function stackThread({ ui, controls, dispatch }: KeyContext, move: Move): void {
  const count = chosenStacks(controls.store.getState(), ui.stacks.pid)?.threads.length ?? 0;
  dispatch({ type: 'stackThread', move, count });
}

function stackScroll({ ui, controls, dispatch }: KeyContext, move: Move): void {
  const thread = chosenStacks(controls.store.getState(), ui.stacks.pid)?.threads[ui.stacks.thread];
  dispatch({ type: 'stackScroll', move, count: thread?.frames.length ?? 0 });
}
