import type { RateSummary, ThroughputSummary } from '../../model/throughput-summary.ts';
import { bar } from '../parts/bar.ts';
import {
  absent,
  formatBytesShort,
  formatCount,
  formatDifference,
  formatDuration,
  formatFixed,
  formatPercent,
  formatSeconds,
  formatSignificant,
} from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { named } from '../parts/meter.ts';
import { ranked } from '../parts/ranked.ts';
import { flow } from '../parts/table.ts';

const unitNames = { tokens: 'tok/s', samples: 'samples/s', steps: 'steps/s' } as const;

/** `tok/s 14.5K  1 min 14.3K  best 15.1K  96%`: what is asked first stays longest; the loss too where it has no line of its own. */
export function speedLine(summary: ThroughputSummary, width: number, withLoss: boolean): Line {
  const { rate, tokensScope, mfuPercent } = summary;
  const { unit = 'tokens', meanMinute, meanQuarter, best, shareOfBest } = rate ?? ({} as Partial<RateSummary>);
  const name = unitNames[unit] + (unit === 'tokens' && tokensScope === 'gpu' ? ' a GPU' : '');
  const now = marked(formatCount(rate?.now.value), rate?.derived);
  const share = shareOfBest === undefined ? undefined : 100 * shareOfBest;
  const sharePiece: Line =
    share === undefined ? [] : [{ text: ` ${padded(formatPercent(share), 4)}`, tone: shareTone(share) }];
  return ranked(
    [
      { rank: 0, line: named(name, padded(now, rate?.derived ? 6 : 5), 'strong') },
      { rank: 4, line: named('1 min', padded(formatCount(meanMinute), 5)) },
      { rank: 5, line: named('15 min', padded(formatCount(meanQuarter), 5)) },
      { rank: 1, line: named('best', padded(formatCount(best?.value), 5)), addition: sharePiece },
      { rank: 2, line: baselinePiece(rate) },
      { rank: 3, line: withLoss ? lossPiece(summary, 6) : [] },
      { rank: 6, line: mfuPercent ? named('MFU', `${formatFixed(mfuPercent.value, 1)}%`) : [] },
    ],
    width,
  );
}

function shareTone(percent: number): Tone {
  return percent < 50 ? 'bad' : percent < 80 ? 'warn' : 'dim';
}

/** `baseline 15.0K -3.2%`. */
function baselinePiece(rate: RateSummary | undefined): Line {
  if (!rate?.baseline) return [];
  const { value, difference } = rate.baseline;
  const tone: Tone = difference < -0.2 ? 'bad' : difference < -0.05 ? 'warn' : difference > 0.05 ? 'ok' : 'plain';
  return [
    ...named('baseline', padded(formatCount(value), 5)),
    { text: ` ${padded(formatDifference(difference), 6)}`, tone },
  ];
}

/** What else the log tells of speed: `MFU 41.2%  412 TFLOP/s  memory 66.9G`; empty where it tells nothing more. */
export function moreLine(summary: ThroughputSummary, width: number): Line {
  const {
    mfuPercent,
    tflopsPerSecond,
    memoryBytes,
    samplesPerSecond,
    iterationsPerSecond,
    elapsedSeconds,
    rate,
    derived,
  } = summary;
  const isDerived = derived.includes('iterationsPerSecond');
  const pieces = [
    mfuPercent ? named('MFU', `${padded(formatFixed(mfuPercent.value, 1), 4)}%`) : [],
    tflopsPerSecond ? named('TFLOP/s', padded(formatCount(tflopsPerSecond.value), 5)) : [],
    memoryBytes ? named('memory', padded(formatBytesShort(memoryBytes.value), 5)) : [],
    samplesPerSecond && rate?.unit !== 'samples'
      ? named('samples/s', padded(formatCount(samplesPerSecond.value), 5))
      : [],
    iterationsPerSecond && rate?.unit !== 'steps' && !isDerived
      ? named('steps/s', padded(formatCount(iterationsPerSecond.value), 5))
      : [],
    elapsedSeconds ? named('elapsed', padded(formatDuration(elapsedSeconds.value), 7)) : [],
  ];
  return flow(pieces, width);
}

