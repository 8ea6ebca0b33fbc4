import type { Evidence } from '../../model/verdict-samples.ts';
import { panels } from '../panels/index.ts';
import type { PanelId } from '../panels/panel.ts';

/** Where on the screen a figure is found: the key that goes there, and its name. */
export interface Place {
  readonly key: string;
  readonly name: string;
}

/** The place of a figure; undefined where no panel shows it. */
export function placeOf({ signal, source }: Pick<Evidence, 'signal' | 'source'>): Place | undefined {
  if (source === 'stacks' || source === 'gil') return { key: 'S', name: 'captures' };
  const id = panelOfSignal(signal) ?? panelOfSource[source];
  const panel = panels.find((each) => each.id === id);
  return panel && { key: panel.digit, name: panel.title };
}

const panelOfSource: Readonly<Record<string, PanelId>> = {
  gpu: 'gpus',
  gpm: 'gpus',
  threads: 'threads',
  waits: 'threads',
  processes: 'threads',
  run: 'threads',
  log: 'log',
  host: 'host',
};

/** Some of the log's are figures of a panel of their own. */
function panelOfSignal(signal: string): PanelId | undefined {
  if (signal.startsWith('queue')) return 'queues';
  return /^(?:step|data)[A-Z]/.test(signal) ? 'throughput' : undefined;
}
