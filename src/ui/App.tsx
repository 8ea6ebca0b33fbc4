import { Box, useApp, useInput, useWindowSize } from 'ink';
import { useMemo, useState, useSyncExternalStore, useEffect, type ReactElement } from 'react';
import type { State } from '../model/store.ts';
import { useBoxNotices } from './black-box/use-box-notices.ts';
import { AlarmRow } from './alarms/alarm-row.tsx';
import { urgent } from './alarms/select.ts';
import { ProgressRow } from './captures/progress-row.tsx';
import { toldCaptures } from './captures/progress.ts';
import type { Controls } from './controls.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { presses, press } from './keymap.ts';
import { modeOf, type Mode } from './keys/context.ts';
import { alarmOf } from './keys/signals.ts';
import { layout as layoutOf, type Layout } from './layout.ts';
import { helpStarts } from './overlays/help.tsx';
import { Overlays } from './overlays/overlays.tsx';
import { whyStarts } from './overlays/why.tsx';
import { gpuGroupLines } from './panels/gpu-groups.ts';
import { panels as allPanels } from './panels/index.ts';
import { createQuestions, type Question } from './overlays/questions.ts';
import type { Panel } from './panels/panel.ts';
import { controlsNow, useControlsNow, useRingNotices } from './past.ts';
import { repaints } from './repaint.ts';
import { TapeBar } from './tape/tape-bar.tsx';
import { useFaultNotices } from './use-faults.ts';
import { createTheme, ThemeProvider, type Theme } from './theme.ts';
import { TooSmall } from './too-small.tsx';
import type { UiState } from './ui-state.ts';
import { Headline } from './verdict/headline.tsx';
import { isLinkDown, linkReason } from './link-text.ts';
import { createUiStore, useStore } from './use-store.ts';

