/** How Ink draws the screen, but for its streams. */
export const drawOptions = {
  // Ink takes a terminal where CI is set for none, and would draw only the last frame.
  interactive: true,
  alternateScreen: true,
  incrementalRendering: true,
  exitOnCtrlC: false,
  patchConsole: false,
  /**
   * Ink (7.1.1) draws no sooner than 1000 / maxFps after the frame before, 34 ms by default: a key that came right behind a frame of the data waited for that
   * long. Data needs no brake here: the store commits at its own pace (`model/store.ts`), and what plays fast is held (`calm` in `commands/watch.tsx`, the player).
   */
  maxFps: 250,
} as const;
