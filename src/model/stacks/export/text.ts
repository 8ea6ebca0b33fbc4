import type { Folded, FoldedStack } from '../fold.ts';
import { groupBy } from '../../group-by.ts';
import { shareOf, sum, weightsOf } from '../group.ts';
import { placeOf } from '../search.ts';
import { countText, looksText, percent, utc, type ExportAbout } from './about.ts';
import { captureTitle } from '../../capture-words.ts';
import { weightOf } from '../weight.ts';

/**
 * Plain text as py-spy prints a dump (0.4.2), for a pager: processes, their threads, stacks with the innermost frame first. A number in
 * place of `idle` or `active` says how often a stack was seen. Where py-spy shortens paths, they are whole.
 */
export function exportText(folded: Folded, about: ExportAbout): string {
  const { capture, run, host } = about;
  const byPid = groupBy(folded.stacks, ({ pid }) => pid);
  const head = [
    `${captureTitle(capture, run)} on ${host}, ${utc(capture.startedAt)}: ${looksText(folded)}`,
    ...(capture.state === 'partial' ? ['Partial: it was ended before its time.'] : []),
    ...(folded.errors > 0 ? [`${countText(folded.errors, folded.unit)} could not be read.`] : []),
    ...(folded.leftOut > 0 ? [`${folded.leftOut} counts are left out: there were too many different stacks.`] : []),
    ...capture.notes,
    ...(capture.failure === undefined ? [] : [capture.failure]),
  ];
  const processes = folded.processes.map(({ pid, rank, command, failure }) => [
    `Process ${pid}: ${command}`,
    ...(rank === undefined ? [] : [`Rank ${rank}`]),
    ...(failure === undefined ? [] : [failure]),
    '',
    ...threadsOf(byPid.get(pid) ?? []).flatMap((stacks) => threadLines(stacks, folded)),
  ]);
  return [...head, '', ...processes.flatMap((lines) => [...lines, ''])].join('\n').trimEnd() + '\n';
}

function threadsOf(stacks: readonly FoldedStack[]): readonly (readonly FoldedStack[])[] {
  return [...groupBy(stacks, ({ tid, thread }) => tid ?? thread).values()];
}

function threadLines(stacks: readonly FoldedStack[], { unit, samples }: Folded): readonly string[] {
  const [total, weight] = [sum(stacks), weightsOf(stacks)];
  return stacks.flatMap((stack) => {
    const { tid, thread, role, frames, count } = stack;
    const how =
      unit === 'dumps' && samples === 1
        ? stateOf(stack)
        : `${count} of ${total}, ${percent(shareOf(weightOf(stack), weight))}`;
    return [
      `Thread ${tid ?? '?'} (${how}): "${thread}" [${role}, ${stack.class}]`,
      ...(frames.length === 0 ? ['    no Python frame'] : frames.map((frame) => `    ${placeOf(frame)}`)),
    ];
  });
}

function stateOf({ active, gil }: FoldedStack): string {
  if (gil) return 'active+gil';
  return active ? 'active' : 'idle';
}
