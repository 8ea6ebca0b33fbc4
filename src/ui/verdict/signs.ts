import type { Situation } from '../../model/situations.ts';
import type { Tone } from '../parts/line.ts';

/** How a situation looks: its shape says what its tone says. Of several in one place the highest rank is shown. */
export interface SituationSign {
  readonly mark: string;
  readonly tone: Tone;
  readonly rank: number;
}

const good: SituationSign = { mark: '●', tone: 'ok', rank: 1 };
const usual: SituationSign = { mark: '▸', tone: 'focus', rank: 2 };
const slow: SituationSign = { mark: '▼', tone: 'warn', rank: 3 };
const bad: SituationSign = { mark: '▲', tone: 'bad', rank: 4 };
const unknown: SituationSign = { mark: '○', tone: 'dim', rank: 0 };

/** Well, something that every run does, slower than it could be, no good, or not known. */
export const situationSigns: Readonly<Record<Situation, SituationSign>> = {
  'compute-bound': good,
  'bandwidth-bound': good,
  'input-bound': slow,
  'launch-bound': slow,
  'sync-bound': slow,
  'gil-contention': slow,
  'allocator-churn': slow,
  'copy-bound': slow,
  'collective-wait': slow,
  'collective-hang': bad,
  'producer-bound': slow,
  'consumer-bound': slow,
  throttled: bad,
  'host-overloaded': slow,
  'warming-up': usual,
  checkpointing: usual,
  evaluating: usual,
  stalled: bad,
  dead: bad,
  unknown,
};
