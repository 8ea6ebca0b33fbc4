import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../../src/collectors/lines.ts';
import { mark } from '../../../src/collectors/log/script.ts';
import { createSeveralParser, type WantedLog } from '../../../src/collectors/log/several.ts';
import type { LogSample, Sample } from '../../../src/model/samples.ts';

const a: WantedLog = { source: 'log:2', path: '/a', rank: 1 };
const b: WantedLog = { source: 'log:3', path: '/b' };
const clock = { clockOffsetMs: 0, utcOffsetMinutes: 0 };

function create(logs: readonly WantedLog[] = [a, b], room = 2) {
  const sources = Array.from({ length: room }, (_, i) => `log:${i + 2}`);
  const parser = createSeveralParser({
    host: 'h',
    clock,
    logs,
    reading: undefined,
    freeSource: (taken) => sources.find((source) => !taken.has(source)),
    explain: (path, why) => `${path}: ${why}`,
  });
  let now = 1000;
  const push = (...lines: readonly string[]) =>
    lines.flatMap((line) => {
      const text = line.replace(/^@/, `${mark} `);
      return parser.push(text, now, Buffer.byteLength(text) + 1);
    });
  const later = (ms: number) => (now += ms);
  return { parser, push, later, now: () => now };
}

const isLog = (sample: Sample): sample is LogSample => sample.kind === 'log';
const linesOf = (samples: readonly Sample[]) =>
  samples.filter(isLog).flatMap(({ source, lines }) => lines.map(({ text }) => `${source} ${text}`));
const statesOf = (samples: readonly Sample[]) =>
  samples.flatMap((sample) => (sample.kind === 'source' ? `${sample.source} ${sample.status} ${sample.reason}` : []));
/** What a look at a file finds, and that it is followed from its beginning. */
const look = (servant: number, inode: number, size: number) => [
  `@${servant} path ${inode} ${size} 5`,
  `@${servant} looked 9`,
];
const frame = (servant: number, from: number, ...lines: readonly string[]) => [
  `@${servant} from ${from}`,
  ...lines,
  `@${servant} cut`,
];

