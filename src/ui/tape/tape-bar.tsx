import { Box } from 'ink';
import { useMemo, useSyncExternalStore, type ReactElement } from 'react';
import type { Past, Tape, TapeState } from '../../model/tape.ts';
import { Row } from '../parts/row.tsx';
import { ringsBehind, timeBehind } from './behind.ts';
import { tapeLines } from './tape-lines.ts';

/** Where the recording stands that is played: a row, or two where there is room. */
export function TapeBar(props: {
  readonly tape: Tape;
  /** It is of the past of a watch that goes on. */
  readonly past: Past | undefined;
  readonly width: number;
  readonly rows: number;
}): ReactElement {
  const { tape, past, width, rows } = props;
  const snapshot = useMemo(() => keptUntilSeen(tape), [tape]);
  const state = useSyncExternalStore(tape.subscribe, snapshot);
  const subscribe = past?.now.subscribe ?? never;
  const now = useSyncExternalStore(subscribe, () => past && timeBehind(past.now.getState()));
  const rings = useSyncExternalStore(subscribe, () => (past ? ringsBehind(past.now.getState()) : 0));
  const { events, holes } = tape;
  const lines = useMemo(
    () => tapeLines({ state, events, holes, width, rows, ...(now !== undefined && { behind: { now, rings } }) }),
    [state, events, holes, width, rows, now, rings],
  );
  return (
    <Box flexDirection="column" width={width} height={rows} flexShrink={0}>
      {lines.map((line, i) => (
        <Row key={i} line={line} width={width} />
      ))}
    </Box>
  );
}

/** The tape moves on ten times a second; seconds are shown. */
function keptUntilSeen(tape: Tape): () => TapeState {
  let kept = tape.state();
  return () => {
    const now = tape.state();
    const { position, ...rest } = now;
    const { position: before, ...restBefore } = kept;
    const keys = Object.keys({ ...rest, ...restBefore }) as (keyof typeof rest)[];
    const same =
      Math.floor(position / 1000) === Math.floor(before / 1000) && keys.every((k) => rest[k] === restBefore[k]);
    if (!same) kept = now;
    return kept;
  };
}

const never = () => () => {};
