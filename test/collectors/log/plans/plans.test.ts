import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LogFormat } from '../../../../src/collectors/log/formats/format.ts';
import { logFormats } from '../../../../src/collectors/log/formats/registry.ts';
import { createPlans } from '../../../../src/collectors/log/plans/plans.ts';
import {
  createLogReader,
  type LogRecord,
  type Piece,
  type ReaderOptions,
} from '../../../../src/collectors/log/reader.ts';
import type { LogValues } from '../../../../src/model/samples.ts';

/** The same numbers in each run. */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) >>> 8) % below;
}

function recordsOf(lines: readonly string[], options: ReaderOptions): readonly LogRecord<Piece>[] {
  const reader = createLogReader(options);
  return [...lines.flatMap((text) => reader.push({ text })), ...reader.flush()];
}

/** Digit by digit, in order, and with the sign of a zero. */
const exactly = (records: readonly LogRecord<Piece>[]): readonly string[] =>
  records.map((record) =>
    JSON.stringify(record, (_, value: unknown) =>
      typeof value === 'number' ? `#${Object.is(value, -0) ? '-0' : value}` : value,
    ),
  );

const logs = ['log', 'log-tuned', 'log-unseen', 'log-h200', 'log-made'].flatMap((folder) =>
  readdirSync(`test/fixtures/${folder}`)
    .filter((name) => name.endsWith('.log'))
    .map(
      (name) => [`${folder}/${name}`, readFileSync(`test/fixtures/${folder}/${name}`, 'utf8').split(/[\r\n]/)] as const,
    ),
);

/** Other digits everywhere, in the decimals, none where there was one, more of them, and what is written in another way. */
function moved(text: string, random: (below: number) => number): string {
  const digits = (all: string) => all.replace(/\d/g, () => String(random(10)));
  switch (random(5)) {
    case 0:
      return digits(text);
    case 1:
      return text.replace(/\d+(?:\.\d+)?/g, (number) => {
        const ways = [
          'nan',
          '0',
          `${number}0`,
          `-${number}`,
          digits(number),
          number.replace(/\d/g, '9'),
          `${number}.5`,
          number,
        ];
        return ways[random(40)] ?? number;
      });
    case 2:
      return text.replace(/\d+/g, (number) => String(random(10 ** Math.min(number.length + random(2), 9))));
    default:
      return text.replace(/\.\d+/g, digits);
  }
}

describe('a line is read by a plan as it is read the full way', () => {
  it.each(logs)('%s', (_, lines) => {
    const random = randomFrom(lines.length);
    const some = lines.slice(0, 30);
    const rounds = Array.from({ length: 24 }, (__, round) =>
      round === 0 ? some : some.map((text) => moved(text, random)),
    );
    const all = rounds.flat();
    expect(exactly(recordsOf(all, {}))).toEqual(exactly(recordsOf(all, { fully: true })));
  });

  const usual = (i: number) =>
    `[13:55:${String(10 + (i % 50))}] step ${11 + i}/4000 | loss 2.${401 + 7 * i} | grad ${1 + (i % 7)}.25 | lr 3.${10 + i}e-04 | mem 41.${10 + i}GiB | 24,${103 + i} tok/s | step_time ${201 + i}ms | q_hs=[${1 + (i % 8)}-${20 + (i % 30)}]/60 | eta 1:0${i % 10}:07`;
  const usually = Array.from({ length: 60 }, (_, i) => usual(i));
  it.each<[string, (text: string) => string]>([
    ['a number that grows', (text) => text.replace(/step \d+/, 'step 9')],
    ['a number of seven digits', (text) => text.replace(/step \d+/, 'step 1234567').replace('4000', '9000000')],
    ['a number of ten digits', (text) => text.replace(/step_time \d+ms/, 'step_time 1602084052ms')],
    ['a number below nothing', (text) => text.replace('loss ', 'loss -')],
    ['a sign before it', (text) => text.replace('loss ', 'loss +')],
    ['nan behind numbers', (text) => text.replace(/loss [\d.]+/, 'loss nan')],
    ['inf behind numbers', (text) => text.replace(/grad [\d.]+/, 'grad -inf')],
    ['a zero', (text) => text.replace(/loss [\d.]+/, 'loss 0.000')],
    ['a zero below nothing', (text) => text.replace(/loss [\d.]+/, 'loss -0.000')],
    ['a whole number', (text) => text.replace(/loss [\d.]+/, 'loss 3')],
    ['a zero behind the point', (text) => text.replace(/loss [\d.]+/, 'loss 3.000')],
    ['digits that no double has', (text) => text.replace(/loss [\d.]+/, 'loss 2.30000000000000004441')],
    ['another unit of memory', (text) => text.replace('GiB', 'GB')],
    ['memory in MiB', (text) => text.replace('GiB', 'MiB')],
    ['another unit of time', (text) => text.replace(/step_time \d+ms/, 'step_time 0.21s')],
    ['no thousands', (text) => text.replace(/24,(\d+)/, '24$1')],
    ['thousands of thousands', (text) => text.replace(/24,(\d+)/, '1,024,$1')],
    ['a K', (text) => text.replace(/24,\d+/, '24.1K')],
    ['a comma for a point', (text) => text.replaceAll(/(\d)\.(\d)/g, '$1,$2')],
    ['a step behind its total', (text) => text.replace('/4000', '/5')],
    ['a step that is its total', (text) => text.replace(/step \d+\/4000/, 'step 40/40')],
    ['a range that is none', (text) => text.replace(/q_hs=\[\d+-\d+\]/, 'q_hs=[50-20]')],
    ['an exponent', (text) => text.replace('e-04', 'e+04')],
    ['a time of no hours', (text) => text.replace(/eta .*/, 'eta 0:00:07')],
    ['more minutes than an hour has', (text) => text.replace(/eta .*/, 'eta 1:61:07')],
    ['days', (text) => text.replace(/eta .*/, 'eta 25:01:07')],
    ['a mark before it', (text) => `[rank1]: ${text}`],
    ['another logger before it', (text) => `[2026-02-19 13:55:33,123] [INFO] ${text}`],
    ['a word more', (text) => `${text} done`],
    ['something that happened', (text) => `${text} | CUDA out of memory`],
  ])('%s', (_, other) => {
    const lines = [...usually, ...usually.flatMap((text) => [text, other(text)])];
    expect(exactly(recordsOf(lines, {}))).toEqual(exactly(recordsOf(lines, { fully: true })));
  });
});

