import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { classify } from '../../../src/model/classes/classify.ts';
import type { StackFrame } from '../../../src/model/stacks.ts';
import { capturedStacks, type CapturedStack } from './h200.ts';

/** Written by reading the stacks: of native dumps a class for each thread, of others by what py-spy said and the innermost frame. */
const table = JSON.parse(readFileSync('test/fixtures/classes/captures.json', 'utf8')) as {
  readonly native: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dump: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly record: Readonly<Record<string, readonly string[]>>;
  readonly gil: Readonly<Record<string, readonly string[]>>;
};

const stacks = capturedStacks();

describe('the stacks of all captures on an H200', () => {
  test('are all there', () => {
    const counts: Record<string, number> = {};
    for (const { kind, count } of stacks) counts[kind] = (counts[kind] ?? 0) + count;
    expect(counts).toEqual({
      native: 14,
      dump: 68,
      record: 156 + 150 + 312 + 158 + 158 + 156,
      gil: 27 + 24 + 393 + 369 + 2 + 71,
    });
  });

  test('have the classes of the table that was made by hand', () => {
    expect(wrongOf(stacks)).toEqual([]);
  });

  test('have the same classes when the functions of the user have other names, those of libraries among them', () => {
    const names = [
      'f',
      'synchronize',
      'take_gil',
      'cudaLaunchKernel',
      'ncclAllReduce',
      'empty_cache',
      'get',
      'wait',
      'select',
      'read',
    ];
    for (const name of names) expect(wrongOf(stacks.map((stack) => renamed(stack, name)))).toEqual([]);
  });

  test('have the same classes when the user has another file', () => {
    for (const file of [
      '/home/me/torch-runs/train.py',
      'train.py',
      'my/threading.py',
      '/data/x/queue.py',
      '<string>',
      '/tmp/ipykernel_1/7.py',
    ])
      expect(wrongOf(stacks.map((stack) => renamed(stack, 'wait', file)))).toEqual([]);
  });
});

function wrongOf(some: readonly CapturedStack[]): readonly string[] {
  return some.flatMap((stack, i) => {
    const expected = expectedOf(stacks[i] ?? stack);
    const found = classify(stack.frames, stack.state);
    return found === expected ? [] : [`${stack.situation}/${stack.file} ${stack.tid}: ${found}, not ${expected}`];
  });
}

function expectedOf({ kind, situation, tid, frames, state }: CapturedStack): string {
  if (kind === 'native') return table.native[situation]?.[String(tid)] ?? 'not in the table';
  const rows = kind === 'dump' ? table.dump[stateOf(state)] : table[kind];
  const innermost = frames[0] ? `${frames[0].function} (${shortened(frames[0].file)}:${frames[0].line})` : '(no frame)';
  const found = Object.entries(rows ?? {}).filter(([, innermosts]) => innermosts.includes(innermost));
  return found.length === 1 ? (found[0]?.[0] ?? '') : `${innermost}: ${found.length} times in the table`;
}

function stateOf({ active, ownsGil, gilElsewhere }: CapturedStack['state']): string {
  if (ownsGil) return 'GIL';
  return `${active ? 'active' : 'idle'}${gilElsewhere ? ', the GIL elsewhere' : ''}`;
}

/** As py-spy writes files in text: from the package on. */
function shortened(file: string): string {
  return file.replace(/^\/.*\/(?:(?:site|dist)-packages|python3\.12)\//, '').replace(/^\/.*\/(scenarios\.py)$/, '$1');
}

function renamed(stack: CapturedStack, name: string, file?: string): CapturedStack {
  const rename = (frame: StackFrame): StackFrame =>
    frame.file.endsWith('scenarios.py') ? { ...frame, function: name, ...(file !== undefined && { file }) } : frame;
  return { ...stack, frames: stack.frames.map(rename) };
}
