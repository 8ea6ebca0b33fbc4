import { describe, expect, test } from 'vitest';
import type { LogFormat } from '../../../../src/collectors/log/formats/format.ts';
import { logFormats } from '../../../../src/collectors/log/formats/registry.ts';
import { createLogReader } from '../../../../src/collectors/log/reader.ts';
import type { LogValues } from '../../../../src/model/samples.ts';

describe.each(logFormats.map((format) => [format.name, format] as const))('%s', (name, format) => {
  test.each(format.examples.map((example, i) => [i, example] as const))('reads its example %i', (_, example) => {
    expect(readAll(example.lines).map(({ values }) => values)).toEqual(example.values);
  });

  test('is told from all others', () => {
    const read = format.examples.flatMap(({ lines }) => readAll(lines));
    expect(read.map(({ format: read }) => read)).toEqual(read.map(() => name));
  });
});

test('no format takes the examples of another for its own', () => {
  const wrong = logFormats.flatMap((format) =>
    logFormats
      .filter((other) => other !== format)
      .flatMap(({ name, examples }) =>
        examples.flatMap(({ lines }) => lines.split('\n')).map((line) => [name, line] as const),
      )
      .filter(([, line]) => tells(format, line))
      .map(([other, line]) => `${format.name} takes of ${other}: ${line}`),
  );
  expect(wrong).toEqual([]);
});

test('names of formats are words that can be typed, each once', () => {
  const names = logFormats.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

function readAll(lines: string): readonly { readonly format: string | undefined; readonly values: LogValues }[] {
  const reader = createLogReader();
  const records = lines.split('\n').flatMap((text) => reader.push({ text }));
  return [...records, ...reader.flush()].flatMap(({ format, values }) => (values ? [{ format, values }] : []));
}

function tells({ anchors, detect }: LogFormat, line: string): boolean {
  return anchors.some((anchor) => line.includes(anchor)) && detect.test(line);
}
