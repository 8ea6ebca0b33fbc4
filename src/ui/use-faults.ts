import { useEffect, useSyncExternalStore } from 'react';
import type { Controls } from './controls.ts';
import type { UiAction } from './ui-state.ts';
import { useStore } from './use-store.ts';

/** Says once, in the footer's place, why nothing is recorded any more or what goes wrong beside it, what of a recording could not be read, or who watches too. */
export function useFaultNotices(
  { tape }: Pick<Controls, 'tape'>,
  { recording, past, store, beside }: Controls,
  dispatch: (action: UiAction) => void,
): void {
  const notRecorded = useStore(past?.now ?? store, () => {
    const state = recording?.();
    return state?.is === 'failed' ? state.reason : state?.is === 'on' ? state.warning : undefined;
  });
  const unread = useSyncExternalStore(tape?.subscribe ?? never, () => tape?.state().fault);
  const another = useStore(past?.now ?? store, () => beside?.());
  const text = notRecorded ?? unread ?? another;
  useEffect(() => {
    if (text !== undefined) dispatch({ type: 'notice', notice: { text, tone: 'warn' } });
  }, [text, dispatch]);
}

const never = () => () => {};
