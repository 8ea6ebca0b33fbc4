import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readThreads } from '../../../src/collectors/stacks/parse.ts';
import { readTextDump } from '../../../src/collectors/stacks/text-dump.ts';
import { foldRaw } from '../../../src/collectors/stacks/profile.ts';
import type { ClassState } from '../../../src/model/classes/names.ts';
import type { StackFrame } from '../../../src/model/stacks.ts';

const folder = 'test/fixtures/classes/h200';

/** One stack of a capture of a known situation on an H200. */
export interface CapturedStack {
  readonly situation: string;
  readonly file: string;
  readonly kind: 'native' | 'dump' | 'record' | 'gil';
  readonly tid: number | undefined;
  readonly frames: readonly StackFrame[];
  readonly state: ClassState;
  readonly count: number;
}

/** All stacks of all captures; dumps that failed have none. */
export function capturedStacks(): readonly CapturedStack[] {
  return readdirSync(folder).flatMap((situation) =>
    readdirSync(join(folder, situation)).flatMap((file) => stacksOf(situation, file)),
  );
}

/** The text of a file of a situation. */
export function captureText(situation: string, file: string): string {
  return gunzipSync(readFileSync(join(folder, situation, `${file}.gz`))).toString();
}

function stacksOf(situation: string, packed: string): readonly CapturedStack[] {
  const file = packed.replace(/\.gz$/, '');
  const kind = /^(native|dump|record|gil)-\d/.exec(file)?.[1] as CapturedStack['kind'] | undefined;
  if (!kind) return [];
  const text = captureText(situation, file);
  if (kind === 'record' || kind === 'gil') {
    const { threads, frames, stacks } = foldRaw(text);
    return stacks.map((stack) => ({
      situation,
      file,
      kind,
      tid: threads[stack.thread]?.tid,
      frames: stack.frames.flatMap((at) => frames[at] ?? []),
      state: kind === 'gil' ? { ownsGil: true } : {},
      count: stack.count,
    }));
  }
  const threads = (kind === 'native' ? readTextDump(text).threads : readThreads(text)) ?? [];
  const held = threads.some(({ ownsGil }) => ownsGil);
  return threads.map(({ tid, frames, active, ownsGil }) => ({
    situation,
    file,
    kind,
    tid,
    frames,
    state: { active, ownsGil, ...(held && !ownsGil && { gilElsewhere: true }) },
    count: 1,
  }));
}
