import { memo, useMemo, type ReactElement } from 'react';
import type { State } from '../../model/store.ts';
import type { Controls } from '../controls.ts';
import { Row } from '../parts/row.tsx';
import { useSlices, type Wanted } from '../use-store.ts';
import { headline } from './headline-line.ts';

interface HeadlineProps {
  readonly controls: Controls;
  /** Set while the screen is paused: shown instead of the store's state. */
  readonly frozen: State | undefined;
  readonly width: number;
}

const wanted: Wanted = { slices: ['verdicts', 'run', 'interval'], sources: [] };

/** What the run waits for: the row below the header. */
export const Headline = memo(function Headline({ controls, frozen, width }: HeadlineProps): ReactElement {
  const live = useSlices(controls.store, wanted);
  const state = frozen ?? live;
  const isReplay = controls.tape !== undefined;
  const { line, dimmed } = useMemo(() => headline({ state, width, isReplay }), [state, width, isReplay]);
  return <Row line={line} width={width} dimmed={dimmed} />;
});
