import { describe, expect, it } from 'vitest';
import type { LogValues } from '../../../src/model/samples.ts';
import { throughputLines } from '../../../src/ui/panels/throughput.tsx';
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
});
