import {
  adviceOf,
  confidenceWord,
  figureText,
  scopeWords,
  signalWords,
  situationWords,
} from '../../model/diagnosis/words.ts';
import type { State } from '../../model/store.ts';
import type { Verdict } from '../../model/verdict-samples.ts';
import { composeRow, type Piece } from '../parts/compose-row.ts';
import { formatDuration } from '../parts/format.ts';
import type { Line, Tone } from '../parts/line.ts';
import { verdictAge } from './age.ts';
import { situationSigns } from './signs.ts';

/** What the headline is made of. */
export interface HeadlineInput {
  readonly state: State;
  readonly width: number;
  /** A recording is played. */
  readonly isReplay?: boolean;
}

/** What the run waits for, in one row: what, of what, by which figures, how sure, since when. Dimmed where it is old. */
export function headline(input: HeadlineInput): { readonly line: Line; readonly dimmed: boolean } {
  const { state, width } = input;
  const { verdicts } = state;
  const [first, ...others] = verdicts?.verdicts ?? [];
  if (state.run?.phase === 'ended' && first?.situation !== 'dead') return said('run ended', width);
  if (!verdicts || !first) return said(nothingYet(input), width);
  const { heldTo, oldMs } = verdictAge(state, verdicts);
  const since = oldMs === undefined ? `for ${duration(heldTo - first.since)}` : `${duration(oldMs)} old`;
  const isUnknown = first.situation === 'unknown';
  const right: readonly Piece[] = [
    ...(isUnknown ? [] : [piece(1, confidenceWord(first.confidence))]),
    piece(2, since, oldMs === undefined ? 'plain' : 'warn'),
    ...(others.length > 0 ? [piece(2.2, `+${others.length} more`, 'dim')] : []),
    {
      rank: 5,
      line: [
        { text: 'w', tone: 'focus' },
        { text: ' why', tone: 'dim' },
      ],
    },
  ];
  return {
    line: composeRow({ left: isUnknown ? unknownPieces(first) : pieces(first), right, width }),
    dimmed: oldMs !== undefined,
  };
}

function pieces(verdict: Verdict): readonly Piece[] {
  const { situation, scope } = verdict;
  const { mark, tone } = situationSigns[situation];
  const about = scopeWords(verdict);
  const name = `${mark} ${situationWords[situation].name}`;
  return [
    { rank: 0, line: [{ text: ' ' }, { text: name, tone }] },
    ...(about === '' ? [] : [piece(1, about, 'strong')]),
    ...(scope.cause === undefined ? [] : [piece(2.5, scope.cause)]),
    { ...piece(3, summaryOf(verdict)), shortest: 12 },
  ];
}

/** What is missing, where sources are; and what to do. */
function unknownPieces(verdict: Verdict): readonly Piece[] {
  const { mark, tone } = situationSigns.unknown;
  const { name } = situationWords.unknown;
  const advice = adviceOf(verdict);
  // Where sources are missing, no key of the screen helps.
  const [lacks] = verdict.next[0]?.key === undefined && verdict.next.length > 0 ? verdict.summary.split('; ') : [];
  const first = [lacks, advice].find((each) => each !== undefined && each !== '');
  const isAll = advice === undefined || advice === first;
  const text = first === undefined ? name : `${name}: ${first}`;
  return [
    {
      ...piece(0, text),
      line: [
        { text: ` ${mark} `, tone },
        { text, tone: 'plain' },
      ],
      ...(isAll && { shortest: 20 }),
    },
    ...(isAll ? [] : [{ ...piece(3, advice), shortest: 20 }]),
  ];
}

/** As it was told; else its first figures. */
function summaryOf({ summary, evidence }: Verdict): string {
  if (summary !== '') return summary;
  return evidence
    .slice(0, 3)
    .map((figure) => `${signalWords(figure)} ${figureText(figure)}`)
    .join(', ');
}

/** Why there is no verdict. */
export function nothingYet({ state, isReplay = false }: HeadlineInput): string {
  if (state.verdicts) return 'no verdict yet: figures are gathered';
  if (isReplay) return 'no verdict at this time of the recording';
  if (state.run?.run === undefined) return 'no verdict: no run is watched';
  return 'no verdict yet: figures are gathered';
}

function said(text: string, width: number) {
  const { mark, tone } = situationSigns.unknown;
  return { line: composeRow({ left: [piece(0, ` ${mark} ${text}`, tone)], right: [], width }), dimmed: false };
}

function piece(rank: number, text: string, tone: Tone = 'plain'): Piece {
  return { rank, line: [{ text, tone }] };
}

const duration = (ms: number) => formatDuration(Math.max(0, ms) / 1000);
