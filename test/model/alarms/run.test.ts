import { describe, expect, test } from 'vitest';
import {
  createStage,
  event,
  gpus,
  healthy,
  log,
  run,
  runSample,
  said,
  sample,
  start,
  threads,
  verdict,
  warmUp,
} from './made.ts';

describe('no step', () => {
  const idle = (second: number) => [gpus(second, 0, 118), threads(second, 1)];

  test('it rings after a minute, once, and is over with the next step', () => {
    const stage = createStage();
    warmUp(stage);
    stage.play(200, 300, idle);
    stage.play(300, 310, healthy);
    expect(stage.told()).toEqual(['259 no-step ringing critical', '300 no-step resolved critical']);
    expect(stage.all[0]?.since).toBe(start + 199_000);
    expect(stage.all[0]?.text).toMatch(/^No step for 60 s \(border 60 s\); one is told every 1 s as a rule/);
  });

  test.each([
    ['GPUs spin at the power of idle ones', (s: number) => [gpus(s, 100, 121), threads(s, 200)], 1],
    ['GPUs work as before: the log is late', (s: number) => [gpus(s, 97, 640), threads(s, 150)], 0],
    ['one of them works', (s: number) => [gpus(s, 97, 640, { powerWatts: [640, 118] }), threads(s, 150)], 0],
    ['a thread computes while all GPUs are idle', (s: number) => [gpus(s, 0, 118), threads(s, 99)], 0],
    ['nobody tells of GPUs, and all threads sleep', (s: number) => [threads(s, 0)], 1],
    [
      'the run writes as one that saves',
      (s: number) => [...idle(s), sample(s, { kind: 'host', runWriteBytesPerSecond: 1e9 })],
      0,
    ],
    [
      'the log said that it saves',
      (s: number) => [...idle(s), ...(s === 200 ? [said(s, 'saving checkpoint to ckpt/step_9.pt')] : [])],
      0,
    ],
    ['it is told to evaluate', (s: number) => [...idle(s), verdict(s, { situation: 'evaluating' })], 0],
    ['the link is away', (s: number) => [sample(s, { kind: 'link', state: 'lost' })], 0],
  ])('%s', (_, at, rings) => {
    const stage = createStage({ rules: { 'link-lost': { off: true } } });
    warmUp(stage);
    stage.play(200, 320, at);
    expect(stage.told().length).toBe(rings);
  });

  test('a thread that spins for ever is told too, later', () => {
    const stage = createStage();
    warmUp(stage);
    stage.play(200, 520, (s) => [gpus(s, 0, 118), threads(s, 99)]);
    expect(stage.told()).toEqual(['499 no-step ringing critical']);
  });

  test('a plain process without GPUs that logs a step each second and then stops', () => {
    const stage = createStage();
    stage.take(runSample(0));
    stage.play(0, 60, (s) => [log(s, [{ step: s, loss: 1 }]), threads(s, 0.3)]);
    stage.play(60, 180, (s) => [threads(s, 0)]);
    expect(stage.told()).toEqual(['119 no-step ringing critical']);
  });

  test('steps that are told seldom have a border of their own', () => {
    const stage = createStage();
    stage.take(runSample(0));
    stage.play(0, 1201, (s) => (s % 120 === 0 ? [log(s, [{ step: s, loss: 1 }])] : [threads(s, 0)]));
    stage.play(1201, 1559, (s) => [threads(s, 0)]);
    expect(stage.told()).toEqual([]);
    stage.play(1559, 1620, (s) => [threads(s, 0)]);
    expect(stage.told()).toEqual(['1560 no-step ringing critical']);
  });

  test('a pause is learned: the next one rings when it takes four times as long, and five minutes', () => {
    const stage = createStage();
    warmUp(stage);
    const saves = (from: number) => (s: number) => [
      ...idle(s),
      ...(s === from ? [said(s, 'saving checkpoint to c/9.pt')] : []),
    ];
    stage.play(200, 320, saves(200));
    stage.play(320, 400, healthy);
    stage.play(400, 1000, saves(400));
    expect(stage.told()).toEqual(['884 no-step ringing critical']);
  });

  test('a run that tells no steps, one that has just begun and one that is done are never told', () => {
    const silent = createStage();
    silent.take(runSample(0));
    silent.play(0, 60, (s) => [said(s, 'hello'), threads(s, 90)]);
    silent.play(60, 300, (s) => [threads(s, 0)]);
    expect(silent.told()).toEqual([]);
    const done = createStage();
    warmUp(done);
    done.take(said(200, 'Training completed.', { event: { kind: 'training_end' } }));
    done.play(200, 400, idle);
    expect(done.told()).toEqual([]);
  });

  test('a long silence of our own is none of the run', () => {
    const stage = createStage();
    warmUp(stage);
    stage.play(4000, 4040, idle);
    stage.play(4040, 4100, healthy);
    expect(stage.told()).toEqual([]);
  });

  test('one trouble rings once: a verdict that names the rank, or what rang first', () => {
    const hang = (s: number) => [
      gpus(s, 100, 121),
      threads(s, 99),
      ...(s % 5 === 0
        ? [verdict(s, { situation: 'collective-hang', scope: { ranks: [5] }, since: start + 199_000 })]
        : []),
    ];
    const first = createStage();
    warmUp(first);
    first.play(200, 300, hang);
    expect(first.told()).toEqual(['229 verdict collective-hang, rank 5 missing ringing critical']);
    const late = createStage();
    warmUp(late);
    late.play(200, 265, (s) => [gpus(s, 100, 121), threads(s, 99)]);
    late.play(265, 300, hang);
    late.play(300, 330, healthy);
    expect(late.told()).toEqual(['259 no-step ringing critical', expect.stringContaining('no-step resolved')]);
  });
});