describe('the parser of several logs', () => {
  it('tells the servants what to do in one go, and waits for their turn to be over', () => {
    const { parser, push } = create();
    expect(parser.ask?.()).toBeUndefined();
    push('@hello');
    expect(parser.ask?.()).toBe('1 h\n1 p /a\n2 h\n2 p /b\n1 l 0 0 0\n2 l 0 0 0\n.');
    push(...look(1, 7, 4));
    expect(parser.ask?.()).toBeUndefined();
    expect(parser.tick([a, b])).toBeUndefined();
    push(...look(2, 8, 0), '@turn');
    expect(parser.ask?.()).toBe('1 f 7 0 @\n2 f 8 0 @\n.');
    const given = push('@1 at 7 4 0 5', ...frame(1, 0, 'one', ''), '@2 at 8 0 0 5', ...frame(2, 0, ''), '@turn');
    expect(linesOf(given)).toEqual(['log:2 one']);
    expect(given.filter(isLog).flatMap(({ lines }) => lines.map(({ rank }) => rank))).toEqual([1]);
    expect(given.filter(isLog).map(({ source }) => source)).toContain('log:3');
    expect(parser.tick([a, b])).toBe('1 t 4\n2 t 0\n;');
    push('@turn');
    expect(parser.tick([a, b])).toBe(';');
    // What a servant says that it goes on from it is not told, unless all before that has come.
    push('@1 from 4', 'two', '', '@1 cut 8', '@2 from 0', 'bar', '', '@2 cut 0', '@turn');
    expect(parser.tick([a, b])).toBe('2 t 4\n;');
  });

  it('takes what has no end yet when it has one, and at the end of a file that is read to its end', () => {
    const { parser, push } = create([a]);
    push('@hello', ...look(1, 7, 7), '@turn');
    expect(linesOf(push('@1 at 7 7 0 5', ...frame(1, 0, 'one', 'hal'), '@turn'))).toEqual(['log:2 one']);
    parser.ask?.();
    push('@turn');
    expect(parser.tick([a])).toMatch(/^1 t 4\n/);
    expect(linesOf(push(...frame(1, 4, 'half', ''), '@turn'))).toEqual(['log:2 half']);
    parser.tick([a]);
    push(...frame(1, 9, 'la'), '@1 stop moved 11', '@turn');
    expect(parser.ask?.()).toContain('1 l 7 8 4');
    push('@1 path 9 5 8', '@1 open 7 11 7', '@1 text 7 68 61 6c 66', '@1 looked 9', '@turn');
    expect(parser.ask?.()).toContain('1 r 7 9 =');
    const given = push('@1 at 7 11 9 7', ...frame(1, 9, 'la'), '@1 end', '@turn');
    expect(parser.ask?.()).toContain('1 f 9 0 @');
    expect(linesOf([...given, ...push('@1 at 9 5 0 8', ...frame(1, 0, 'next', ''))])).toEqual([
      'log:2 la',
      expect.stringMatching(/^log:2 -- .*rotated/),
      'log:2 next',
    ]);
  });

  it('gives the same at every byte border', () => {
    const said = [
      '@hello',
      ...look(1, 7, 4),
      ...look(2, 8, 0),
      '@turn',
      '@1 at 7 4 0 5',
      ...frame(1, 0, 'öne', 'twö\r'),
    ];
    const bytes = Buffer.from(
      [...said, '@2 at 8 0 0 5', ...frame(2, 0, 'b\0'), ''].join('\n').replace(/^@/gm, `${mark} `),
    );
    const read = (cut: number) => {
      const { parser } = create();
      const splitter = createLineSplitter(true);
      return [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((chunk) =>
        splitter.push(chunk).flatMap(({ text, bytes }) => {
          const given = parser.push(text, 1000, bytes);
          parser.ask?.();
          return given;
        }),
      );
    };
    expect(linesOf(read(0))).toEqual(['log:2 öne', 'log:2 twö']);
    for (let cut = 1; cut <= bytes.length; cut++) expect(read(cut), `${cut}`).toEqual(read(0));
  });

  it('says which log cannot be read, and looks again, ever less often', () => {
    const { parser, push } = create();
    push('@hello', '@1 path', '@1 looked 9', ...look(2, 8, 0), '@turn');
    expect(parser.ask?.()).toContain('1 e\n');
    expect(statesOf(push('@1 why traintop: missing', '@turn'))).toEqual(['log:2 failed /a: traintop: missing']);
    const asks: number[] = [];
    for (let tick = 1; tick <= 40; tick++) {
      if (parser.tick([a, b])?.includes('1 l ')) {
        asks.push(tick);
        push('@1 path', '@1 looked 9', '@turn');
        parser.ask?.();
        push('@1 why traintop: missing');
      }
      push('@turn');
    }
    expect(asks).toEqual([2, 6, 14, 30]);
  });

  it('says that the host does not answer, and that it does again', () => {
    const { parser, push, later, now } = create();
    push('@hello', ...look(1, 7, 0), ...look(2, 8, 0), '@turn');
    expect(parser.ask?.()).toContain('1 f 7');
    expect(parser.silence?.(later(5000))).toEqual([]);
    expect(statesOf(parser.silence?.(later(20_000)) ?? [])).toEqual([
      'log:2 failed h has not answered for 20 s: a file system of its logs may hang',
      'log:3 failed h has not answered for 20 s: a file system of its logs may hang',
    ]);
    expect(parser.silence?.(now())).toEqual([]);
    // The mark of their turn may have been lost.
    expect(Array.from({ length: 15 }, () => parser.tick([a, b])).at(-1)).toBe('.');
    expect(statesOf(push('@turn'))).toEqual(['log:2 live undefined', 'log:3 live undefined']);
  });

  it('goes on where it was when another log comes, and under another name', () => {
    const named = { ...a, id: 'a' };
    const { parser, push } = create([named]);
    push('@hello', ...look(1, 7, 4), '@turn');
    push('@1 at 7 4 0 5', ...frame(1, 0, 'one', ''), '@turn');
    parser.ask?.();
    push('@turn');
    expect(parser.tick([{ ...named, path: '/a.1' }])).toBe('1 p /a.1\n1 t 4\n;');
    parser.restart(clock, [b, { ...named, path: '/a.1' }]);
    push('@hello');
    expect(parser.ask?.()).toBe('1 h\n1 p /b\n2 h\n2 p /a.1\n1 l 0 0 0\n2 l 7 3 3\n.');
  });

  it('follows what a pattern names, and the newest of it when there is no room', () => {
    const pattern = { source: 'log:2', path: '/r/*.log', isPattern: true };
    const { parser, push } = create([pattern]);
    push('@hello');
    expect(parser.ask?.()).toBe('1 x /r/*.log\n.');
    push(
      '@1 found 0.11 50 /r/old.log',
      '@1 found 0.12 60 /r/new.log',
      '@1 found 0.13 40 /r/oldest.log',
      '@1 globbed 3',
      '@turn',
    );
    expect(parser.ask?.()).toBe('1 h\n1 p /r/new.log\n2 h\n2 p /r/old.log\n1 l 0 0 0\n2 l 0 0 0\n.');
    push(...look(1, 12, 0), ...look(2, 11, 0), '@turn');
    parser.ask?.();
    push('@1 at 12 0 0 5', '@2 at 11 0 0 5', '@turn');
    let line: string | undefined;
    while (!line?.includes('1 x ')) {
      line = parser.tick([pattern]);
      if (!line?.includes('1 x ')) push('@turn');
    }
    const all = ['@1 found 0.11 50 /r/old.log', '@1 found 0.12 61 /r/new.log', '@1 found 0.14 70 /r/\ufffd.log'];
    const given = push(...all, '@1 found 0.15 70 /r/next.log', '@1 globbed 4', '@turn', ...[]);
    expect(parser.ask?.()).toBe('2 h\n2 p /r/next.log\n2 l 0 0 0\n.');
    expect(linesOf([...given, ...(parser.quiet?.(2000) ?? [])])).toEqual([
      'log:3 -- /r/next.log is newer, and is followed from here on in the place of the file before --',
    ]);
  });
});
