import type { State } from '../../model/store.ts';
import type { VerdictsSample } from '../../model/verdict-samples.ts';
import { verdictGapMs } from '../../model/verdict-spans.ts';
import { drawnAt } from '../use-store.ts';

/** Until when the verdicts say what holds, and how old they are where that is not now. */
export interface VerdictAge {
  readonly heldTo: number;
  /** Absent: they are of now. */
  readonly oldMs?: number;
}

/** They are old when none came for a while, or while the link is lost. */
export function verdictAge(state: State, { receivedAt }: VerdictsSample): VerdictAge {
  const now = drawnAt(state);
  const ageMs = now - receivedAt;
  const isLost = state.link !== undefined && state.link.state !== 'up';
  const isOld = isLost || ageMs > verdictGapMs(state.interval?.intervalMs);
  return isOld ? { heldTo: receivedAt, oldMs: Math.max(0, ageMs) } : { heldTo: Math.max(now, receivedAt) };
}
