import { describe, expect, test } from 'vitest';
import type { Sample } from '../../src/model/samples.ts';
import { createDecoder, createEncoder, lineNames } from '../../src/recording/codec.ts';
import { kinds } from '../../src/recording/kinds.ts';
import { limits } from '../../src/recording/limits.ts';
import { playDemo } from '../support/demo-recording.ts';
import { createDice, made, threadsOf } from './made-samples.ts';

function roundTrip(samples: readonly Sample[], resetEvery = Infinity) {
  const [encoder, decoder] = [createEncoder(), createDecoder()];
  const lines = samples.map((sample, n) => {
    if (n % resetEvery === 0) encoder.reset();
    return encoder.encode(sample);
  });
  return { lines, back: lines.map((line) => decoder.decode(line)), decoder };
}

describe('a line for each Sample', () => {
  test('gives the same Samples back: of the demo', async () => {
    const samples: Sample[] = [];
    await playDemo({ seconds: 150, onSample: (sample) => samples.push(sample) });
    expect(new Set(samples.map(({ kind }) => kind)).size).toBeGreaterThan(8);
    const { back, decoder } = roundTrip(samples, 700);
    expect(back).toStrictEqual(samples);
    expect(decoder).toMatchObject({ broken: 0, withheld: 0 });
  });

  test.each(Array.from({ length: 8 }, (_, seed) => seed))('gives the same Samples back: made by dice %i', (seed) => {
    const dice = createDice(seed);
    const samples = Array.from({ length: 300 }, () => made(dice));
    const { lines, back, decoder } = roundTrip(samples, 90);
    expect(back).toStrictEqual(samples);
    expect(decoder).toMatchObject({ broken: 0, withheld: 0 });
    expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
  });

  test('has made Samples of every kind', () => {
    const dice = createDice(1);
    const seen = new Set(Array.from({ length: 400 }, () => made(dice).kind));
    expect([...kinds.keys()].filter((kind) => !seen.has(kind as never))).toEqual([]);
  });

  test('has no name that a field has', () => {
    const fields = [...kinds.values()].flatMap(({ columns, fields }) => Object.keys({ ...columns, ...fields }));
    expect(fields.filter((name) => (lineNames as readonly string[]).includes(name))).toEqual([]);
  });
});

describe('what is not repeated', () => {
  const frame = (receivedAt: number, percent: readonly number[]) =>
    threadsOf({ receivedAt, tids: percent.map((_, n) => 100 + n), percent });

  test('threads that are as they were, and columns', () => {
    const { lines } = roundTrip([frame(0, [0, 5, 0, 7]), frame(1000, [0, 6, 0, 7])]);
    expect(JSON.parse(lines[1] ?? '')).toEqual({
      kind: 'threads',
      source: 'threads',
      n: 1,
      receivedAt: 1000,
      at: [1],
      cpuPercent: [6],
    });
  });

  test('threads that come and go: the others are told by where they stand', () => {
    const { lines, back } = roundTrip([
      threadsOf({ receivedAt: 0, tids: [1, 2, 3, 4, 5], percent: [9, 9, 9, 9, 9] }),
      threadsOf({ receivedAt: 1, tids: [1, 3, 4, 7, 8, 5], percent: [9, 9, 9, 1, 2, 9] }),
    ]);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      rows: [
        [0, 1],
        [2, 2],
        [null, 2],
        [4, 1],
      ],
      at: [3, 4],
      tid: [7, 8],
    });
    expect(back[1]).toMatchObject({ tid: [1, 3, 4, 7, 8, 5] });
  });

  test('a whole line follows after a minute, and after a clock that was set back', () => {
    const times = [0, 1000, 59_999, 60_000, 61_000, -500, 1500];
    const { lines, back } = roundTrip(times.map((time) => frame(time, [1])));
    expect(lines.map((line) => line.includes('"whole":true'))).toEqual([true, false, false, true, false, true, false]);
    expect(back.map((sample) => sample?.receivedAt)).toEqual(times);
  });

  test('a frame that is the same list again costs the decoder no memory', () => {
    const { back } = roundTrip([frame(0, [1, 2]), frame(1000, [1, 3])]);
    const [before, after] = back as readonly (Sample & { kind: 'threads' })[];
    expect(after?.comm).toBe(before?.comm);
  });
});

