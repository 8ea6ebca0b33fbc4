import { describe, expect, it, vi } from 'vitest';
import { byFunction } from '../../../src/model/classes/by-function.ts';
import type { StackFrame } from '../../../src/model/stacks.ts';

function counted() {
  const find = vi.fn(({ function: name, file, native }: StackFrame) => `${file} ${name} ${native ?? false}`);
  return { find, ask: byFunction(find) };
}

describe('what hangs on a function', () => {
  it('is found once for all its lines, whatever object they come in', () => {
    const { find, ask } = counted();
    const asked = [1, 2, 3].map((line) => ask({ function: 'step', file: 'train.py', line }));
    expect(new Set(asked)).toEqual(new Set(['train.py step false']));
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('is another in another file, and in machine code', () => {
    const { ask } = counted();
    const of = (frame: Partial<StackFrame>) => ask({ function: 'step', file: 'a', line: 1, ...frame });
    expect([of({}), of({ file: 'b' }), of({ native: true }), of({ function: 'other' }), of({})]).toEqual([
      ...['a step false', 'b step false', 'a step true', 'a other false', 'a step false'],
    ]);
  });

  it('is forgotten where a host makes up more functions than a run has', () => {
    const { find, ask } = counted();
    const first = { function: 'first', file: 'a', line: 1 };
    ask(first);
    for (let n = 0; n < 20_000; n++) ask({ function: `f${n}`, file: `${n % 50}`, line: 1 });
    const before = find.mock.calls.length;
    expect(ask(first)).toBe('a first false');
    expect(find.mock.calls.length).toBe(before + 1);
  });
});
