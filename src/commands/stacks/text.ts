import { formatStacks } from '../../collectors/stacks/text.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import type { Taken } from './report.ts';

/** A capture for reading. */
export function stacksText({ capture, results }: Taken, folded: Folded): string {
  const dumps = results.flatMap((result) => (result.kind === 'stacks' ? [formatStacks(result)] : []));
  const profile = dumps.length > 0 ? [] : folded.stacks.map((stack) => `${stack.count} ${stack.role} ${stack.class}`);
  const notes = capture.notes.map((note) => `Note: ${note}`);
  const files = capture.files.map((file) => `Saved: ${file}`);
  return `${[...dumps, ...profile, ...notes, ...files].join('\n')}\n`;
}
