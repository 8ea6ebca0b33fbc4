import type { Move } from '../move.ts';
import type { KeyEntry } from './context.ts';

/** Keys of why the headline says so. */
export const whyKeys: readonly KeyEntry[] = [
  {
    id: 'why',
    keys: ['w'],
    modes: ['main'],
    group: 'Verdict',
    text: 'why the headline says so: what holds, with the figures for it and against it, what is not known, what to do; keys named there work there',
    footer: { label: 'why', rank: 20.5 },
    run: ({ dispatch }) => dispatch({ type: 'open', overlay: 'why' }),
  },
  {
    id: 'whyAgain',
    keys: ['w'],
    modes: ['why'],
    group: 'Verdict',
    text: 'back from why',
    run: ({ dispatch }) => dispatch({ type: 'close' }),
  },
  scroll('Up', ['Up', 'k'], 'row up', -1),
  scroll('Down', ['Down', 'j'], 'row down', 1),
  scroll('PageUp', ['PgUp'], 'page up', -10),
  scroll('PageDown', ['PgDn'], 'page down', 10),
  scroll('First', ['Home'], 'first row', 'first'),
  scroll('Last', ['End'], 'last row', 'last'),
];

function scroll(name: string, keys: readonly string[], text: string, move: Move): KeyEntry {
  return {
    id: `why${name}`,
    keys,
    modes: ['why'],
    group: 'Verdict',
    text,
    ...(name === 'Down' && { footer: { label: 'move', rank: 3 } }),
    run: ({ dispatch, whyStarts }) => dispatch({ type: 'why', move, count: whyStarts }),
  };
}
