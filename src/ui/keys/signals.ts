import { leftStopped, type LeftStopped } from '../../model/left-stopped.ts';
import {
  signalEffect,
  signalNames,
  targetName,
  type SignalName,
  type SignalNews,
  type SignalTarget,
} from '../../model/signals.ts';
import type { SignalControls } from '../controls.ts';
import type { Move } from '../move.ts';
import type { Notice } from '../ui-state.ts';
import { liveOnly, selectedPid, type KeyContext, type KeyEntry, type Mode } from './context.ts';

/** Where the alarm of a stopped process is answered: everywhere but where one types. */
const everywhere: readonly Mode[] = ['main', 'captures', 'stacks', 'flame', 'events', 'help', 'signals', 'why'];

/** Keys of signals: the menu, and the answer to an alarm. */
export const signalKeys: readonly KeyEntry[] = [
  {
    id: 'signals',
    keys: ['K', 'F9'],
    modes: ['main'],
    group: 'Signals',
    text: 'signals to the selected process: says what each does to it, and asks for its PID before one is sent',
    footer: { label: 'signals', rank: 26, when: 'live' },
    dangerous: true,
    touches: true,
    enabled: liveOnly((context) => {
      const { controls } = context;
      if (controls.store.getState().link?.state !== 'up') return 'There is no connection to the host now.';
      return selectedPid(context) !== undefined || 'There is no process to signal yet: no run was found.';
    }),
    run: openMenu,
  },
  {
    id: 'continue',
    keys: ['C'],
    modes: everywhere,
    group: 'Signals',
    text: 'send SIGCONT to the process that a capture left stopped',
    dangerous: true,
    touches: true,
    enabled: liveOnly((context) => alarmOf(context) !== undefined || 'No process was left stopped by a capture.'),
    run: letGoOn,
  },
  {
    id: 'leaveStopped',
    keys: ['X'],
    modes: everywhere,
    group: 'Signals',
    text: 'leave it stopped, and tell of it no more',
    enabled: liveOnly((context) => alarmOf(context) !== undefined || 'No process was left stopped by a capture.'),
    run: (context) => {
      const alarm = alarmOf(context);
      if (alarm) context.dispatch({ type: 'stopSeen', key: alarm.key });
    },
  },
  row('Up', ['Up', 'k'], 'signal before', -1),
  row('Down', ['Down', 'j'], 'next signal', 1),
  row('First', ['Home'], 'first signal', 'first'),
  row('Last', ['End'], 'last signal', 'last'),
  {
    id: 'signalSend',
    keys: ['Enter'],
    modes: ['signals'],
    group: 'Signals',
    text: 'ask for the PID, then send the signal under the cursor',
    footer: { label: 'send it, after the PID', rank: 2 },
    dangerous: true,
    touches: true,
    enabled: ({ ui, controls }) => {
      const { target, cursor } = ui.signals;
      const name = signalNames[cursor];
      if (!target || !name) return 'It is not known yet what signals do to this process.';
      if (controls.store.getState().link?.state !== 'up') return 'There is no connection to the host now.';
      return signalEffect(target, name).refused ?? true;
    },
    run: (context) => void askPid(context),
  },
];

function row(name: string, keys: readonly string[], text: string, move: Move): KeyEntry {
  return {
    id: `signal${name}`,
    keys,
    modes: ['signals'],
    group: 'Signals',
    text,
    ...(name === 'Down' && { footer: { label: 'move', rank: 3 } }),
    run: ({ dispatch }) => dispatch({ type: 'signalRow', move, count: signalNames.length }),
  };
}

/** The newest process that was left stopped and that the user was not told of in vain. */
export function alarmOf({ ui, controls }: Pick<KeyContext, 'ui' | 'controls'>): LeftStopped | undefined {
  const { tape, past, store } = controls;
  if (tape && !past) return undefined;
  return leftStopped((past?.now ?? store).getState()).find(({ key }) => !ui.stopsSeen.has(key));
}

function openMenu(context: KeyContext): void {
  const { controls, dispatch } = context;
  const pid = selectedPid(context);
  if (pid === undefined) return;
  dispatch({ type: 'signals', pid });
  void controls.signals?.look(pid).then((found) => dispatch({ type: 'signalTarget', pid, found }));
}

async function askPid({ ui, controls, ownQuestions, dispatch }: KeyContext): Promise<void> {
  const { target, cursor } = ui.signals;
  const signal = signalNames[cursor];
  const { signals } = controls;
  if (!target || !signal || !signals) return;
  const { pid, commandLine, comm, children } = target;
  const also = children === 0 ? '' : ` Its ${children === 1 ? 'child does' : `${children} children do`} not.`;
  const answers = await ownQuestions.askForm({
    title: `Send ${signal} to PID ${pid}`,
    lines: [
      commandLine || comm,
      `${signal} ${signalEffect(target, signal).text}.`,
      `This process gets it, once, if it is still the one that was looked at.${also}`,
      `Type its PID, ${pid}, to send it.`,
    ],
    fields: [{ label: 'PID', hidden: false }],
    check: ([text = '']) => (text.trim() === String(pid) ? undefined : `This is not ${pid}: nothing was sent.`),
  });
  if (!answers) return;
  dispatch({ type: 'close' });
  send({ signals, target, signal, dispatch });
}

interface Order extends Pick<KeyContext, 'dispatch'> {
  readonly signals: SignalControls;
  readonly target: SignalTarget;
  readonly signal: SignalName;
}

function send({ signals, target, signal, dispatch }: Order): void {
  signals.send(target, signal, (news) => dispatch({ type: 'notice', notice: noticeOf(news) }));
}

const noticeOf = ({ text, tone }: SignalNews): Notice => ({ text, tone });

/** What a capture of ours did is taken back without more questions, if it is still so. */
function letGoOn(context: KeyContext): void {
  const { controls, dispatch } = context;
  const { signals } = controls;
  const alarm = alarmOf(context);
  if (!alarm || !signals) return;
  void signals.look(alarm.pid).then((found) => {
    if ('failure' in found) return dispatch({ type: 'notice', notice: { text: found.failure, tone: 'warn' } });
    if (found.state === 'T') return send({ signals, target: found, signal: 'SIGCONT', dispatch });
    dispatch({ type: 'stopSeen', key: alarm.key });
    const text = `${targetName(found)} is not stopped any more (state ${found.state}): nothing was sent.`;
    dispatch({ type: 'notice', notice: { text, tone: 'ok' } });
  });
}