describe('what remembers other lines has no plan', () => {
  /** Twice: the second reader finds the plans of the first from its first line on. */
  const alike = (lines: readonly string[]) => {
    const full = exactly(recordsOf(lines, { fully: true }));
    for (let time = 0; time < 2; time++) expect(exactly(recordsOf(lines, {}))).toEqual(full);
  };
  const times = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i));

  it('names of columns above each part of a table', () => {
    const part = [
      'step  loss  lr  time',
      '  10  2.501  0.001  0.25',
      '  20  2.402  0.001  0.26',
      'a word, and nothing more',
    ];
    const lines = times(40, (i) => part[i % 4] ?? '');
    alike([...times(30, () => part[0] ?? ''), ...lines]);
    expect(recordsOf([...times(30, () => part[0] ?? ''), ...lines], {}).at(-2)?.values).toMatchObject({ step: 20 });
  });
  it('a line behind a traceback', () => {
    const calm = (i: number) => `step ${i} | loss 2.${101 + i}`;
    const trace = ['Traceback (most recent call last):', '  File "a.py", line 3, in <module>', 'ValueError: no 7'];
    alike([...times(40, calm), ...trace, calm(50), ...trace.slice(0, 2), 'MyOwnStop', calm(51)]);
    alike([...times(40, () => 'MyOwnStop'), ...trace.slice(0, 2), 'MyOwnStop', calm(1)]);
    // Its frames were not told.
    alike([...times(40, () => 'MyOwnStop'), ...trace.slice(0, 1), 'MyOwnStop', calm(1)]);
  });
  it('numbers behind a line that has decimal commas', () => {
    const plain = (i: number) => `step ${i + 1}: loss 2,${401 + i} acc 3`;
    alike([...times(40, plain), 'Schritt 12, Verlust 2,31, Lernrate 0,0003', ...times(40, plain)]);
    alike([...times(40, (i) => `Schritt ${i + 1} | Verlust 2,${101 + i}`), ...times(40, plain)]);
  });
});

describe('what hangs on which number it is', () => {
  /** The later lines are of the same form; plans were made for the others. */
  const alike = (earlier: (i: number) => string, later: (i: number) => string) => {
    const lines = Array.from({ length: 200 }, (_, i) => (i < 60 ? earlier(i) : later(i)));
    expect(exactly(recordsOf(lines, {}))).toEqual(exactly(recordsOf(lines, { fully: true })));
    return recordsOf(lines, {}).at(-1);
  };

  it('the number of a level (pino, bunyan)', () => {
    const line = (level: number, i: number) =>
      `{"level":${level},"time":1701340${100_000 + i},"pid":${100 + i},"msg":"step ${i + 1} loss 2.${100 + i}"}`;
    const last = alike(
      (i) => line(30, i),
      (i) => line([30, 50, 40][i % 3] ?? 30, i),
    );
    expect(last?.level).toBe('error');
  });
  it.each(['26-11-30', '2026-1-30', '2026-11-3', '11-300', '1-30'])(
    'a date as loggers write it, behind %s',
    (other) => {
      const line = (i: number, date: string) =>
        `${date} 12:41:${10 + (i % 50)}.236 | INFO     | __main__:<module>:7 - epoch ${i + 1} | train loss 0.${2101 + i}`;
      alike(
        (i) => line(i, other),
        (i) => line(i, other.length < 7 ? '11-30' : '2026-11-30'),
      );
    },
  );
  it.each(['1:08.04', '1:08.21', '1:48.54'])('a time that is rounded: %s', (time) => {
    const line = (i: number, elapsed: string) => `step ${i + 1} loss 2.${100 + i} elapsed ${elapsed}`;
    alike(
      (i) => line(i, `1:${10 + (i % 50)}.25`),
      (i) => line(i, time),
    );
  });
});

