import type { ReactElement } from 'react';
import type { Controls } from '../controls.ts';
import type { Mode } from '../keys/context.ts';
import type { UiState } from '../ui-state.ts';
import { useStore } from '../use-store.ts';
import { BoxView } from '../black-box/box-view.tsx';
import { AlarmsView } from '../alarms/alarms-view.tsx';
import { CapturesView } from './captures-view.tsx';
import { EventsView } from './events-view.tsx';
import { FlameView } from './flame-view.tsx';
import { FormView } from './form.tsx';
import { Help } from './help.tsx';
import { Picker } from './picker.tsx';
import { QuestionView } from './question.tsx';
import type { Question } from './questions.ts';
import { SignalMenu } from './signal-menu.tsx';
import { StacksView } from './stacks-view.tsx';
import { Why } from './why.tsx';

interface OverlaysProps {
  readonly controls: Controls;
  readonly ui: UiState;
  readonly mode: Mode;
  readonly question: Question | undefined;
  readonly width: number;
  readonly height: number;
}

/** What lies over the panels in this mode. It shows the present, also while the screen is paused; why the headline says so is as that is. */
export function Overlays({ controls, ui, mode, question, width, height }: OverlaysProps): ReactElement | null {
  const state = useStore(controls.store, (state) => state);
  const size = { width, height };
  if (question?.kind === 'form') return <FormView form={question} {...size} />;
  if (question) return <QuestionView question={question} {...size} />;
  if (mode === 'help') return <Help top={ui.helpTop} controls={controls} {...size} />;
  if (mode === 'picker') return <Picker state={state} cursor={ui.pickerCursor} {...size} />;
  if (mode === 'events') return <EventsView controls={controls} cursor={ui.eventCursor} {...size} />;
  if (mode === 'signals') return <SignalMenu view={ui.signals} now={controls.clock.now()} {...size} />;
  if (mode === 'alarms') return <AlarmsView {...{ state, controls }} at={ui.alarmAt} {...size} />;
  if (mode === 'why')
    return <Why state={ui.paused?.state ?? state} top={ui.whyTop} isReplay={controls.tape !== undefined} {...size} />;
  if (mode === 'box') return <BoxView state={state} place={ui.box} {...size} />;
  const { reading } = ui;
  if (mode === 'captures') return <CapturesView {...{ state, reading }} isLive={!controls.tape} {...size} />;
  if (mode === 'flame') return <FlameView {...{ state, reading }} {...size} />;
  if (mode === 'stacks' || mode === 'search') return <StacksView {...{ state, reading }} {...size} />;
  return null;
}