describe('the end of a run', () => {
  test('it rings at once with what the log said, ends what rang of it, and a restart resolves it', () => {
    const stage = createStage();
    warmUp(stage);
    stage.play(200, 265, (s) => [gpus(s, 0, 118), threads(s, 0)]);
    stage.take(event(265, 'out of memory', 'torch.OutOfMemoryError: CUDA out of memory'), runSample(266, 'ended'));
    stage.play(267, 280, () => []);
    stage.take(runSample(280, 'running', run(200)));
    expect(stage.told()).toEqual([
      '259 no-step ringing critical',
      '266 no-step resolved critical',
      '266 run-ended ringing critical',
      '280 run-ended resolved critical',
    ]);
    expect(stage.all[2]?.text).toBe(
      'The run ended (PID 100, train.py) after 64 min; out of memory: torch.OutOfMemoryError: CUDA out of memory.',
    );
  });

  test.each([
    ['where nobody says why it waits for the last words', [], 'critical', 'neither its log nor the kernel said why'],
    ['one that said that it is done is information', [event(199, 'training end', 'done')], 'info', 'The run finished'],
  ])('%s', (_, before, severity, words) => {
    const stage = createStage();
    warmUp(stage);
    stage.take(...before, runSample(200, 'ended'));
    stage.play(201, 210, () => []);
    expect(stage.told()).toEqual([`203 run-ended ringing ${severity}`]);
    expect(stage.all[0]?.text).toContain(words);
  });

  test('a kill by the kernel is waited for, where its log is read', () => {
    const stage = createStage();
    stage.take(sample(0, { kind: 'kernel', lines: [] }));
    warmUp(stage);
    stage.take(runSample(200, 'ended'));
    stage.play(201, 220, () => []);
    const kill = {
      time: start + 199_000,
      what: 'oom-kill',
      pid: 100,
      text: 'Out of memory: Killed process 100 (python3)',
    };
    stage.take(sample(220, { kind: 'kernel', lines: [kill] }));
    expect(stage.told()).toEqual(['220 run-ended ringing critical']);
    expect(stage.all[0]?.text).toContain(
      'the kernel killed a process of it, out of memory: Out of memory: Killed process 100',
    );
  });

  test('a log of the kernel that may not be read is not waited for', () => {
    const stage = createStage();
    stage.take(sample(0, { kind: 'kernel', lines: [], unread: 'dmesg says: Operation not permitted' }));
    warmUp(stage);
    stage.take(runSample(200, 'ended'));
    stage.play(201, 210, () => []);
    expect(stage.told()).toEqual(['203 run-ended ringing critical']);
  });

  test('a worker that comes and goes is none, nor is a run that ended before', () => {
    const stage = createStage();
    stage.take(runSample(0, 'ended'));
    stage.play(1, 60, () => []);
    stage.take(runSample(60), runSample(70, 'running', { ...run(), processes: [] }), runSample(80));
    expect(stage.told()).toEqual([]);
  });
});

