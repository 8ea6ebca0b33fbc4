import { expect, test } from 'vitest';
import { catalogue } from '../../../src/model/alarms/catalogue.ts';
import { alarmNames } from '../../../src/model/alarm-samples.ts';
import { createStage, runSample, sample, start, threads, verdict, warmUp } from './made.ts';

const GB = 1e9;
const full = (s: number) => [sample(s, { kind: 'host', memoryTotalBytes: 100 * GB, memoryAvailableBytes: GB })];

test('what is acknowledged stays so until it is over, once', () => {
  const stage = createStage();
  stage.play(0, 40, full);
  const [rung] = stage.all;
  const [seen] = stage.alarms.acknowledge(rung?.id ?? '', start + 41_000);
  expect(seen).toMatchObject({ id: rung?.id, state: 'ringing', acknowledgedAt: start + 41_000 });
  expect(stage.alarms.acknowledge(rung?.id ?? '', start + 42_000)).toEqual([]);
  expect(stage.alarms.acknowledge('none', start)).toEqual([]);
  stage.play(43, 90, (s) => [sample(s, { kind: 'host', memoryTotalBytes: 100 * GB, memoryAvailableBytes: 50 * GB })]);
  expect(stage.all.at(-1)).toMatchObject({ id: rung?.id, state: 'resolved', acknowledgedAt: start + 41_000 });
});

test('what is muted rings on the screen alone, for so long', () => {
  const stage = createStage();
  stage.take(stage.alarms.mute({ alarm: 'memory-full', forMs: 60_000, now: start }));
  stage.play(0, 40, full);
  expect(stage.all[0]).toMatchObject({ state: 'ringing', muted: true });
  const heard = createStage();
  heard.take(
    heard.alarms.mute({ alarm: 'memory-full', now: start }),
    heard.alarms.unmute({ alarm: 'memory-full', now: start }),
  );
  heard.play(0, 40, full);
  expect(heard.all[0]?.muted).toBeUndefined();
});

test('the user sets borders and times, and turns alarms off', () => {
  const rules = { 'memory-full': { threshold: 20, forMs: 5000, severity: 'info' as const } };
  const stage = createStage({ rules });
  stage.play(0, 10, (s) => [sample(s, { kind: 'host', memoryTotalBytes: 100, memoryAvailableBytes: 20 })]);
  expect(stage.told()).toEqual(['5 memory-full ringing info']);
  for (const settings of [{ off: true } as const, { rules: { 'memory-full': { off: true } } } as const]) {
    const silent = createStage(settings);
    silent.play(0, 60, full);
    expect(silent.told()).toEqual([]);
  }
});

test('verdicts ring by name', () => {
  const throttled = (s: number) => [
    threads(s, 90),
    ...(s % 5 === 0 ? [verdict(s, { situation: 'throttled', scope: { gpus: [3] } })] : []),
  ];
  const stage = createStage({ verdicts: [{ situation: 'throttled', severity: 'info', forMs: 60_000 }] });
  stage.take(runSample(0));
  stage.play(0, 90, throttled);
  expect(stage.told()).toEqual(['60 verdict throttled, GPU 3 ringing info']);
  const other = createStage();
  other.take(runSample(0));
  other.play(0, 90, throttled);
  expect(other.told()).toEqual([]);
});

test('the same Samples give the same alarms, and what is kept has a bound', () => {
  const play = () => {
    const stage = createStage();
    warmUp(stage);
    stage.play(200, 800, (s) => [
      threads(s, 0),
      sample(s, {
        kind: 'disks',
        path: [`/m${s}`],
        use: ['run'],
        mount: [`/m${s}`],
        totalBytes: [100],
        availableBytes: [1],
        totalInodes: [1],
        freeInodes: [1],
      }),
    ]);
    return stage.all;
  };
  const all = play();
  expect(play()).toEqual(all);
  expect(all.filter(({ alarm }) => alarm === 'disk-full').length).toBeLessThanOrEqual(16);
});

test.each(alarmNames)('%s is over on the other side of where it rings', (alarm) => {
  const { worse, rule } = catalogue[alarm];
  if (worse === 'higher') expect(rule.clear).toBeLessThan(rule.threshold);
  if (worse === 'lower') expect(rule.clear).toBeGreaterThan(rule.threshold);
});
