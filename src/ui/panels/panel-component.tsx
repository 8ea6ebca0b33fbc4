import { memo, useMemo, type ReactElement } from 'react';
import type { State } from '../../model/store.ts';
import { innerSize } from '../parts/frame.tsx';
import { SourceFrame } from '../parts/source-frame.tsx';
import { useSlices, type Wanted } from '../use-store.ts';
import type { PanelBody, PanelInput, PanelProps } from './panel.ts';

/** What makes a panel of a pure function. `hasData`: there is something to draw, however old. */
export interface PanelParts extends Wanted {
  readonly title: string;
  readonly digit: string;
  readonly body: (input: PanelInput) => PanelBody;
  readonly hasData: (state: State) => boolean;
}

/** The component of a panel: it renders when one of its slices changed, or its view, and draws what `body` says. */
export function panelComponent(parts: PanelParts): (props: PanelProps) => ReactElement {
  const { title, digit, body, hasData, sources } = parts;
  const PanelComponent = memo(function PanelComponent(props: PanelProps) {
    const { controls, view, frozen, width, height, focused } = props;
    const live = useSlices(controls.store, parts);
    const state = frozen ?? live;
    const { history } = controls.store;
    const intervalMs = props.intervalMs ?? controls.intervalMs;
    const {
      lines,
      note,
      dimmed = false,
      upright,
    } = useMemo(
      () => body({ state, history, view, focused, intervalMs, ...innerSize({ width, height }) }),
      [state, history, view, focused, intervalMs, width, height],
    );
    return (
      <SourceFrame
        {...{ state, title, digit, note, width, height, focused, dimmed, upright }}
        source={sources}
        hasData={hasData(state)}
        rows={lines}
      />
    );
  });
  return (props) => <PanelComponent {...props} />;
}
