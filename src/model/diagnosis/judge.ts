import type { Clue, Judgement, Rule } from './rule.ts';
import type { Readings } from './signals.ts';
import type { Subject } from './subjects.ts';
import { thresholds } from './thresholds.ts';

/** Below it a judgement is worth nothing. */
const least = 0.15;

/**
 * Asks one rule of one subject; undefined where it does not hold. The confidence is the share of the rule's weights that is told and holds; half
 * of those that are told and do not hold, and all that speak against it, are taken away. So a signal that nobody told lowers it, and
 * never turns the judgement.
 */
export function judge(rule: Rule, subject: Subject, readings: Readings): Judgement | undefined {
  const held: Clue[] = [];
  const contrary: Clue[] = [];
  const untold: Clue[] = [];
  let total = 0;
  let sum = 0;
  for (const asked of rule.must) {
    const clue = toldOf(asked, readings);
    const weight = asked.weight ?? 1;
    total += weight;
    if (!clue) {
      if (asked.needed) return undefined;
      untold.push(asked);
      continue;
    }
    if (!holds(clue, readings)) return undefined;
    sum += weight;
    held.push(clue);
  }
  if (rule.must.length > 0 && rule.must.every((clue) => untold.includes(clue))) return undefined;
  for (const asked of rule.speaksFor) {
    const clue = toldOf(asked, readings);
    const weight = asked.weight ?? 1;
    if (clue ? asked.onlyMissed : asked.optional) continue;
    total += weight;
    if (!clue) untold.push(asked);
    else if (holds(clue, readings)) {
      sum += weight;
      held.push(clue);
    } else {
      sum -= weight / 2;
      contrary.push(clue);
    }
  }
  for (const asked of rule.speaksAgainst) {
    const clue = toldOf(asked, readings);
    if (!clue || !holds(clue, readings)) continue;
    sum -= asked.weight ?? 1;
    contrary.push(clue);
  }
  const confidence = Math.min(rule.most ?? 1, total === 0 ? 0 : sum / total);
  if (confidence < least) return undefined;
  return { rule, subject, readings, confidence, held, contrary, untold };
}

/** The clue, or the first in its place that somebody told. */
function toldOf(clue: Clue, readings: Readings): Clue | undefined {
  if (readings[clue.signal] !== undefined) return clue;
  return clue.or?.find(({ signal }) => readings[signal] !== undefined);
}

function holds({ signal, least: low, most: high }: Clue, readings: Readings): boolean {
  const value = readings[signal]?.value;
  if (value === undefined) return false;
  return (
    (low === undefined || value >= thresholds[low].value) && (high === undefined || value <= thresholds[high].value)
  );
}
