import { join } from 'node:path';
import type { Session } from '../../src/commands/session.ts';
import type { BlackBoxSample } from '../../src/model/samples.ts';
import { recordDemo } from '../support/demo-recording.ts';
import type { Terminal } from '../support/terminal.ts';
import { all, back, here, hits, loses, scrollChecks, sees, type Checks } from './key-checks.ts';
import { panel, type Home } from './program.ts';

const rows = 80;

/** A short recording of the demo with two pieces of evidence in it; gives its path. */
export function recordBoxes(home: Home): Promise<string> {
  return recordDemo({ folder: join(home.folder, 'boxes'), seconds: 45, onStep: takeBoxes });
}

/** The newer one has stacks. */
function takeBoxes({ clock, take }: Pick<Session, 'clock' | 'take'>, second: number): void {
  const now = clock.now();
  const base = { host: 'demo', time: now, receivedAt: now };
  const lines = Array.from({ length: rows }, (_, n) => `row ${n} of the log`);
  const box = (id: string, more: Pick<BlackBoxSample, 'captures' | 'reason'>): BlackBoxSample => ({
    ...{ kind: 'blackBox', ...base, source: 'black box', id, state: 'done', startedAt: now, endedAt: now, ...more },
    parts: [
      { name: 'verdict', takenAt: now, lines: ['collective hang, rank 5 missing'] },
      { name: 'log', takenAt: now, lines },
    ],
  });
  if (second === 20) take(box('old', { captures: [], reason: 'The older trouble.' }));
  if (second !== 40) return;
  const id = 'boxed';
  take({
    ...{ kind: 'capture', ...base, source: 'stacks', id, what: 'dump', state: 'done', pids: [41207], samples: 1 },
    ...{ startedAt: now, endedAt: now, plannedMs: 1000, notes: [], files: [] },
  });
  const frames = [{ function: 'acquire', file: '/data/cache.py', line: 57 }];
  const thread = { name: 'MainThread', tid: 41207, active: false, ownsGil: false, frames };
  take({ kind: 'stacks', ...base, source: 'stacks', pid: 41207, command: 'python3', threads: [thread], capture: id });
  take(box('new', { captures: [id], reason: 'The newer trouble.' }));
}

/** The key that opens it, on the screen. */
export const boxMainChecks: Checks = {
  // The log's last line: the place is told sooner than it is shown.
  B: [all(hits('$'), sees('] step 5802/')), all(sees('The newer trouble.'), hits('Esc'), loses('─ Evidence'))],
};

/** Rows that are scrolled away; 0: the reason is the first. */
const scrolled = (terminal: Terminal) => {
  const [, first = ''] = panel(terminal.screen(), 'Evidence');
  return first.includes(' trouble.') ? 0 : first === '' ? -1 : 1;
};
const newer = sees('The newer trouble.');
const older = sees('The older trouble.');
const atTop = all(hits('g'), newer);
const away = loses('The newer trouble.');

/** The keys of the evidence, of which the newest is shown. */
export const boxChecks: Checks = {
  ...scrollChecks(scrolled),
  ' ': [atTop, away],
  Tab: [atTop, all(away, hits('g'), newer)],
  'Shift-Tab': [all(atTop, hits('Tab'), away), all(hits('Shift-Tab', 'Shift-Tab', 'Shift-Tab'), newer)],
  Left: [atTop, all(older, sees('2 of 2'), hits('Right'), newer)],
  '[': [atTop, all(older, hits(']'), newer)],
  Right: [all(atTop, hits('Left'), older), newer],
  ']': [all(atTop, hits('['), older), newer],
  Enter: [atTop, all(sees('─ Stacks: dump'), sees('acquire'), hits('q'), sees('¹GPUs'), hits('B'), newer)],
  B: [here, back('Evidence', 'B')],
  Esc: [here, back('Evidence', 'B')],
  q: [here, back('Evidence', 'B')],
};
