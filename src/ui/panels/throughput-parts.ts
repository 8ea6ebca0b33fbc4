import { heardUntil } from '../../model/heard.ts';
import { seriesName } from '../../model/history.ts';
import type { LogField } from '../../model/samples.ts';
import type { ThroughputSummary } from '../../model/throughput.ts';
import { bar } from '../parts/bar.ts';
import {
  absent,
  formatCount,
  formatDuration,
  formatFixed,
  formatPercent,
  formatSeconds,
  formatSignificant,
} from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { named } from '../parts/meter.ts';
import { lineWidth } from '../parts/render-line.ts';
import { scaleOf, slotsOf, slotsPerCell, spark, type Slots } from '../parts/spark.ts';
import { clip, flow } from '../parts/table.ts';
import { drawnAt } from '../use-store.ts';
import type { PanelInput } from './panel.ts';

/** `tok/s 14.5K  1 min 14.3K  best 15.1K  96%`: what is asked first stays longest; the loss too where it has no line of its own. */
export function speedLine(summary: ThroughputSummary, width: number, withLoss: boolean): Line {
  const { tokensPerSecond, samplesPerSecond, bestTokensPerSecond, meanTokensPerSecondMinute, mfuPercent } = summary;
  const now = tokensPerSecond?.value;
  if (now === undefined && samplesPerSecond) {
    const samples = named('samples/s', padded(formatCount(samplesPerSecond.value), 5), 'strong');
    return flow([samples, withLoss ? lossPiece(summary) : []], width);
  }
  const best = bestTokensPerSecond?.value;
  const share = now === undefined || !best ? undefined : (100 * now) / best;
  const bestPiece = named('best', padded(formatCount(best), 5));
  const sharePiece: Line = share === undefined ? [] : [{ text: ` ${padded(formatPercent(share), 4)}`, tone: 'dim' }];
  return ranked(
    [
      [0, named(summary.tokensScope === 'gpu' ? 'tok/s a GPU' : 'tok/s', padded(formatCount(now), 5), 'strong')],
      [3, named('1 min', padded(formatCount(meanTokensPerSecondMinute), 5))],
      [1, bestPiece, sharePiece],
      [2, withLoss ? lossPiece(summary, 6) : []],
      [4, mfuPercent ? named('MFU', `${formatFixed(mfuPercent.value, 1)}%`) : []],
      [5, samplesPerSecond ? named('samples/s', padded(formatCount(samplesPerSecond.value), 5)) : []],
    ],
    width,
  );
}

/** A piece, how soon it gets a place (0 first), and what is added to it where there is room for all up to rank 2. */
type Ranked = readonly [rank: number, piece: Line, addition?: Line];

/** The pieces that find room by rank, in the order given, two blanks apart. */
function ranked(pieces: readonly Ranked[], width: number): Line {
  const kept = new Map<Ranked, Line>();
  const shown = () => pieces.flatMap((piece) => [kept.get(piece) ?? []]).filter((line) => line.length > 0);
  const taken = () => shown().reduce((sum, line) => sum + lineWidth(line), 2 * (shown().length - 1));
  const offer = (piece: Ranked, line: Line) => {
    const before = kept.get(piece);
    kept.set(piece, line);
    if (taken() <= width) return;
    if (before) kept.set(piece, before);
    else kept.delete(piece);
  };
  const byRank = [...pieces].sort(([a], [b]) => a - b);
  for (const piece of byRank.filter(([rank]) => rank <= 2)) offer(piece, piece[1]);
  for (const piece of byRank.filter(([, , addition]) => addition)) offer(piece, [...piece[1], ...(piece[2] ?? [])]);
  for (const piece of byRank.filter(([rank]) => rank > 2)) offer(piece, piece[1]);
  return kept.size === 0 ? clip(byRank[0]?.[1] ?? [], width) : flow(shown(), width);
}

