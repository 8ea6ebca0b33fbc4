import type { Notice } from '../ui-state.ts';
import type { KeyContext } from './context.ts';

/** A shell on the host in the screen's place. */
export function openShell({ controls, dispatch, handOver }: KeyContext): void {
  const text = `Opening a shell on ${controls.target} … Esc gives it up.`;
  // Before the notice: the next key is the shell's.
  const opened = controls.openShell?.((use) => {
    dispatch({ type: 'notice', notice: undefined });
    return handOver(use);
  });
  const opening: Notice = { text, tone: 'plain', busy: true };
  dispatch({ type: 'notice', notice: opening });
  // What a key said that was typed ahead stays.
  void opened?.then((said) =>
    dispatch(said ? { type: 'notice', notice: said } : { type: 'noticeOver', notice: opening }),
  );
}

const intervals = [500, 1000, 2000, 5000, 10_000, 30_000, 60_000];

/** The next longer (1) or shorter (-1) interval. */
export function changeInterval({ ui, controls, dispatch }: KeyContext, step: 1 | -1): void {
  const longer = intervals.find((ms) => ms > ui.intervalMs);
  const shorter = intervals.findLast((ms) => ms < ui.intervalMs);
  const wanted = step === 1 ? longer : shorter;
  if (wanted === undefined) return;
  const ms = controls.setInterval(wanted);
  dispatch({ type: 'interval', ms });
  dispatch(notice(`A frame every ${ms / 1000} s.`));
}

/** Holds what is shown, or goes on; a recording itself. */
export function togglePause({ ui, controls, dispatch }: KeyContext): void {
  const { tape } = controls;
  if (tape) return tape.state().playing ? tape.pause() : tape.play();
  if (ui.paused) dispatch({ type: 'resumed' });
  else dispatch({ type: 'paused', at: controls.clock.now(), state: controls.store.getState() });
}

function notice(text: string, tone: Notice['tone'] = 'plain') {
  return { type: 'notice', notice: { text, tone } } as const;
}