/** All but `controls` have the real ones for default: tests and pictures give their own. */
export interface AppProps {
  readonly controls: Controls;
  readonly panels?: readonly Panel[];
  readonly theme?: Theme;
  /** Instead of the terminal's. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

/** The whole screen: size, focus, layout and keys. What stands in it is in the panels, the header, the footer and overlays. */
export function App({ controls: given, panels = allPanels, theme, size }: AppProps): ReactElement {
  const controls = useControlsNow(given);
  const { exit, suspendTerminal } = useApp();
  const terminal = useWindowSize();
  useSyncExternalStore(repaints.subscribe, repaints.count);
  const { columns, rows } = size ?? terminal;
  const { store, clock } = controls;
  const [uiStore] = useState(() => createUiStore(controls.intervalMs, controls.tape !== undefined));
  const [ownQuestions] = useState(createQuestions);
  // What something behind the screen waits for comes before what the user wants to type.
  const asking = () => (controls.questions?.current() ? controls.questions : ownQuestions);
  const [shownTheme] = useState(() => theme ?? createTheme(process.env));
  const ui = useSyncExternalStore(uiStore.subscribe, uiStore.get);
  useSyncExternalStore(ownQuestions.subscribe, ownQuestions.current);
  useSyncExternalStore(controls.questions?.subscribe ?? never, controls.questions?.current ?? nothing);
  const question = asking().current();
  // Only what moves the layout: a commit that does not draws the header and the panels it is for.
  const shape = useStore(store, (state) => shapeOf({ state, columns, ui }));
  const hasTape = controls.tape !== undefined;
  const layout = useMemo(() => place({ shape, columns, rows, ui, hasTape }), [shape, columns, rows, ui, hasTape]);
  const mode = modeOf({ ui, controls, state: ui.paused?.state ?? store.getState(), question });

  useInput((input, key) => {
    // Of two keys that come at once the second is for what the first has left.
    const inHand = () => controlsNow(given);
    const inForm = isForm(asking().current());
    const typing = inForm ? 'form' : isTyping(uiStore.get()) ? 'filter' : 'keys';
    for (const pressed of presses(input, key, typing)) {
      // The rest of a pasted password is no key of the screen.
      if (inForm && !isForm(asking().current())) break;
      const now = uiStore.get();
      const controls = inHand();
      const hasTape = controls.tape !== undefined;
      const shape = shapeOf({ state: store.getState(), columns, ui: now });
      const layout = place({ shape, columns, rows, ui: now, hasTape });
      press(
        {
          ui: now,
          dispatch: uiStore.dispatch,
          state: now.paused?.state ?? store.getState(),
          layout,
          panels,
          controls,
          question: asking().current(),
          questions: asking(),
          ownQuestions,
          whyStarts:
            layout && now.overlay === 'why'
              ? whyStarts({ state: now.paused?.state ?? store.getState(), isReplay: hasTape, ...sizeOf(layout) })
              : 1,
          helpStarts: layout && now.overlay === 'help' ? helpStarts(layout.body, controls) : 1,
          exit,
          handOver: suspendTerminal,
        },
        pressed,
      );
    }
  });

  useBoxNotices(controls, uiStore.dispatch);
  useFaultNotices(controls, given, uiStore.dispatch);
  useRingNotices(controls, uiStore.dispatch);
  const { notice } = ui;
  useEffect(() => {
    if (!notice || notice.busy) return undefined;
    return clock.after(noticeMs, () => uiStore.dispatch({ type: 'noticeOver', notice }));
  }, [notice, clock, uiStore]);

  return (
    <ThemeProvider value={shownTheme}>
      {layout ? (
        <Screen {...{ controls, panels, ui, mode, question, layout, columns, rows }} />
      ) : (
        <TooSmall columns={columns} rows={rows} />
      )}
    </ThemeProvider>
  );
}

const sizeOf = ({ body: { width, height } }: Layout) => ({ width, height });

/** How long a notice stands: long enough to read a sentence. */
const noticeMs = 5000;

/** Text is typed into the footer's line. */
const isTyping = ({ filtering, finding, overlay, reading }: UiState) =>
  filtering !== undefined || finding !== undefined || (overlay === 'stacks' && reading.searching);

const isForm = (question: Question | undefined) => question?.kind === 'form';

const never = () => () => {};
const nothing = () => undefined;

interface ScreenProps {
  readonly controls: Controls;
  readonly panels: readonly Panel[];
  readonly ui: UiState;
  readonly mode: Mode;
  readonly question: Question | undefined;
  readonly layout: Layout;
  readonly columns: number;
  readonly rows: number;
}

function Screen({ controls, panels, ui, mode, question, layout, columns, rows }: ScreenProps): ReactElement {
  const { header, body, footer } = layout;
  const linkDown = useStore(controls.store, isLinkDown);
  const playing = useSyncExternalStore(controls.tape?.subscribe ?? never, () => controls.tape?.state().playing);
  const intervalMs = useShownInterval(controls, ui);
  const alarm = useStore(controls.past?.now ?? controls.store, () => alarmOf({ ui, controls })?.pid);
  const over = mode !== 'main' && mode !== 'filter' && mode !== 'find';
  return (
    <Box width={columns} height={rows}>
      <Box position="absolute" top={0} left={0} width={columns} height={header.height}>
        <Header
          controls={controls}
          paused={ui.paused}
          intervalMs={intervalMs}
          width={columns}
          height={header.height}
          rows={layout.headerRows}
        />
      </Box>
      <Box position="absolute" top={layout.headline.top} left={0} width={columns} height={layout.headline.height}>
        <Headline controls={controls} frozen={ui.paused?.state} width={columns} />
      </Box>
      {layout.alarm.height > 0 && (
        <Box position="absolute" top={layout.alarm.top} left={0} width={columns} height={1}>
          <AlarmRow controls={controls} width={columns} />
        </Box>
      )}
      {over ? (
        <Box position="absolute" top={body.top} left={0} width={body.width} height={body.height}>
          <Overlays {...{ controls, ui, mode, question }} width={body.width} height={body.height} />
        </Box>
      ) : (
        layout.panels.map(({ id, rect }) => (
          <Box key={id} position="absolute" top={rect.top} left={rect.left} width={rect.width} height={rect.height}>
            <PanelAt
              {...{ controls, panels, ui }}
              id={id}
              width={rect.width}
              height={rect.height}
              focused={id === (layout.zoomed ?? ui.focused)}
            />
          </Box>
        ))
      )}
      {controls.tape && (
        <Box position="absolute" top={layout.tape.top} left={0} width={columns} height={layout.tape.height}>
          <TapeBar tape={controls.tape} past={controls.past} width={columns} rows={layout.tape.height} />
        </Box>
      )}
      {layout.progress.height > 0 && (
        <Box position="absolute" top={layout.progress.top} left={0} width={columns} height={1}>
          <ProgressRow controls={controls} reading={ui.reading} width={columns} />
        </Box>
      )}
      <Box position="absolute" top={footer.top} left={0} width={columns} height={1}>
        <Footer
          {...{ ui, mode }}
          when={{
            zoomed: layout.zoomed !== undefined,
            'link down': linkDown && !controls.tape,
            live: !controls.tape,
            replay: controls.tape !== undefined,
            past: controls.tape !== undefined && controls.past !== undefined,
            'has past': !controls.tape && controls.past !== undefined,
            playing: playing === true,
          }}
          clock={controls.clock}
          alarm={alarm}
          readOnly={controls.readOnly === true}
          panel={layout.zoomed ?? ui.focused}
          width={columns}
        />
      </Box>
    </Box>
  );
}

interface PanelAtProps extends Pick<ScreenProps, 'controls' | 'panels' | 'ui'> {
  readonly id: Panel['id'];
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}

function PanelAt({ controls, panels, ui, id, width, height, focused }: PanelAtProps): ReactElement | null {
  const Component = panels.find((panel) => panel.id === id)?.Component;
  const intervalMs = useShownInterval(controls, ui);
  if (!Component) return null;
  return (
    <Component {...{ controls, width, height, focused, intervalMs }} view={ui.views[id]} frozen={ui.paused?.state} />
  );
}

/** Of a recording it is what it was then. */
function useShownInterval({ store, tape }: Controls, ui: UiState): number {
  const recorded = useStore(store, intervalOf);
  return (tape && recorded) ?? ui.intervalMs;
}

const intervalOf = (state: State) => state.interval?.intervalMs;

/** What of the data the layout depends on, as one value that compares by itself. */
function shapeOf(init: { readonly state: State; readonly columns: number; readonly ui: UiState }): string {
  const { state, columns, ui } = init;
  const { gpus, gpuRoles, throughput, logs, run, facts } = state;
  const gpuCount = gpus?.uuid.length ?? facts?.nvidia?.gpuCount ?? 0;
  const reasonRows = linkReason(state, columns).length;
  const progress = toldCaptures(state, ui.reading, state.committedAt).length > 0 ? 1 : 0;
  const gpuLines = gpuGroupLines(gpus?.index ?? [], gpuRoles);
  const hasLog = logs.size > 0 ? 1 : 0;
  const alarm = urgent(state).length > 0 ? 1 : 0;
  return [gpuCount, gpuLines, queueRows(throughput), hasLog, reasonRows, progress, alarm, run?.phase].join(' ');
}

/** A row a queue, and the stages with their title below. */
function queueRows({ queues, stages }: State['throughput']): number {
  const stageCount = Object.keys(stages).length;
  return Object.keys(queues).length + (stageCount > 0 ? stageCount + 1 : 0);
}

function place(init: {
  readonly shape: string;
  readonly columns: number;
  readonly rows: number;
  readonly ui: UiState;
  readonly hasTape: boolean;
}): Layout | undefined {
  const { shape, columns, rows, ui, hasTape } = init;
  const [gpuCount = 0, gpuLines = 0, queueCount = 0, hasLog = 0, reasonRows = 0, progress = 0, alarm = 0] = shape
    .split(' ')
    .map(Number);
  return layoutOf({
    columns,
    rows,
    gpuCount,
    gpuLines,
    queueCount,
    hasLog: hasLog === 1,
    reasonRows,
    hasTape,
    hasProgress: progress === 1,
    hasAlarm: alarm === 1,
    focused: ui.focused,
    zoomed: ui.zoomed,
  });
}
