import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';

const check = checksOf('Record');

/** The file that keeps what was run on hosts. */
export function recordChecks({ audit }: Findings): readonly Check[] {
  if (!audit) return [check('record', 'audit log', { status: 'ok', found: 'none: the host is simulated' })];
  return [check('record', 'audit log', tell(audit))];
}

function tell({ path, written, lost, fault }: NonNullable<Findings['audit']>): Told {
  if (fault === undefined) return { status: 'ok', found: `${path}, ${written} lines written` };
  return {
    status: 'warn',
    found: `${path}: ${lost} lines could not be written`,
    why: fault,
    mend: 'make room or give the folder to this user (XDG_STATE_HOME names another); traintop goes on without',
  };
}
