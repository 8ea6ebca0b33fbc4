import { whatRolesDid, type RoleDoing } from '../../model/stacks/doing.ts';
import { exportMarkdown } from '../../model/stacks/export/markdown.ts';
import { exportText } from '../../model/stacks/export/text.ts';
import { aboutCapture, percent } from '../../model/stacks/export/about.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import { placeOf } from '../../model/stacks/search.ts';
import { version } from '../version.ts';
import type { Taken } from './report.ts';

/** A capture for reading: of a dump its stacks, of more than one look what each role did; then what was saved. */
export function stacksText({ capture, state, wish }: Taken, folded: Folded): string {
  const about = aboutCapture(state, capture, version);
  if (wish.form === 'markdown') return exportMarkdown(folded, about);
  const text = exportText(folded, about);
  const files = capture.files.map((file) => `Saved: ${file}\n`).join('');
  if (folded.samples <= 1) return `${text}${files === '' ? '' : `\n${files}`}`;
  const [head = ''] = text.split('\n\n', 1);
  const doing =
    folded.stacks.length > 0 ? rolesText(folded) : folded.gilOnly ? 'No thread held the GIL.' : 'No stack was seen.';
  return `${head}\n\n${doing}\n${files === '' ? '' : `\n${files}`}`;
}

/** Lines of a role beside its first: classes, and where they were. */
const mostTops = 3;

function rolesText(folded: Folded): string {
  const looks = folded.processes.reduce((sum, { samples }) => sum + samples, 0);
  return whatRolesDid(folded)
    .flatMap((role) => [headOf(role, folded, looks), ...topsOf(role)])
    .join('\n');
}

/** Of a record of who has the GIL the counts are a share of the time: one has it at a time. */
function headOf({ role, threads, count, classes }: RoleDoing, { gilOnly }: Folded, looks: number): string {
  const what = gilOnly
    ? `held the GIL ${percent(looks > 0 ? count / looks : 0)} of the time`
    : classes.map(({ class: name, share }) => `${name} ${percent(share)}`).join(', ');
  return `${role}, ${threads} thread${threads === 1 ? '' : 's'}: ${what}`;
}

function topsOf({ tops }: RoleDoing): readonly string[] {
  return tops.slice(0, mostTops).map(({ frame, caller, share, class: name }) => {
    const where = caller ?? frame;
    return `    ${percent(share).padStart(7)}  ${name}: ${where ? placeOf(where) : 'no Python frame'}`;
  });
}
