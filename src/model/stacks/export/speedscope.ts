import type { StackFrame } from '../../stacks.ts';
import type { Folded, FoldedStack } from '../fold.ts';
import { groupBy } from '../../group-by.ts';
import { weightsOf } from '../group.ts';
import { titleOf, type ExportAbout } from './about.ts';
import { weightOf } from '../weight.ts';

/**
 * A profile that speedscope opens (its file format 0.0.1, file-format-schema.json of 1.25.0): one a thread, the busiest threads first.
 * Time in it is no course of events: equal stacks stand together (its Left Heavy view is the right one).
 */
export function exportSpeedscope(folded: Folded, about: ExportAbout): string {
  const frames = new Map<StackFrame | undefined, number>();
  const indexOf = (frame: StackFrame | undefined) => {
    const known = frames.get(frame) ?? frames.size;
    frames.set(frame, known);
    return known;
  };
  const weight = folded.unit === 'samples' && folded.rate !== undefined ? 1 / folded.rate : undefined;
  const threads = groupBy(folded.stacks, ({ pid, tid, thread }) => `${pid}:${tid ?? thread}`);
  const profiles = [...threads.values()]
    .sort((a, b) => weightsOf(b) - weightsOf(a))
    .map((stacks) => ({
      type: 'sampled',
      name: nameOf(stacks[0]),
      unit: weight === undefined ? 'none' : 'seconds',
      startValue: 0,
      endValue: rounded(weightsOf(stacks) * (weight ?? 1)),
      // A thread that is not Python's has no frame: it would be a gap.
      samples: stacks.map(({ frames: stack }) => (stack.length > 0 ? stack.toReversed() : [undefined]).map(indexOf)),
      weights: stacks.map((stack) => rounded(weightOf(stack) * (weight ?? 1))),
    }));
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: about.versions[0] ?? 'traintop',
    name: titleOf(about, folded),
    activeProfileIndex: 0,
    profiles,
    shared: { frames: [...frames.keys()].map(frameOf) },
  });
}

function nameOf(stack: FoldedStack | undefined): string {
  if (!stack) return '';
  const { rank, pid, tid, thread, role } = stack;
  const whose = rank === undefined ? `PID ${pid}` : `rank ${rank} (PID ${pid})`;
  return [whose, ...(role === thread ? [] : [role]), tid === undefined ? thread : `${thread} (TID ${tid})`].join(' · ');
}

function frameOf(frame: StackFrame | undefined) {
  if (!frame) return { name: '(no Python frame)' };
  const { function: name, file, line } = frame;
  return { name, file, ...(line !== undefined && { line }) };
}

/** Sums of twentieths end in 0.30000000000000004. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
