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

/** What loggers of the user's put before what a trainer prints elsewhere. */
const heads = ['2026-01-04 10:00:00,123 INFO ', '[2026-01-04 10:00:00] ', 'INFO:root:', '2026-01-04T10:00:00.123456Z '];
const lines = logFormats
  .filter(({ continues, name }) => !continues && name !== 'ultralytics')
  .flatMap(({ name, examples }) => examples.map((example) => [name, example.lines] as const))
  .filter(([, text]) => !/^\s/m.test(text));

test.each(heads)('a format is found behind %j', (head) => {
  const wrong = lines.filter(([, text]) => {
    const behind = text
      .split('\n')
      .map((line) => head + line)
      .join('\n');
    return JSON.stringify(readAll(behind).map(sorted)) !== JSON.stringify(readAll(text).map(sorted));
  });
  expect(wrong).toEqual([]);
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

/** The order of fields is none of a format's. */
function sorted({ values }: { readonly values: LogValues }): unknown {
  return Object.entries(values)
    .map(([key, value]): unknown => [key, key === 'other' ? Object.entries(value as object).sort() : value])
    .sort();
}

function tells({ anchors, detect }: LogFormat, line: string): boolean {
  return anchors.some((anchor) => line.includes(anchor)) && detect.test(line);
}