/** `step 1200/20000 ▇▄······ 6.0%  ETA 6h 31m  step time 1.25s`. */
export function stepLine(summary: ThroughputSummary, width: number): Line {
  const { step, totalSteps, stepSeconds, stepSecondsDerived, etaSeconds, epoch } = summary;
  const share = step && totalSteps ? step.value / totalSteps : undefined;
  const of = totalSteps === undefined ? '' : `/${totalSteps}`;
  const count = step === undefined ? absent : String(step.value);
  const tail = [
    named('ETA', padded(formatDuration(etaSeconds), 7)),
    named('step time', padded((stepSecondsDerived ? '~' : '') + formatSeconds(stepSeconds), 7)),
    epoch ? named('epoch', formatSignificant(epoch.value, 3)) : [],
  ];
  const head: Segment[] = [...named('step', padded(count, totalSteps ? String(totalSteps).length : 6) + of)];
  if (share === undefined) return flow([head, ...tail], width);
  if (width < 50) return flow([[...head, { text: ` ${formatPercent(100 * share)}`.padStart(5) }], ...tail], width);
  const size = Math.min(24, Math.max(4, width - 66));
  return flow(
    [
      [
        ...head,
        { text: ' ' },
        ...bar([{ share, tone: 'ok' }], size),
        { text: ` ${formatFixed(100 * share, 1)}%`.padStart(7) },
      ],
      ...tail,
    ],
    width,
  );
}

/** `loss 2.3012  lr 3.00e-5  grad norm 1.234`; a loss that is no number is told in words' weight. */
export function lossLine(summary: ThroughputSummary, width: number): Line {
  const { learningRate, gradNorm } = summary;
  return flow(
    [
      lossPiece(summary),
      named('lr', padded(formatSignificant(learningRate?.value, 3), 8)),
      named(
        'grad norm',
        padded(formatSignificant(gradNorm?.value, 3), 7),
        gradNorm && !Number.isFinite(gradNorm.value) ? 'bad' : 'plain',
      ),
    ],
    width,
  );
}

/** Graph of a value of the log, `rows` high, with its bounds and the time it covers: `14.9K ⣀⣀⣤⣶`. */
export function logGraph(
  input: PanelInput,
  graph: {
    readonly field: LogField;
    readonly rows: number;
    readonly width: number;
    readonly tone: Tone;
    readonly fromZero: boolean;
  },
): readonly Line[] {
  const { field, rows, width, tone, fromZero } = graph;
  const room = width - labelWidth;
  if (rows < 1 || room < 4) return [];
  const { values, windowMs } = logSlots(input, field, room * slotsPerCell);
  const known = values.filter((value) => value !== null && Number.isFinite(value));
  const scale = known.length === 0 ? undefined : scaleOf(values, fromZero ? 0 : undefined);
  const drawn = spark({ values, rows, shape: fromZero ? 'area' : 'line', ...(scale ?? {}) });
  const format = (value: number | undefined) => (field === 'loss' ? formatSignificant(value, 3) : formatCount(value));
  return drawn.map((text, row) => {
    const label =
      row === 0
        ? format(scale?.maximum)
        : row === rows - 1
          ? format(scale?.minimum)
          : row === rows - 2
            ? formatDuration(windowMs / 1000)
            : '';
    return [
      { text: label.padStart(labelWidth - 1) + ' ', tone: 'dim' },
      { text, tone },
    ];
  });
}

const labelWidth = 8;

/** A log speaks at its own pace: a value stands until the next, for at most three times the usual pause. */
function logSlots(
  { history, state, intervalMs }: PanelInput,
  field: LogField,
  count: number,
): { values: Slots; windowMs: number } {
  const series = history.get(seriesName.log(field));
  const to = drawnAt(state);
  const all = series?.summary()?.count ?? 0;
  // The finest slots that show all there is: the graph fills its width from the start, and halves as the run goes on.
  const factor =
    zooms.find((zoom) => series?.summary(to - zoom * intervalMs * count)?.count === all) ?? zooms.at(-1) ?? 1;
  const slotMs = factor * intervalMs;
  const windowMs = slotMs * count;
  if (!series) return { values: new Array<null>(count).fill(null), windowMs };
  const span = Math.min(windowMs, 600_000);
  const readings = series.summary(to - span)?.count ?? 0;
  const pauseMs = readings === 0 ? slotMs : span / readings;
  const hold = Math.ceil((3 * pauseMs) / slotMs);
  return { values: slotsOf(series, { to, slotMs, count, hold, heldTo: heardUntil(state) }), windowMs };
}

const zooms = [0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600];

/** In 6 cells with a digit less. */
function lossPiece({ loss }: ThroughputSummary, cells: 6 | 7 = 7): Line {
  return named(
    'loss',
    padded(formatSignificant(loss?.value, cells === 7 ? 4 : 3), cells),
    loss && !Number.isFinite(loss.value) ? 'bad' : 'strong',
  );
}

/** Changing digits do not move what follows. */
function padded(text: string, width: number): string {
  return text.padStart(width);
}
