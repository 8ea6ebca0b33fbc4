import { heardUntil } from '../../model/heard.ts';
import { seriesName } from '../../model/history.ts';
import type { QueueState } from '../../model/queue-capacity.ts';
import { formatCount, formatDuration } from '../parts/format.ts';
import type { Line, Tone } from '../parts/line.ts';
import { slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import { cutText, plainText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import type { PanelInput } from './panel.ts';

/** Fewer rows show no more than the history beside the depth. */
const fewestRows = 4;
const mostRows = 24;
const labelWidth = 11;
const spanMs = 600_000;
/** A log that prints every so often: a depth stands for half a minute. */
const holdMs = 30_000;

/** Depths of the last ten minutes or so, as far as there are rows: `60 ⣀⣤⣶`, one queue below the other. */
export function queueGraphs(
  input: PanelInput,
  { queues, rows }: { readonly queues: readonly (QueueState & { readonly tone: Tone })[]; readonly rows: number },
): readonly Line[] {
  const shown = queues.slice(0, Math.floor(rows / (fewestRows + 1)));
  if (shown.length === 0 || input.width < 40) return [];
  const each = Math.min(mostRows, Math.floor(rows / shown.length) - 1);
  return shown.flatMap((queue) => [[], ...graph(input, queue, each)]);
}

function graph(
  { history, state, intervalMs, width }: PanelInput,
  queue: QueueState & { readonly tone: Tone },
  rows: number,
) {
  const count = (width - labelWidth) * slotsPerCell;
  const slotMs = Math.max(intervalMs, Math.ceil(spanMs / count / 1000) * 1000);
  const values = slotsOf(history.get(seriesName.queue(queue.name)), {
    ...{ to: drawnAt(state), slotMs, count, hold: Math.ceil(holdMs / slotMs), heldTo: heardUntil(state) },
  });
  const top = queue.capacity ?? Math.max(1, ...values.map((value) => value ?? 0));
  const labels = new Map([
    [0, formatCount(top)],
    [1, cutText(plainText(queue.name), labelWidth - 1)],
    [rows - 2, formatDuration((slotMs * count) / 1000)],
    [rows - 1, '0'],
  ]);
  return spark({ values, rows, minimum: 0, maximum: top }).map((text, row): Line => [
    { text: (labels.get(row) ?? '').padStart(labelWidth - 1) + ' ', tone: 'dim' },
    { text, tone: queue.tone },
  ]);
}
