import type { RuleCount } from '../../model/roles/rules.ts';
import { safeText } from '../../model/text.ts';
import type { Controls } from '../controls.ts';

/** How threads come to their names and roles, as rows of the help: whether a rule of the user's fits anything is seen here. */
export function namingRows(naming: Controls['naming']): readonly (readonly [term: string, text: string])[] {
  if (!naming) return [];
  const { rules, dumps } = naming();
  return [['name dumps', dumps], ...rules.map(ruleRow)];
}

function ruleRow({ rule, threads, isLeftOut = false }: RuleCount): readonly [string, string] {
  const patterns = (['name', 'comm', 'stack'] as const).flatMap((key) => {
    const pattern = rule[key];
    return pattern ? [`${key} ${safeText(String(pattern))}`] : [];
  });
  if (isLeftOut) return [rule.role, `the rule ${patterns.join(', ')} takes too long to try, and is left out`];
  const count = threads === 0 ? 'fits no thread so far' : `fits ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  return [rule.role, `the rule ${patterns.join(', ')} ${count}`];
}
