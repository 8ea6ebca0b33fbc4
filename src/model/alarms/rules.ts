import type { AlarmName } from '../alarm-samples.ts';
import type { Situation } from '../situations.ts';
import { catalogue } from './catalogue.ts';
import type { AlarmRule, AlarmSettings, VerdictAlarm } from './settings.ts';

/** What holds of one alarm: the user's word before the catalogue's. */
export type RuleOf = (alarm: AlarmName) => AlarmRule & { readonly off: boolean };

/** Rules as the settings have them. */
export function rulesOf({ off, rules = {} }: AlarmSettings): RuleOf {
  const made = new Map<AlarmName, ReturnType<RuleOf>>();
  return (alarm) => {
    const known = made.get(alarm);
    if (known) return known;
    const { off: isOff, ...own } = rules[alarm] ?? {};
    const { rule, worse } = catalogue[alarm];
    const threshold = own.threshold ?? rule.threshold;
    // A border that was moved takes that of its end along, unless that was said too: else it could be over on the wrong side.
    const moved = own.threshold !== undefined && own.clear === undefined && worse !== 'once';
    const clear = moved ? movedClear(rule, threshold) : (own.clear ?? rule.clear);
    const all = { ...rule, ...own, threshold, clear, off: off === true || isOff === true };
    made.set(alarm, all);
    return all;
  };
}

function movedClear({ threshold, clear }: AlarmRule, to: number): number {
  return threshold === 0 ? clear : (clear / threshold) * to;
}

/** A verdict that rings, all told. */
export interface VerdictRule {
  readonly situation: Situation;
  readonly confidence: number;
  readonly forMs: number;
  readonly severity: AlarmRule['severity'];
}

/** Verdicts that ring where nobody says otherwise: nothing comes back by itself from them. `stalled` says no more than that no step comes: it rings where `no-step` cannot tell, or where it is asked for by name. */
const verdictsByDefault: readonly VerdictAlarm[] = [
  { situation: 'collective-hang' },
  { situation: 'stalled', forMs: 120_000 },
];

/** Verdicts that ring. */
export function verdictRules({ verdicts = [] }: AlarmSettings, { threshold, forMs, severity }: AlarmRule) {
  const all = new Map<Situation, VerdictRule>();
  for (const { situation, off, ...own } of [...verdictsByDefault, ...verdicts]) {
    const before = all.get(situation) ?? { situation, confidence: threshold, forMs, severity };
    if (off) all.delete(situation);
    else all.set(situation, { ...before, ...own });
  }
  return all;
}
