import { expect, test } from 'vitest';
import type { EventSample, Sample } from '../../src/model/samples.ts';
import { playDemo } from '../support/demo-recording.ts';

test('a healthy hour of the demo has no events', async () => {
  const events: EventSample[] = [];
  let count = 0;
  const onSample = (sample: Sample) => {
    count++;
    if (sample.kind === 'event') events.push(sample);
  };
  await playDemo({ scenario: 'healthy', seconds: 3600, stepMs: 1000, onSample });
  expect(count).toBeGreaterThan(5000);
  expect(events).toEqual([]);
}, 180_000);