/** `step 1200/20000 ▇▄······ 6.0%  ETA 6h 31m  step time 1.25s`; of a trainer that counts within its epoch, that of the epoch. */
export function stepLine(summary: ThroughputSummary, width: number): Line {
  const { step, totalSteps, stepInEpoch, stepsPerEpoch, stepSeconds, etaSeconds, epochEtaSeconds, epoch, derived } =
    summary;
  const inEpoch =
    stepInEpoch !== undefined && (step === undefined || (totalSteps === undefined && stepsPerEpoch !== undefined));
  const [at, total] = inEpoch ? [stepInEpoch, stepsPerEpoch] : [step, totalSteps];
  const share = at && total && at.value <= total ? at.value / total : undefined;
  const count = at === undefined ? absent : String(at.value);
  const ofEpoch = etaSeconds === undefined && epochEtaSeconds !== undefined;
  const eta = marked(
    formatDuration(ofEpoch ? epochEtaSeconds : etaSeconds),
    derived.includes(ofEpoch ? 'epochEtaSeconds' : 'etaSeconds'),
  );
  const epochPiece = epoch
    ? named('epoch', Number.isInteger(epoch.value) ? String(epoch.value) : formatSignificant(epoch.value, 3))
    : [];
  const head: Segment[] = [
    ...(inEpoch && epoch ? [...epochPiece, { text: '  ' }] : []),
    ...named(
      'step',
      padded(count, total === undefined ? 6 : String(total).length) + (total === undefined ? '' : `/${total}`),
    ),
  ];
  const tail = [
    named(ofEpoch ? 'epoch ETA' : 'ETA', padded(eta, 8)),
    named('step time', padded(marked(formatSeconds(stepSeconds), derived.includes('stepSeconds')), 7)),
    inEpoch ? (step ? named('global step', String(step.value)) : []) : epochPiece,
  ];
  if (share === undefined) return flow([head, ...tail], width);
  if (width < 46) return flow([[...head, { text: ` ${formatPercent(100 * share)}`.padStart(5) }], ...tail], width);
  const size = Math.min(24, Math.max(4, width - 68));
  const progress = [
    { text: ' ' },
    ...bar([{ share, tone: 'ok' }], size),
    { text: ` ${formatFixed(100 * share, 1)}%`.padStart(7) },
  ];
  return flow([[...head, ...progress], ...tail], width);
}

/** `loss 2.3012  val 2.41  lr 3.00e-5  grad norm 1.234`; a loss that is no number is told in words' weight. */
export function lossLine(summary: ThroughputSummary, width: number): Line {
  const { learningRate, gradNorm, validationLoss } = summary;
  const norm = padded(formatSignificant(gradNorm?.value, 3), 7);
  return ranked(
    [
      { rank: 0, line: lossPiece(summary) },
      { rank: 1, line: validationLoss ? named('val', padded(formatSignificant(validationLoss.value, 4), 6)) : [] },
      { rank: 3, line: named('lr', padded(formatSignificant(learningRate?.value, 3), 8)) },
      { rank: 2, line: named('grad norm', norm, gradNorm && !Number.isFinite(gradNorm.value) ? 'bad' : 'plain') },
    ],
    width,
  );
}

/** In 6 cells with a digit less. */
function lossPiece({ loss }: ThroughputSummary, cells: 6 | 7 = 7): Line {
  return named(
    'loss',
    padded(formatSignificant(loss?.value, cells === 7 ? 4 : 3), cells),
    loss && !Number.isFinite(loss.value) ? 'bad' : 'strong',
  );
}

/** What the log does not print is made of what it does. */
function marked(text: string, derived: boolean | undefined): string {
  return derived === true && text !== absent ? `~${text}` : text;
}

/** Changing digits do not move what follows. */
function padded(text: string, width: number): string {
  return text.padStart(width);
}
