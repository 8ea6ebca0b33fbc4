import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readTextDump } from '../../../src/collectors/stacks/text-dump.ts';
import { classify, explainClass } from '../../../src/model/classes/classify.ts';
import type { ClassState } from '../../../src/model/classes/names.ts';
import { classTable } from '../../../src/model/classes/table.ts';

const states: Readonly<Record<string, ClassState>> = {
  idle: { active: false, ownsGil: false },
  active: { active: true, ownsGil: false },
  GIL: { active: true, ownsGil: true },
  record: {},
};

const cases = readFileSync('test/fixtures/classes/others.txt', 'utf8')
  .split(/^== /m)
  .slice(1)
  .map((text) => {
    const [head = '', ...lines] = text.split('\n');
    const [expected = '', state = ''] = head.split(', ');
    const { threads } = readTextDump(['Process 1: x', '', 'Thread 1 (idle)', ...lines].join('\n'));
    return { head, expected, state: states[state], frames: threads?.[0]?.frames ?? [], text };
  });

test.each(cases)('$head: $frames.0.function ($frames.0.file)', ({ expected, state, frames, text }) => {
  expect(frames.length).toBe(text.match(/^ {4}\S/gm)?.length ?? 0);
  expect(state).toBeDefined();
  expect(explainClass(frames, state)).toMatchObject({ class: expected });
});

test('the same with whole paths, as in JSON, and with the functions of the user renamed', () => {
  for (const { expected, state, frames, head } of cases) {
    const whole = frames.map((frame) => {
      if (frame.native || frame.file.startsWith('/')) return frame;
      if (isUsers(frame.file)) return { ...frame, function: 'synchronize', file: `/home/me/run/${frame.file}` };
      const isPackage =
        /^(torch|vllm|zmq|triton|transformers|accelerate|tqdm|requests|urllib3|sympy|safetensors|filelock|PIL|uvloop)\//;
      const base = isPackage.test(frame.file) ? '/opt/conda/lib/python3.12/site-packages' : '/opt/conda/lib/python3.12';
      return { ...frame, file: `${base}/${frame.file}` };
    });
    expect([head, classify(whole, state)]).toEqual([head, expected]);
  }
});

describe('the table', () => {
  const rows = [...classTable.native, ...classTable.python];

  test('has a reason and a source for each row, and the Python rows name a library', () => {
    expect(rows.length).toBeGreaterThan(100);
    for (const row of rows) {
      expect(row.because).toMatch(/^[a-z]+ /);
      expect(row.source.length).toBeGreaterThan(5);
    }
    for (const { file } of classTable.python) expect(file?.source).toMatch(/^\^/);
  });

  test('explains which frame told', () => {
    const frames = [
      { function: '0x7f', file: 'libcuda.so.580', native: true as const },
      { function: 'cuCtxSynchronize_v2', file: 'libcuda.so.580', native: true as const },
      { function: 'mine', file: 'train.py', line: 3 },
    ];
    expect(explainClass(frames)).toEqual({
      class: 'stream sync',
      because: 'waits for the GPU to do what it was given',
      frame: 1,
    });
  });
});

function isUsers(file: string): boolean {
  return /^(train|dataset|watch|tools|serve|data|s3reader|myserver|kernels|model|prep|w|tokenize_all)\.py$/.test(file);
}
