import type UPlot from 'uplot';

declare global {
  /** It stands in the page before the script. */
  const uPlot: typeof UPlot;
}
