import { useEffect } from 'react';
import type { State } from '../../model/store.ts';
import type { Controls } from '../controls.ts';
import type { UiAction } from '../ui-state.ts';
import { useStore } from '../use-store.ts';

/** Says below the screen when evidence is being taken by itself, and when it is there; of a recording the events say it. */
export function useBoxNotices({ store, tape }: Controls, dispatch: (action: UiAction) => void): void {
  const told = useStore(store, newest);
  useEffect(() => {
    const [state, ...rest] = told.split(' ');
    const age = Number(rest[0]);
    // One of before this screen is no news.
    if (tape || told === '' || age > newsMs) return;
    const text =
      state === 'taking'
        ? 'Nothing moves: evidence is being taken. B shows it.'
        : `Evidence taken${state === 'partial' ? ', as far as it could be had' : ''}: B shows it.`;
    dispatch({ type: 'notice', notice: { text, tone: 'warn' } });
  }, [told, tape, dispatch]);
}

const newsMs = 30_000;

/** One word of the newest, and how old it was when it was told, as one value that compares by itself. */
function newest({ blackBoxes: [box], committedAt }: State): string {
  if (!box) return '';
  const age = committedAt - box.time > newsMs ? newsMs + 1 : 0;
  return `${box.state} ${age} ${box.id} ${box.endedAt ?? ''}`;
}
