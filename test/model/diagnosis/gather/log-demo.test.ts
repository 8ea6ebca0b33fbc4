import { describe, expect, test } from 'vitest';
import { createLogGatherer } from '../../../../src/model/diagnosis/gather/log.ts';
import type { Sample } from '../../../../src/model/samples.ts';
import { demoStart, playDemo } from '../../../support/demo-recording.ts';
import { fed, type Values } from './asked.ts';

const kinds: ReadonlySet<Sample['kind']> = new Set(['log', 'run', 'interval']);

/** What the log tells at each second of the demo. */
async function bySecond(scenario: string, seconds: number): Promise<readonly Values[]> {
  const told: Values[] = [];
  const gatherer = createLogGatherer();
  let news: Sample[] = [];
  await playDemo({
    ...{ scenario, seconds, stepMs: 1000 },
    onSample: (sample) => {
      if (kinds.has(sample.kind)) news.push(sample);
    },
    onStep: (_, second) => {
      const to = demoStart + second * 1000;
      const asked = fed(gatherer, news);
      told[second] = asked.values(0, { from: to - 10_000, to, lateFrom: to - 5000 });
      news = [];
    },
  });
  return told;
}

describe('the log of the demo', () => {
  test('says why it is silent while it saves, and only then', async () => {
    const told = await bySecond('checkpoints', 160);
    const late = told.filter(({ silenceRatio = 0 }) => silenceRatio >= 3);
    expect(late.length).toBeGreaterThan(15);
    expect(late.filter(({ checkpointAge }) => checkpointAge === undefined)).toEqual([]);
    expect(told.slice(1, 119).filter(({ checkpointAge }) => checkpointAge !== undefined)).toEqual([]);
    expect(told.slice(145).filter(({ checkpointAge }) => checkpointAge !== undefined)).toEqual([]);
  });
});
