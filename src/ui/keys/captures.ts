import { isUnderWay } from '../../model/capture-words.ts';
import type { CaptureKind } from '../../model/samples.ts';
import { newestUnseen } from '../captures/progress.ts';
import { askCancel, askGil, askMany, askNative, askRecord, takeDump } from './capture-asks.ts';
import { liveOnly, selectedPid, type KeyContext, type KeyEntry, type Mode } from './context.ts';
import { openList, readIt } from './reading-actions.ts';

/** From where a running capture can be ended: everywhere but where one types. */
const everywhere: readonly Mode[] = ['main', 'stacks', 'flame', 'captures', 'events', 'help', 'why'];
/** Why names them: what it lacks is taken from there. */
const fromWhy: readonly Mode[] = ['main', 'why'];

/** Keys that take captures, and open what they found. */
export const captureKeys: readonly KeyEntry[] = [
  {
    id: 'dump',
    keys: ['d'],
    modes: fromWhy,
    group: 'Stacks',
    text: 'py-spy dump of the selected process, shown and saved',
    footer: { label: 'dump', rank: 21, when: 'live' },
    dangerous: true,
    enabled: canTake('dump'),
    run: (context) => takeDump(context),
  },
  {
    id: 'native',
    keys: ['D'],
    modes: fromWhy,
    group: 'Stacks',
    text: 'native dump, with the frames of libraries; it holds the process for a moment, and asks first',
    dangerous: true,
    touches: true,
    enabled: canTake('native'),
    run: askNative,
  },
  {
    id: 'many',
    keys: ['m'],
    modes: fromWhy,
    group: 'Stacks',
    text: 'many dumps at an interval, folded into what each role was doing',
    footer: { label: 'many', rank: 21.3, when: 'live' },
    dangerous: true,
    enabled: canTake('many'),
    run: askMany,
  },
  {
    id: 'record',
    keys: ['r'],
    modes: fromWhy,
    group: 'Stacks',
    text: 'record a flame of where the time goes; its cost is said before it starts',
    footer: { label: 'record', rank: 21.6, when: 'live' },
    dangerous: true,
    enabled: canTake('record'),
    run: askRecord,
  },
  {
    id: 'gil',
    keys: ['G'],
    modes: fromWhy,
    group: 'Stacks',
    text: 'GIL share: who held the interpreter lock, for what part of the time',
    dangerous: true,
    enabled: canTake('gil'),
    run: askGil,
  },
  {
    id: 'stacks',
    keys: ['S'],
    modes: fromWhy,
    group: 'Stacks',
    text: 'captures: of this session or recording and those kept on this machine; the one that is just over opens at once',
    footer: { label: 'captures', rank: 21.8 },
    run: (context) => {
      const done = newestUnseen(context.controls.store.getState(), context.ui.reading, context.state.committedAt);
      if (done) readIt(context, { id: done.id });
      else openList(context);
    },
  },
  {
    id: 'cancelCapture',
    keys: ['x'],
    modes: everywhere,
    group: 'Stacks',
    text: 'end the capture that is under way; what there is of it is kept',
    enabled: liveOnly((context) => runningId(context) !== undefined || 'No capture is under way.'),
    run: (context) => {
      const id = runningId(context);
      if (id !== undefined) askCancel(context, id);
    },
  },
];

/** The one under the cursor of the list, else the newest that runs. */
function runningId({ controls }: KeyContext): string | undefined {
  const { captures } = controls.store.getState();
  return captures.find(isUnderWay)?.id;
}

function canTake(what: CaptureKind): NonNullable<KeyEntry['enabled']> {
  return liveOnly((context) => {
    const { link, captures } = context.controls.store.getState();
    // What is shown may be frozen; the link is asked now.
    if (link?.state !== 'up') return 'There is no connection to the host now.';
    const pid = selectedPid(context);
    if (pid === undefined) return 'There is no process to look at yet: no run was found.';
    const same = captures.some((each) => isUnderWay(each) && each.what === what && each.pids.includes(pid));
    return !same || `One of PID ${pid} is still under way: x ends it.`;
  });
}
