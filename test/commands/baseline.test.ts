import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withBaseline } from '../../src/commands/baseline.ts';
import { readOptions } from '../../src/config/options.ts';
import { UsageFault } from '../../src/config/check-options.ts';
import type { Sample } from '../../src/model/samples.ts';
import { RecordingFault } from '../../src/recording/recording.ts';
import { playDemo } from '../support/demo-recording.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-baseline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('--baseline and --batch-tokens', () => {
  it('are numbers as people write them', () => {
    const read = (baseline: string, batchTokens?: string) => readOptions(undefined, { baseline, batchTokens });
    expect(read('14.5K', '0.5M')).toMatchObject({ baseline: { value: 14_500 }, batchTokens: 500_000 });
    expect(read('163,800', '491,520')).toMatchObject({ baseline: { value: 163_800 }, batchTokens: 491_520 });
    expect(read('./14.5K')).toMatchObject({ baseline: { recording: './14.5K' } });
    expect(() => read('1', 'many')).toThrow('--batch-tokens is no number of tokens');
    expect(() => read('1', '0')).toThrow(UsageFault);
  });

  it('is the median minute of a recording, in the unit of its log, and goes into the recording that is made', async () => {
    await playDemo({ seconds: 130, folder, scenario: 'healthy' });
    const given = readOptions('demo', { baseline: folder });
    const { baseline } = await withBaseline(given);
    expect(baseline).toMatchObject({ unit: 'tokens', from: expect.any(String) as string });
    const value = baseline && 'value' in baseline ? baseline.value : 0;
    expect(Math.abs(value / 14_500 - 1)).toBeLessThan(0.03);

    const told: Sample[] = [];
    await playDemo({
      seconds: 3,
      options: { ...(baseline && { baseline }), batchTokens: 29_000 },
      onSample: (sample) => void told.push(sample),
    });
    const settings = told.filter(({ kind }) => kind === 'settings');
    expect(settings).toMatchObject([{ source: 'user', baseline: value, baselineUnit: 'tokens', batchTokens: 29_000 }]);
    const firstLog = told.findIndex(({ kind }) => kind === 'log');
    expect(told.findIndex(({ kind }) => kind === 'settings')).toBeLessThan(firstLog < 0 ? Infinity : firstLog);
  }, 60_000);

  it('says why a recording gives none', async () => {
    const none = withBaseline(readOptions('demo', { baseline: join(folder, 'none') }));
    await expect(none).rejects.toThrow(RecordingFault);
  });
});