describe('a line that is missing or broken', () => {
  const frames = Array.from({ length: 130 }, (_, n) =>
    threadsOf({ receivedAt: n * 1000, tids: [1, 2], percent: [n, 0] }),
  );

  test('nothing of its chain is given until the next whole line, which is counted; others go on', () => {
    const encoder = createEncoder();
    const mixed = frames.flatMap((frame): Sample[] => [
      frame,
      { kind: 'host', host: 'h', source: 'host', time: frame.time, receivedAt: frame.receivedAt, load1: frame.time },
    ]);
    const lines = mixed.map((sample) => encoder.encode(sample));
    const decoder = createDecoder();
    const back = lines.flatMap((line, n) => (n === 20 ? [] : (decoder.decode(line) ?? [])));
    expect(back.filter(({ kind }) => kind === 'host')).toHaveLength(130);
    expect(back.filter(({ kind }) => kind === 'threads')).toStrictEqual([...frames.slice(0, 10), ...frames.slice(60)]);
    expect(decoder).toMatchObject({ broken: 0, withheld: 49 });
  });

  test('a whole line that is missing takes its chain with it, whatever was known before', () => {
    const encoder = createEncoder();
    const decoder = createDecoder();
    const [a, b, c] = frames as [Sample, Sample, Sample];
    expect(decoder.decode(encoder.encode(a))).toStrictEqual(a);
    encoder.reset();
    encoder.encode(b);
    expect(decoder.decode(encoder.encode(c))).toBeUndefined();
    expect(decoder.withheld).toBe(1);
  });

  test.each([
    ['no JSON', '{"kind":"threads"'],
    ['no object', '[1]'],
    ['no counter', '{"kind":"host","source":"host","whole":true,"host":"h","receivedAt":1}'],
    ['a time that is none', '{"kind":"mark","source":"x","host":"h","receivedAt":1e300,"text":"x"}'],
    ['deep nesting', `{"kind":"mark","text":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['a huge line', `{"kind":"mark","text":"${'x'.repeat(17 * 2 ** 20)}"}`],
    ['a million empty lists', `{"kind":"mark","text":[${'[],'.repeat(1_000_001)}1]}`],
    ['a long text', `{"kind":"mark","source":"x","host":"h","receivedAt":1,"text":"${'x'.repeat(300_000)}"}`],
  ])('%s is counted', (_, line) => {
    const decoder = createDecoder();
    expect(decoder.decode(line)).toBeUndefined();
    expect(decoder.broken).toBe(1);
  });

  describe('of more chains than are followed', () => {
    const load = (n: number, source: string): Sample => ({
      ...{ kind: 'host', host: 'h', source, time: n, receivedAt: n, load1: n },
    });
    const pass = (sources: readonly string[]) => {
      const [encoder, decoder] = [createEncoder(), createDecoder()];
      const back = sources.map((source, n) => decoder.decode(encoder.encode(load(n, source)))?.source);
      return { back, withheld: decoder.withheld };
    };

    test('the one that was longest without a line waits for its next whole line', () => {
      const many = Array.from({ length: limits.chains.value - 1 }, (_, n) => `s${n}`);
      // The first goes on, so that the second is the oldest when there is one too many.
      const { back, withheld } = pass(['a', ...many, 'a', 'one more', 'a', 's0', 's1']);
      expect(back.slice(-5)).toEqual(['a', 'one more', 'a', undefined, 's1']);
      expect(withheld).toBe(1);
    });

    test('so it is of chains that are too large together, and the newest is followed whatever it has', () => {
      const most = limits.chainText as { value: number };
      const before = most.value;
      most.value = 1000;
      try {
        const [large, small] = ['x'.repeat(2000), 'small'];
        expect(pass([small, large, large, small]).back).toEqual([small, large, large, undefined]);
        const middle = 'y'.repeat(300);
        expect(pass([small, middle, small, middle]).withheld).toBe(0);
      } finally {
        most.value = before;
      }
    });
  });

  test('a kind that nobody knows yet is passed over', () => {
    const decoder = createDecoder();
    const lines = ['{"kind":"weather","n":0}', '{"kind":"constructor","n":0,"source":"x"}', '{"kind":7}', '{}'];
    expect(lines.map((line) => decoder.decode(line))).toEqual([undefined, undefined, undefined, undefined]);
    expect(decoder).toMatchObject({ broken: 0, withheld: 0 });
  });

  const whole = { kind: 'processes', source: 'p', n: 0, whole: true, host: 'h', receivedAt: 1, pid: [1, 2] };
  const columns = { state: ['R', 'S'], rssBytes: [1, 2], threadCount: [1, 2], readBytes: [1, 2], writtenBytes: [1, 2] };
  test.each([
    ['a column that is too short', { ...whole, ...columns, state: ['R'] }],
    ['a column that is too long', { ...whole, ...columns, state: ['R', 'S', 'S'] }],
    ['a column that is missing', { ...whole, ...columns, state: undefined }],
    ['a cell of another type', { ...whole, ...columns, pid: [1, null] }],
    ['a text for a number', { ...whole, ...columns, rssBytes: [1, '2'] }],
  ])('%s is counted', (_, line) => {
    const decoder = createDecoder();
    expect(decoder.decode(JSON.stringify(line))).toBeUndefined();
    expect(decoder.broken).toBe(1);
  });

  const next = { kind: 'processes', source: 'p', n: 1, receivedAt: 2 };
  test.each([
    ['rows that were not there', { ...next, rows: [[0, 3]] }],
    ['rows before the first', { ...next, rows: [[-1, 1]] }],
    [
      'a row that is there twice',
      {
        ...next,
        rows: [
          [0, 2],
          [1, 1],
        ],
      },
    ],
    ['more rows than anybody has', { ...next, rows: [[null, 1e9]] }],
    [
      'new rows without values',
      {
        ...next,
        rows: [
          [0, 2],
          [null, 1],
        ],
        at: [2],
        pid: [3],
      },
    ],
    ['a row beyond the last', { ...next, at: [2], pid: [3] }],
    ['half a row', { ...next, at: [0.5], pid: [3] }],
    ['more values than rows', { ...next, at: [0], pid: [3, 4] }],
    ['a column gone that must be there', { ...next, gone: ['pid'] }],
  ])('%s: counted, and the chain waits for its next whole line', (_, line) => {
    const decoder = createDecoder();
    expect(decoder.decode(JSON.stringify({ ...whole, ...columns }))).toBeDefined();
    expect(decoder.decode(JSON.stringify(line))).toBeUndefined();
    expect(decoder.decode(JSON.stringify({ ...next, n: 2 }))).toBeUndefined();
    expect(decoder).toMatchObject({ broken: 1, withheld: 1 });
    expect(decoder.decode(JSON.stringify({ ...whole, ...columns, n: 3 }))).toBeDefined();
  });

  test('texts come back without what a terminal would obey', () => {
    const decoder = createDecoder();
    const mark = {
      kind: 'mark',
      source: 'm',
      host: 'h\u001b[2J',
      receivedAt: 1,
      text: 'a\u001b]0;title\u0007b\u009bc',
    };
    expect(decoder.decode(JSON.stringify(mark))).toMatchObject({ host: 'h', text: 'ab\ufffdc' });
  });
});
