import type { Group, KeyContext, KeyEntry, Mode } from './context.ts';
import { canGo, goToEvent } from './tape-actions.ts';
import type { Move, UiAction } from '../ui-state.ts';
import { eventRows, pickerRows } from '../overlays/selectors.ts';

/** Keys of what lies over the screen: the filter's line, help, picker, stacks and questions. */
export const overlayKeys: readonly KeyEntry[] = [
  {
    id: 'forceQuit',
    keys: ['Ctrl-C'],
    modes: [
      'filter',
      'help',
      'picker',
      'captures',
      'stacks',
      'flame',
      'search',
      'find',
      'events',
      'signals',
      'why',
      'box',
      'alarms',
      'question',
      'form',
    ],
    group: 'General',
    text: 'quit from everywhere',
    run: ({ exit }) => exit(),
  },
  {
    id: 'leave',
    keys: ['Esc', 'q'],
    modes: ['help', 'picker', 'captures', 'events', 'signals', 'why', 'alarms'],
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
    text: 'go there, in a recording or the past of a watch',
    footer: { label: 'go there', rank: 2 },
    enabled: (context) => {
      if (eventRows(context.controls).length === 0) return 'There is nothing to go to.';
      return canGo(context);
    },
    run: goToEvent,
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
