import type { KeyContext, KeyEntry } from './context.ts';
import { pageRows } from './context.ts';
import * as log from './log-actions.ts';

/** Keys of the log while it has the focus, as in less and lnav, and those of the line in which one types what is sought. */
export const logKeys: readonly KeyEntry[] = [
  logKey({
    id: 'logSearch',
    keys: ['/'],
    text: 'search: plain text, case ignored; found lines stand out; an empty one takes the last again',
    footer: { label: 'search', rank: 11 },
    run: log.search,
  }),
  logKey({
    id: 'logNext',
    keys: ['n'],
    text: 'the next line that is found, below',
    footer: { label: 'match', rank: 12, keys: ['n', 'N'] },
    enabled: log.hasSearch,
    run: (context) => log.toFound(context, 1),
  }),
  logKey({
    id: 'logBefore',
    keys: ['N'],
    text: 'the found line before, above',
    enabled: log.hasSearch,
    run: (context) => log.toFound(context, -1),
  }),
  logKey({
    id: 'logErrorBefore',
    keys: ['E'],
    text: 'the error before, above: a traceback is one; events are E in every other panel',
    run: (context) => log.toError(context, -1),
  }),
  logKey({
    id: 'logError',
    keys: ['e'],
    text: 'the next error, below',
    footer: { label: 'error', rank: 13, keys: ['e', 'E'] },
    run: (context) => log.toError(context, 1),
  }),
  logKey({
    id: 'logFilter',
    keys: ['&'],
    text: 'filter: records with this text only; !text = those without it; Enter keeps it, Esc clears it',
    footer: { label: 'filter', rank: 14 },
    run: ({ dispatch }) => dispatch({ type: 'filter', panel: 'log' }),
  }),
  logKey({
    id: 'logRank',
    keys: ['o'],
    text: 'lines of one rank only: that of the line under the cursor, then the next ones, then all',
    footer: { label: 'rank', rank: 15 },
    enabled: log.hasRanks,
    run: log.nextRank,
  }),
  logKey({
    id: 'logFile',
    keys: ['f'],
    text: 'one log only: that of the line under the cursor, then the next ones, then all',
    footer: { label: 'log', rank: 16 },
    enabled: log.hasLogs,
    run: log.nextLog,
  }),
  logKey({
    id: 'logWrap',
    keys: ['W'],
    text: 'long lines: wrapped, or cut',
    footer: { label: 'wrap', rank: 17 },
    run: log.wrap,
  }),
  logKey({
    id: 'logFollow',
    keys: ['F', 'G'],
    text: 'to the end, and follow it',
    footer: { label: 'follow', rank: 18 },
    run: log.follow,
  }),
  logKey({ id: 'logStart', keys: ['g'], text: 'to the first line that is kept', run: (c) => log.move(c, 'first') }),
  logKey({
    id: 'logPage',
    keys: [' '],
    text: 'page down, while a run is watched',
    applies: ({ controls }) => controls.tape === undefined,
    run: (context) => log.move(context, pageRows(context)),
  }),
  logKey({ id: 'logPageBack', keys: ['b'], text: 'page up', run: (context) => log.move(context, -pageRows(context)) }),
  logKey({
    id: 'logRight',
    keys: ['l'],
    text: 'what is cut off at the right of long lines',
    enabled: log.isCut,
    run: (context) => log.aside(context, 1),
  }),
  logKey({
    id: 'logLeft',
    keys: ['h'],
    text: 'back to the left',
    enabled: log.isCut,
    run: (context) => log.aside(context, -1),
  }),
  logKey({
    id: 'logBack',
    keys: ['Esc'],
    text: 'back: from the search, then from the rank and the log',
    applies: log.isNarrowed,
    run: log.leave,
  }),
  findKey({
    id: 'findKeep',
    keys: ['Enter'],
    text: 'keep the search: n and N go on',
    footer: { label: 'keep', rank: 1 },
    run: log.keepFound,
  }),
  findKey({
    id: 'findClear',
    keys: ['Esc'],
    text: 'back to where the search began',
    footer: { label: 'back', rank: 2 },
    run: log.giveUpSearch,
  }),
  findKey({
    id: 'findErase',
    keys: ['Backspace'],
    text: 'take the last character away',
    run: (context) => log.typed(context, (text) => [...text].slice(0, -1).join('')),
  }),
  findKey({ id: 'findEmpty', keys: ['Ctrl-U'], text: 'take all of it away', run: (c) => log.typed(c, () => '') }),
  findKey({
    id: 'findType',
    keys: ['text'],
    text: 'type what is sought',
    run: (context, { text }) => log.typed(context, (before) => (before + text).slice(0, 200)),
  }),
];

type Entry = Pick<KeyEntry, 'id' | 'keys' | 'text' | 'run'> & Partial<KeyEntry>;

function logKey(entry: Entry): KeyEntry {
  return { modes: ['main'], group: 'Log', panel: 'log', ...entry };
}

function findKey(entry: Entry & { readonly run: (context: KeyContext, press: { text: string }) => void }): KeyEntry {
  return { modes: ['find'], group: 'Log', ...entry };
}
