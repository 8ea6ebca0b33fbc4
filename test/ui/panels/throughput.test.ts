import { describe, expect, it } from 'vitest';
import type { LogValues } from '../../../src/model/samples.ts';
import { throughputLines } from '../../../src/ui/panels/throughput.tsx';
import { base } from '../made-store.ts';
import { inputOf, madeStore, saidInLog, text } from './made.ts';

const store = madeStore();
const draw = (width: number, height: number) =>
  text(throughputLines(inputOf(store, { width, height })).lines).join('\n');

const said = (values: LogValues) => throughputLines(saidInLog(values, { width: 116, height: 3 })).lines;

describe('the Throughput panel', () => {
  it('in a 60-column pane', () =>
    expect(draw(56, 3)).toMatchInlineSnapshot(`
      "tok/s 14.0K  1 min 14.5K  15 min 14.5K  best 15.1K  93%
      step   900/20000 ▁···   4.5%  ETA   ~1h 3m
      loss   1.600  lr  6.00e-4  grad norm   0.680"
    `));
  it('at 80 columns', () =>
    expect(draw(76, 5)).toMatchInlineSnapshot(`
      "tok/s 14.0K  1 min 14.5K  15 min 14.5K  best 15.1K  93%
        15.1K       ⣾⣿⣿⣿⣿⣿⣿⣶⣿⣿⣿⣿⣿⣿⣷⣾⣿⣿⣿⣿⣿⣿⣶     2.48       ⠉⠑⠒⠒⠢⠤⠤⣀⣀⣀
            0       ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿     1.60                 ⠉⠉⠑⠒⠒⠢⠤⠤⣀⣀⣀⣀⣀
      step   900/20000 ▃·······   4.5%  ETA   ~1h 3m  step time   200ms
      loss   1.600  lr  6.00e-4  grad norm   0.680"
    `));
  it('at 120 columns', () =>
    expect(draw(116, 9)).toMatchInlineSnapshot(`
      "tok/s 14.0K  1 min 14.5K  15 min 14.5K  best 15.1K  93%
        15.1K                   ⢰⣶⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣶⣶⣶⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣶⣶⣶⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣶
            0                   ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
      step   900/20000 ▇▁······················   4.5%  ETA   ~1h 3m  step time   200ms
      loss   1.600  lr  6.00e-4  grad norm   0.680
         2.48     ⠉⠉⠒⠒⠒⠤⠤⣀⣀⣀                                       0.748
         loss               ⠉⠉⠉⠒⠒⠒⠤⠤⣀⣀⣀                             norm
       1m 38s                          ⠉⠉⠉⠒⠒⠒⠤⠤⣀⣀⣀                1m 38s     ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
         1.60                                     ⠉⠉⠉⠒⠒⠒⠤⠤⣀⣀⣀⣀⣀    0.612"
    `));
  it('at 200 columns', () =>
    expect(draw(196, 11)).toMatchInlineSnapshot(`
      "tok/s 14.0K  1 min 14.5K  15 min 14.5K  best 15.1K  93%
        15.1K                                                                                                   ⢰⣶⣶⣶⣶⣶⣶⣶⣶⣶⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣶
        3m 8s                                                                                                   ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
            0                                                                                                   ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
      step   900/20000 ▇▁······················   4.5%  ETA   ~1h 3m  step time   200ms
      loss   1.600  lr  6.00e-4  grad norm   0.680
         2.48                                             ⠉⠉⠒⠒⠤⠤⣀⣀                                         0.748
         loss                                                     ⠉⠉⠒⠒⠒⠤⠤⣀⣀                                 norm
                                                                           ⠉⠉⠒⠒⠤⠤⠤⣀⣀                                                                         ⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤
       2m 58s                                                                       ⠉⠉⠒⠒⠤⠤⣀⣀⣀             2m 58s
         1.60                                                                                ⠉⠉⠒⠒⠤⠤⣀⣀⣀⣀    0.612"
    `));

  it('draws the same on a screen that is held, whatever comes meanwhile', () => {
    const own = madeStore();
    const input = inputOf(own, { width: 116, height: 9 });
    const before = text(throughputLines(input).lines);
    for (let i = 1; i <= 400; i++) {
      // The newest slot is still being filled.
      const time = input.state.committedAt + 10_000 + i * 100;
      const lines = [{ text: '', time, values: { tokensPerSecond: 14_000, loss: 2 } }];
      own.history.add({ kind: 'log', ...base('log', time), path: '/x.log', format: 'generic', lines });
    }
    expect(text(throughputLines(input).lines)).toEqual(before);
  });
  it('shows now, the minute and the best with its share at the width that it has at 120x40', () =>
    expect(draw(44, 6).split('\n')[0]).toBe('tok/s 14.0K  1 min 14.5K  best 15.1K  93%'));

  it('shows now, the best and the loss where there are 36 cells and two rows, and the share where the loss has its own', () => {
    expect(draw(36, 2).split('\n')[0]).toBe('tok/s 14.0K  best 15.1K  loss   1.60');
    expect(draw(36, 3).split('\n')[0]).toBe('tok/s 14.0K  best 15.1K  93%');
    expect(draw(14, 3).split('\n')[0]).toBe('tok/s 14.0K');
  });

  it('says absent for what the log does not print', () => {
    const [speed = '', step = '', loss = ''] = text(said({ step: 7 }));
    expect(speed).toBe('tok/s     –  1 min     –  15 min     –  best     –');
    expect(step).toBe('step      7  ETA        –  step time       –');
    expect(loss).toBe('loss       –  lr        –  grad norm       –');
  });

  it('shows a loss that is no number as one, and in the bad tone', () => {
    const [, , loss = []] = said({ loss: NaN, gradNorm: Infinity });
    expect(loss.filter(({ tone }) => tone === 'bad').map((segment) => segment.text.trim())).toEqual(['NaN', 'inf']);
  });

  it("says when the figure is one GPU's, and takes samples where there are no tokens", () => {
    expect(text(said({ tokensPerSecond: 1200, tokensPerSecondScope: 'gpu' }))[0]).toMatch(/^tok\/s a GPU 1\.20K /);
    expect(text(said({ samplesPerSecond: 310 }))[0]).toBe(
      'samples/s   310  1 min     –  15 min   310  best   310 100%',
    );
  });

  it('marks what the log does not print', () => {
    const [speed = ''] = text(said({ step: 7, stepSeconds: 0.5 }));
    expect(speed).toMatch(/^steps\/s {5}~2 {2}1 min/);
  });

  it("shows the epoch's progress where a bar counts within it", () => {
    const values = {
      epoch: 3,
      stepInEpoch: 932,
      stepsPerEpoch: 1016,
      iterationsPerSecond: 27.7,
      etaSeconds: 3,
      loss: 0.224,
    };
    const [, step = ''] = text(said(values));
    expect(step).toMatch(/^epoch 3 {2}step {2}932\/1016 ▇+[▁-▇]·* {2}91\.7% {2}epoch ETA +0s {2}step time ~36\.1ms$/);
  });

  it('shows the validation, and what else is told of speed where there are rows for it', () => {
    const values = {
      loss: 2.1,
      validationLoss: 2.25,
      mfuPercent: 41.2,
      tflopsPerSecond: 412,
      memoryBytes: 66.9 * 2 ** 30,
    };
    expect(text(said(values))[2]).toMatch(/^loss {3}2\.100 {2}val {2}2\.250 /);
    const high = text(throughputLines(saidInLog(values, { width: 116, height: 12 })).lines);
    expect(high[1]).toBe('MFU 41.2%  TFLOP/s   412  memory 66.9G');
  });

  it('compares with the baseline, in the tone of the difference', () => {
    const state = store.getState();
    const settings = { kind: 'settings', host: 'h', source: 'user', time: 0, receivedAt: 0, baseline: 20_000 } as const;
    const [line = []] = throughputLines(inputOf(store, { width: 76, height: 9, state: { ...state, settings } })).lines;
    expect(text([line])[0]).toMatch(/baseline 20\.0K {3}-27%/);
    expect(line.find(({ text: piece }) => piece.includes('-27%'))?.tone).toBe('bad');
  });

  it('draws by the logarithm where asked, if there is one', () => {
    const graph = (loss: number) => {
      const input = saidInLog({ loss }, { width: 76, height: 14 });
      return text(throughputLines({ ...input, view: { ...input.view, logarithmic: true } }).lines).join('\n');
    };
    expect(graph(2)).toMatch(/^ +log( |$)/m);
    expect(graph(-0.1)).not.toMatch(/^ +log( |$)/m);
  });

  it('says that the run began anew', () => {
    const { state, ...input } = saidInLog({ step: 7 }, { width: 76, height: 4 });
    const restarted = { ...state, throughput: { ...state.throughput, segment: 2 } };
    expect(text([throughputLines({ ...input, state: restarted }).note ?? []])[0]).toMatch(/restarted 2 times/);
  });
});
