import { describe, expect, it } from 'vitest';
import type { LogSample, LogValues, SettingsSample } from '../../src/model/samples.ts';
import { summariseThroughput } from '../../src/model/throughput-summary.ts';
import { emptyThroughput, reduceThroughput, type ThroughputState } from '../../src/model/throughput.ts';

const start = Date.UTC(2026, 10, 29, 14, 0, 0);

function after(all: readonly (readonly [second: number, values: LogValues])[], settings: Partial<SettingsSample> = {}) {
  const state = all.reduce<ThroughputState>((now, [second, values]) => {
    const time = start + second * 1000;
    const head = {
      kind: 'log',
      host: 'h',
      source: 'log',
      path: '/x',
      format: 'generic',
      time,
      receivedAt: time,
    } as const;
    const sample: LogSample = { ...head, lines: [{ text: '', time, values }] };
    return reduceThroughput(now, sample, settings);
  }, emptyThroughput);
  return summariseThroughput(state, start + (all.at(-1)?.[0] ?? 0) * 1000, settings);
}

const steps = (count: number, values: (step: number) => LogValues = () => ({})) =>
  Array.from({ length: count }, (_, i) => [2 * i, { step: i, ...values(i) }] as const);

describe('what the log does not print', () => {
  it('is the rate of its steps where it prints no other', () => {
    expect(after(steps(20))).toMatchObject({
      rate: { unit: 'steps', derived: true, now: { value: 0.5 }, best: { value: 0.5 } },
      stepSeconds: 2,
      derived: ['iterationsPerSecond', 'stepSeconds'],
    });
  });

  it('is tokens/s by the tokens of a step that the user says, or the log', () => {
    expect(after(steps(20), { batchTokens: 4096 }).tokensPerSecond?.value).toBe(2048);
    const printed = [[0, { other: { 'tokens per iteration will be': 8192 } }], ...steps(20)] as const;
    expect(after(printed).tokensPerSecond?.value).toBe(4096);
    expect(after([...steps(3, () => ({ iterationsPerSecond: 4 }))], { batchTokens: 100 }).tokensPerSecond?.value).toBe(
      400,
    );
  });

  it('is tokens/s by a count of tokens that grows, and not by those of a batch', () => {
    const seen = (key: string, at: (i: number) => number) => after(steps(20, (i) => ({ other: { [key]: at(i) } })));
    expect(seen('num_tokens', (i) => 5000 * i).tokensPerSecond?.value).toBe(2500);
    expect(seen('train/num_input_tokens_seen', (i) => 1e9 + 5000 * i).tokensPerSecond?.value).toBe(2500);
    expect(seen('throughput/total tokens', (i) => 1e9 + 5000 * i).tokensPerSecond?.value).toBe(2500);
    expect(seen('num_tokens', (i) => 4096 + ((i * 37) % 11))).not.toHaveProperty('tokensPerSecond');
    expect(seen('bad_tokens', (i) => 5000 * i)).not.toHaveProperty('tokensPerSecond');
  });

  it('gives way to what is printed, which begins anew', () => {
    const summary = after([...steps(20), [60, { step: 21, tokensPerSecond: 900 }]], { batchTokens: 4096 });
    expect(summary.rate).toMatchObject({ unit: 'tokens', now: { value: 900 }, best: { value: 900 } });
    expect(summary.rate).not.toHaveProperty('derived');
    expect(summary.derived).not.toContain('tokensPerSecond');
  });
});

describe('the end', () => {
  const bar = (values: LogValues) =>
    after([[0, { stepInEpoch: 10, stepsPerEpoch: 100, iterationsPerSecond: 2, ...values }]]);

  it('is that of the epoch where a bar counts within it', () => {
    expect(bar({})).toMatchObject({ epochEtaSeconds: 45 });
    expect(bar({ etaSeconds: 44 })).toMatchObject({ epochEtaSeconds: 44 });
    expect(bar({ etaSeconds: 44 }).derived).not.toContain('epochEtaSeconds');
    expect(bar({ etaSeconds: 44 })).not.toHaveProperty('etaSeconds');
  });

  it('is that of all where the log counts in epochs and tells it', () =>
    expect(bar({ etaSeconds: 4000 })).toMatchObject({ etaSeconds: 4000 }));

  it('has no restart at the end of an epoch', () => {
    const summary = after([0, 1, 2, 0, 1, 2].map((step, i) => [2 * i, { stepInEpoch: step, stepsPerEpoch: 3 }]));
    expect(summary).toMatchObject({ segment: 0, stepSeconds: 2 });
  });
});

describe('the baseline', () => {
  const at = (tokensPerSecond: number, settings: Partial<SettingsSample>) =>
    after([[0, { tokensPerSecond }]], settings).rate?.baseline;

  it('is compared with the minute', () => {
    expect(at(900, { baseline: 1000 })).toEqual({ value: 1000, difference: expect.closeTo(-0.1, 6) as number });
    expect(at(1100, { baseline: 1000, baselineUnit: 'tokens', baselineFrom: 'x.ttrec' })).toMatchObject({
      from: 'x.ttrec',
    });
  });

  it('is compared with nothing of another unit', () =>
    expect(at(900, { baseline: 1000, baselineUnit: 'steps' })).toBeUndefined());
});
