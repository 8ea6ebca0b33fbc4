import type { Controls } from '../../src/ui/controls.ts';
import { press } from '../../src/ui/keymap.ts';
import type { KeyContext } from '../../src/ui/keys/context.ts';
import { layout } from '../../src/ui/layout.ts';
import { createQuestions } from '../../src/ui/overlays/questions.ts';
import { panels } from '../../src/ui/panels/index.ts';
import { createUiStore, type UiStore } from '../../src/ui/use-store.ts';
import { fill, makeControls, type MadeControls } from './made-store.ts';

/** A screen without a terminal: keys are pressed, and its state looked at. */
export interface Session {
  readonly controls: MadeControls;
  readonly ui: UiStore;
  readonly exits: () => number;
  press(...keys: string[]): void;
}

/** One of its own; `empty`: no data yet. */
export function session({ columns = 120, rows = 40, empty = false, change = {} as Partial<Controls> } = {}): Session {
  const controls = makeControls(change);
  const ownQuestions = createQuestions();
  if (!empty) fill(controls, 3);
  const ui = createUiStore(1000);
  let exits = 0;
  const context = (): KeyContext => {
    const now = ui.get();
    const { focused, zoomed } = now;
    return {
      ui: now,
      dispatch: ui.dispatch,
      state: now.paused?.state ?? controls.store.getState(),
      layout: layout({ columns, rows, gpuCount: 8, queueCount: 2, hasLog: true, focused, zoomed }),
      panels,
      controls,
      question: ownQuestions.current(),
      questions: ownQuestions,
      ownQuestions,
      helpStarts: 30,
      whyStarts: 10,
      exit: () => exits++,
      handOver: async (use) => use(),
    };
  };
  return {
    controls,
    ui,
    exits: () => exits,
    press(...keys) {
      for (const key of keys) press(context(), { key, text: key.length === 1 ? key : '' });
    },
  };
}
