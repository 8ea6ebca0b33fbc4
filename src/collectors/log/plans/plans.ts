import type { LogFormat } from '../formats/format.ts';
import { byOutline } from '../outline.ts';
import { matches } from './form.ts';
import { findPlan, type FullWays, type Plan } from './plan.ts';

/** Plans for lines of one outline: their numbers are written in several ways. */
const mostOfOutline = 12;
/** Of all lines together; then all are forgotten. */
const mostPlans = 1000;
/** To find one takes as long as to read so many lines: so many come for each. */
const linesForEach = 16;
/** Then there is none for an outline. */
const mostFailures = 4;
const mostAttempts = 40;
/** A longer line is one of a kind: nothing is remembered of its outline. */
const longestLine = 2000;

/** What is known of lines that are alike but for their digits. */
interface Known {
  readonly plans: { readonly format: LogFormat | undefined; readonly plan: Plan }[];
  lines: number;
  attempts: number;
  failures: number;
}

const withPlans = new Set<Known>();
let count = 0;

/**
 * Finds the plan for a line, if there is one for lines of its form, and looks for one where such lines come often. What `ways` gives hangs on
 * the text and the format alone.
 */
export function createPlans(
  waysOf: (format: LogFormat | undefined) => FullWays,
): (text: string, format: LogFormat | undefined) => Plan | undefined {
  const knownOf = byOutline((): Known => ({ plans: [], lines: 0, attempts: 0, failures: 0 }));
  return (text, format) => {
    if (text.length > longestLine) return undefined;
    const known = knownOf(text);
    const { plans } = known;
    known.lines++;
    for (let i = 0; i < plans.length; i++) {
      const one = plans[i];
      if (!one || one.format !== format || !matches(one.plan.form, text)) continue;
      // The next line is likely as this one.
      if (i > 0) {
        plans[i] = plans[i - 1] ?? one;
        plans[i - 1] = one;
      }
      return one.plan;
    }
    if (mayBePlanned(known)) look(known, text, format, waysOf(format));
    return undefined;
  };
}

const mayBePlanned = ({ lines, attempts, failures }: Known) =>
  attempts < mostAttempts && failures < mostFailures && lines >= linesForEach * (attempts + 1);

function look(known: Known, text: string, format: LogFormat | undefined, ways: FullWays): void {
  known.attempts++;
  const plan = findPlan(text, ways);
  if (!plan) {
    known.failures++;
    return;
  }
  if (count >= mostPlans) {
    for (const one of withPlans) one.plans.length = 0;
    withPlans.clear();
    count = 0;
  }
  withPlans.add(known);
  if (known.plans.length >= mostOfOutline) known.plans.pop();
  else count++;
  known.plans.unshift({ format, plan });
}
