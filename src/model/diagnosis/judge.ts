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
  // Most rules end here: nothing is made for them.
  if (!mustHold(rule, readings)) return undefined;
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
      untold.push(asked);
      continue;
    }
    sum += weight;
    held.push(clue);
  }
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
  const ceiling = ceilingOf(rule, readings);
  untold.push(...(ceiling?.untold ?? []));
  const confidence = Math.min(rule.most ?? 1, ceiling?.most ?? 1, total === 0 ? 0 : sum / total);
  if (confidence < least) return undefined;
  return { rule, subject, readings, confidence, held, contrary, untold };
}

/** The ceiling of a rule, where it counts, and what would lift it. */
function ceilingOf({ ceiling }: Rule, readings: Readings) {
  if (!ceiling) return undefined;
  const asked = ceiling.unless.map((clue) => ({ clue, told: toldOf(clue, readings) }));
  if (asked.some(({ told }) => told && holds(told, readings))) return undefined;
  return { most: ceiling.most, untold: asked.flatMap(({ clue, told }) => (told ? [] : clue)) };
}

/** Whether all that has to hold does; what nobody told may, unless it is needed, or all that is asked for. */
function mustHold({ must }: Rule, readings: Readings): boolean {
  let isAnyTold = must.length === 0;
  for (const asked of must) {
    const clue = toldOf(asked, readings);
    if (clue ? !holds(clue, readings) : asked.needed) return false;
    if (clue) isAnyTold = true;
  }
  return isAnyTold;
}

/** The clue, or the first in its place that somebody told. */
function toldOf(clue: Clue, readings: Readings): Clue | undefined {
  if (isTold(clue, readings)) return clue;
  return clue.or?.find((each) => isTold(each, readings));
}

/** What may be more than it says tells only that it is above a border, never that it is below. */
function isTold({ signal, least, most }: Clue, readings: Readings): boolean {
  const reading = readings[signal];
  if (!reading?.isLeast) return reading !== undefined;
  if (most !== undefined) return reading.value > thresholds[most].value;
  return least === undefined || reading.value >= thresholds[least].value;
}

function holds({ signal, least: low, most: high }: Clue, readings: Readings): boolean {
  const value = readings[signal]?.value;
  if (value === undefined) return false;
  return (
    (low === undefined || value >= thresholds[low].value) && (high === undefined || value <= thresholds[high].value)
  );
}