describe('a plan', () => {
  const lossOf = (text: string): LogValues | 'nothing' => {
    const [, loss] = /loss ([\d.]+)/.exec(text) ?? [];
    return loss === undefined ? 'nothing' : { loss: Number(loss) };
  };

  /** How many of the last lines, of so many, were read the full way, and what the plan said of the very last. */
  function reads(lines: readonly string[], last: number, read: (text: string) => LogValues | 'nothing' | undefined) {
    let full = 0;
    const planOf = createPlans(() => ({ read: (text) => (full++, read(text)), isCalm: () => false }));
    lines.slice(0, -last).forEach((text) => planOf(text, undefined));
    full = 0;
    const plans = lines.slice(-last).map((text) => planOf(text, undefined));
    return { full, planned: plans.filter((plan) => plan?.values).length };
  }
  const many = (text: (i: number) => string) => Array.from({ length: 100 }, (_, i) => text(i + 1));

  it('is found once for many lines, whose numbers grow', () =>
    expect(
      reads(
        many((i) => `run a, step ${i}: loss ${i / 8 + 0.0001}`),
        50,
        lossOf,
      ),
    ).toEqual({ full: 0, planned: 50 }));
  it('is found for lines that say nothing', () =>
    expect(
      reads(
        many((i) => `run b, ${i} files were read`),
        50,
        lossOf,
      ),
    ).toEqual({ full: 0, planned: 50 }));
  it('is not found where a value hangs on how great a number is', () =>
    expect(
      reads(
        many((i) => `run c, loss ${1 + (i % 9)}.${1000 + i}`),
        50,
        (text) => ({ loss: Math.min(Number(/[\d.]+$/.exec(text)?.[0]), 5.5) }),
      ),
    ).toMatchObject({ planned: 0 }));
  it('is not found where it hangs on two numbers', () =>
    expect(
      reads(
        many((i) => `run d, ${200 + i} of them, ${400 - 2 * i} in all`),
        50,
        (text) => {
          const [one = 0, other = 0] = text.match(/\d+/g)?.map(Number) ?? [];
          return { step: one, ...(other > one && { totalSteps: other }) };
        },
      ).planned,
    ).toBe(0));
  it('is not found where a number is in a name', () =>
    expect(
      reads(
        many((i) => `run e, expert ${i} has 0.${1000 + i}`),
        50,
        (text) => ({ other: { [`expert ${/t (\d+)/.exec(text)?.[1] ?? ''}`]: Number(/[\d.]+$/.exec(text)?.[0]) } }),
      ).planned,
    ).toBe(0));
  it('is of one format', () => {
    const [one, other] = logFormats;
    const planOf = createPlans((format) => ({
      read: (text) => (format === one ? lossOf(text) : 'nothing'),
      isCalm: () => false,
    }));
    const lines = many((i) => `run g, step ${i}: loss ${i / 8 + 0.0001}`);
    const of = (format: LogFormat | undefined) => lines.map((text) => planOf(text, format)?.values).at(-1);
    expect([of(one), of(other), of(one)]).toEqual([expect.any(Object), 'nothing', expect.any(Object)]);
  });
  it('is not looked for where it would be forgotten', () =>
    expect(
      reads(
        Array.from({ length: 300 }, (_, i) => `run h, step 7 ${'abcde'.charAt((i / 30) % 5).repeat(2000)}`),
        200,
        lossOf,
      ).full,
    ).toBe(0));
  it('is not looked for again and again', () => {
    let full = 0;
    const planOf = createPlans(() => ({ read: () => (full++, undefined), isCalm: () => false }));
    many((i) => `run f, ${i}`.repeat(20)).forEach((text) => planOf(text, undefined));
    Array.from({ length: 20 }).forEach(() =>
      many((i) => `run f, ${i}`.repeat(20)).forEach((text) => planOf(text, undefined)),
    );
    expect(full).toBeLessThan(100);
  });
});
