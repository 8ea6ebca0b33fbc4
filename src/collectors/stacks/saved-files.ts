import type { CaptureResult, ProfileSample } from '../../model/samples.ts';
import type { StackFrame } from '../../model/stacks.ts';

/** A file of a capture. */
export interface SavedFile {
  readonly name: string;
  readonly text: string;
}

/** Of each profile what other programs read; of a record whose rate was lowered, two. */
export function rawFiles(results: readonly CaptureResult[]): readonly SavedFile[] {
  const parts = new Map<number, number>();
  return results
    .filter((result) => result.kind === 'profile')
    .map((profile) => {
      const part = (parts.get(profile.pid) ?? 0) + 1;
      parts.set(profile.pid, part);
      return { name: `${profile.pid}${part === 1 ? '' : `-${part}`}.raw.txt`, text: formatRaw(profile) };
    });
}

/** As `py-spy record -f raw -t` (0.4.2) writes it: what flamegraph.pl, speedscope and the like read. */
function formatRaw({ threads, frames, stacks }: Pick<ProfileSample, 'threads' | 'frames' | 'stacks'>): string {
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
