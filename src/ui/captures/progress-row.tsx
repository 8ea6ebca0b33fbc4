import { useEffect, useState, type ReactElement } from 'react';
import { isUnderWay } from '../../model/capture-words.ts';
import type { Controls } from '../controls.ts';
import { Row } from '../parts/row.tsx';
import type { Reading } from '../reading-state.ts';
import { useStore } from '../use-store.ts';
import { progressLine } from './progress.ts';

/** What captures are under way or just over: a row above the footer, wherever the user is. */
export function ProgressRow(props: {
  readonly controls: Controls;
  readonly reading: Reading;
  readonly width: number;
}): ReactElement {
  const { controls, reading, width } = props;
  const { clock, store, tape } = controls;
  const state = useStore(store, (state) => state);
  const turning = tape === undefined && state.captures.some(isUnderWay);
  const [turn, setTurn] = useState(0);
  // Slowly: Ink takes the whole screen apart for every turn.
  useEffect(() => (turning ? clock.every(500, () => setTurn((turn) => turn + 1)) : undefined), [turning, clock]);
  const now = turning ? clock.now() : state.committedAt;
  return <Row line={progressLine({ state, reading, now, width, turn, isLive: !tape })} width={width} />;
}