describe('the loss', () => {
  const from = (stage: ReturnType<typeof createStage>, losses: readonly number[]) =>
    losses.forEach((loss, i) => stage.play(200 + i, 201 + i, (s) => healthy(s, { loss })));

  test.each([
    ['one that is NaN is odd', [NaN, 2, 2, 2], []],
    ['two in a row ring', [NaN, NaN, 2], ['201 loss-not-finite ringing critical']],
    ['infinite is none either', [Infinity, Infinity], ['201 loss-not-finite ringing critical']],
    [
      'three numbers end it',
      [NaN, NaN, 2, 2, 2],
      ['201 loss-not-finite ringing critical', '204 loss-not-finite resolved critical'],
    ],
  ])('%s', (_, losses, told) => {
    const stage = createStage();
    warmUp(stage);
    from(stage, losses);
    expect(stage.told()).toEqual(told);
  });

  test('one that was NaN before the watch began is no news', () => {
    const stage = createStage();
    const old = [1, NaN, NaN].map((loss, i) => ({ text: 'x', time: start - 60_000 + i, values: { step: i, loss } }));
    stage.take(runSample(0), sample(0, { kind: 'log', path: '/t', format: 'generic', lines: old, backlog: true }));
    stage.play(1, 30, (s) => healthy(s, { loss: NaN }));
    expect(stage.told()).toEqual([]);
  });

  test.each([
    ['a spike of some lines is none', (i: number) => (i < 4 ? 9 : 2), 0],
    ['a regime of its own is', () => 3, 1],
    ['a drift is none', (i: number) => 2 + i / 2000, 0],
    ['less is no jump', () => 0.5, 0],
  ])('%s', (_, of, rings) => {
    const stage = createStage();
    warmUp(stage);
    from(
      stage,
      Array.from({ length: 60 }, (_each, i) => of(i) + 0.02 * Math.sin(i * 7)),
    );
    expect(stage.told().filter((each) => each.includes('loss-jump ringing')).length).toBe(rings);
  });

  test('another run, and a checkpoint that is resumed, begin anew', () => {
    const stage = createStage();
    warmUp(stage);
    stage.play(200, 260, (s) => healthy(s, { step: s, loss: 4 }));
    expect(stage.told()).toEqual([]);
  });
});

describe('the speed', () => {
  const play = (share: number, seconds: number, more: (s: number) => boolean = () => true) => {
    const stage = createStage();
    warmUp(stage, 300);
    stage.play(300, 300 + seconds, (s) =>
      more(s) ? healthy(s, { tokensPerSecond: 1000 * share }) : [gpus(s, 97, 650)],
    );
    return stage;
  };

  test.each([
    ['just below seven tenths, for long', 0.68, 400, 1],
    ['just above', 0.72, 400, 0],
    ['for two minutes', 0.4, 150, 0],
  ])('%s', (_, share, seconds, rings) => {
    expect(play(share, seconds).told().length).toBe(rings);
  });

  test('the usual is not learned from what is slow, and it is over with it', () => {
    const stage = play(0.5, 3000);
    stage.play(3300, 3500, healthy);
    expect(stage.told()).toEqual(['510 slow ringing warning', expect.stringMatching(/^33\d\d slow resolved/)]);
    expect(stage.all[0]?.text).toBe('500 tokens/s, 50 % of the usual 1000 tokens/s (border 70 %).');
  });

  test('a pause in a speed that is counted over it is left out', () => {
    const stage = createStage();
    warmUp(stage, 300);
    // One line in four minutes of pauses is slow: it has the pause in it.
    stage.play(300, 900, (s) => (s % 60 < 25 ? [] : healthy(s, { tokensPerSecond: s % 60 === 25 ? 30 : 1000 })));
    expect(stage.told()).toEqual([]);
  });
});
