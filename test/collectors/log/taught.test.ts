import { describe, expect, it } from 'vitest';
import { createLogReader } from '../../../src/collectors/log/reader.ts';
import { costOf } from '../../../src/collectors/log/taught/cost.ts';
import { taughtFormats } from '../../../src/collectors/log/taught/formats.ts';
import { bounded } from '../../../src/commands/bounded.ts';
import { logPattern, type LogPattern } from '../../../src/model/log-patterns.ts';

const taught = (source: string, more: Partial<LogPattern> = {}): LogPattern => ({
  name: 'mine',
  pattern: logPattern(source),
  ...more,
});

function read(line: string, ...patterns: readonly LogPattern[]) {
  const reader = createLogReader({ taught: taughtFormats(patterns, bounded).formats });
  return [...reader.push({ text: line }), ...reader.flush()][0];
}

describe('a taught pattern', () => {
  it('reads what the readers do not know, by the names of its groups', () => {
    const line = 'schritt 1.200 von 20.000 verlust 2.31 warteschlange 7 (64) vorwaerts 88 rueck 0.2 gut 41';
    const pattern = taught(
      String.raw`verlust (?<loss>\S+) warteschlange (?<queue_in>\d+) \((?<queue_in_capacity>\d+)\) vorwaerts (?<stage_fwd_ms>\S+) rueck (?<stage_bwd>\S+) gut (?<good>\d+)`,
    );
    const { values, format } = read(line, pattern) ?? {};
    expect(format).toBe('mine');
    expect(values).toMatchObject({
      loss: 2.31,
      queues: [{ name: 'in', depth: 7, capacity: 64 }],
      stages: [
        { name: 'fwd', averageMs: 88 },
        { name: 'bwd', averageMs: 200 },
      ],
      other: { good: 41 },
    });
  });

  it('has units: in the names of groups, in a table, and as they are printed', () => {
    const { values } =
      read(
        'T=652.43 peak=1.5 rate=24.1k left=1:02:03 mfu=0.381 idle=12.5ms',
        taught(
          String.raw`T=(?<step_ms>\S+) peak=(?<memory>\S+) rate=(?<tokens_per_second_per_gpu>\S+) left=(?<eta>\S+) mfu=(?<mfu>\S+) idle=(?<queue_in_wait>\S+)`,
          { units: { memory: 'GiB', mfu: 'fraction' } },
        ),
      ) ?? {};
    expect(values).toEqual({
      stepSeconds: 0.65243,
      memoryBytes: 1.5 * 2 ** 30,
      tokensPerSecond: 24_100,
      tokensPerSecondScope: 'gpu',
      etaSeconds: 3723,
      mfuPercent: 38.1,
      queues: [{ name: 'in', waitSeconds: 0.0125 }],
    });
  });

  it('may have groups that are called as what every object has', () => {
    const line = 'a 1 b 2 c 3 constructor d 4 e 5';
    const source = String.raw`a (?<constructor>\d+) b (?<stage_fwd_constructor>\d+) c (?<loss>\d+ \w+) d (?<queue_in_constructor>\d+) e (?<gain_constructor>\d+)`;
    expect(read(line, taught(source, { units: {} }))?.values).toEqual({
      loss: 3,
      stages: [{ name: 'fwd_constructor', averageMs: 2000 }],
      queues: [{ name: 'in_constructor', depth: 4 }],
      other: { constructor: 1, gain_constructor: 5 },
    });
  });

  it('leaves to the readers what stands beside its match, and lines that it does not match', () => {
    const pattern = taught(String.raw`\bq<(?<queue_in>\d+)>`);
    expect(read('step 5 | loss 2.5 | q<7>', pattern)?.values).toMatchObject({
      step: 5,
      loss: 2.5,
      queues: [{ name: 'in', depth: 7 }],
    });
    expect(read('step 5 | loss 2.5', pattern)).toMatchObject({ format: 'generic', values: { step: 5, loss: 2.5 } });
  });

  it('keeps numbers that are not finite, and reads nothing from a text', () => {
    const pattern = taught(String.raw`nll (?<loss>\S+) gn (?<grad_norm>\S+)`);
    expect(read('nll nan gn n/a', pattern)?.values).toEqual({ loss: NaN });
    expect(read('[rank3]: nll inf gn 1.5', pattern)).toMatchObject({
      rank: 3,
      values: { loss: Infinity, gradNorm: 1.5 },
    });
  });

  it('that would take for ever is given up on its first such line, and the others are asked on', () => {
    const patterns = [taught('^(?<loss>(a+)+)$'), taught('^(?<reward>a+)', { name: 'other' })];
    const { formats, leftOut } = taughtFormats(patterns, bounded);
    const reader = createLogReader({ taught: formats });
    const started = performance.now();
    for (let i = 0; i < 3; i++) reader.push({ text: `${'a'.repeat(50)}!` });
    expect(leftOut()).toEqual(['mine']);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('what a pattern costs', () => {
  it.each([
    ['step (?<step>\\d+) loss (?<loss>\\S+)', 4000, ' loss '],
    ['(?:it|iter)\\s+(?<step>[\\d,]+)/(?<total>\\d+)', 4000, undefined],
    ['^nll=(?<loss>nan|[\\d.]+) .*q=(?<q>\\d+)', 1000, 'nll='],
    ['(?<a>.*)x(?<b>.*)y(?<c>.*)z', 0, undefined],
    ['^(?<a>(a+)+)$', 0, undefined],
    ['(?<a>\\d+)(?=x)', 0, undefined],
    ['(?<a>x)\\1', 0, undefined],
    ['a|(?<b>b)', 4000, undefined],
    ['lo+ss (?<a>[^|]+)\\|', 4000, 'ss '],
    ['(?<a>(?:ab)+)c', 4000, undefined],
    ['(?<a>(?:\\d{1,3})*)x', 0, undefined],
    ['(?<a>(?:a|aa)+)x', 0, undefined],
    ['speed: (?<a>\\d{1,3}(?:,\\d{3})*)', 4000, 'speed: '],
  ])('%s may run freely on up to %i characters', (source, cheapUpTo, literal) => {
    expect(costOf(logPattern(source))).toEqual({ cheapUpTo, ...(literal !== undefined && { literal }) });
  });
});
