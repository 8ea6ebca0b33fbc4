import type { CaptureResult, CaptureSample, ProfileSample } from '../../model/samples.ts';
import type { StackFrame } from '../../model/stacks.ts';
import { formatStacks } from './text.ts';

/** A file of a capture. */
export interface SavedFile {
  readonly name: string;
  readonly text: string;
}

/** All files of a capture, those for reading first. What is only a part says so in each that has room for it. */
export function filesOf(
  { state }: Pick<CaptureSample, 'state'>,
  results: readonly CaptureResult[],
): readonly SavedFile[] {
  const mark = state === 'done' ? '' : `# ${state}: see capture.json\n`;
  const parts = new Map<number, number>();
  return results.map((result) => {
    const part = (parts.get(result.pid) ?? 0) + 1;
    parts.set(result.pid, part);
    const name = `${result.pid}${part === 1 ? '' : `-${part}`}`;
    return result.kind === 'stacks'
      ? { name: `${name}.txt`, text: mark + formatStacks(result) }
      : { name: `${name}.raw.txt`, text: formatRaw(result) };
  });
}

/** As `py-spy record -f raw -t` (0.4.2) writes it: what flamegraph.pl, speedscope and the like read. */
export function formatRaw({ threads, frames, stacks }: Pick<ProfileSample, 'threads' | 'frames' | 'stacks'>): string {
  return stacks
    .map((stack) => {
      const { tid, name } = threads[stack.thread] ?? {};
      const head = `thread (${tid ?? '?'})${name === undefined ? '' : `: ${name}`}`;
      const path = stack.frames.map((at) => formatFrame(frames[at])).reverse();
      return `${[head, ...path].map((part) => part.replaceAll(';', ':')).join(';')} ${stack.count}\n`;
    })
    .join('');
}

function formatFrame(frame: StackFrame | undefined): string {
  if (!frame) return '?';
  return `${frame.function} (${frame.file}${frame.line === undefined ? '' : `:${frame.line}`})`;
}
