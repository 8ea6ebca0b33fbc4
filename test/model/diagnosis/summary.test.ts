import { expect, test } from 'vitest';
import type { SignalName } from '../../../src/model/diagnosis/signals.ts';
import { signals } from '../../../src/model/diagnosis/signals.ts';
import { summaryOf } from '../../../src/model/diagnosis/summary.ts';
import { signalWords } from '../../../src/model/diagnosis/words.ts';

const figure = (signal: SignalName, value: number, of?: string) => ({
  ...{ signal, value, unit: signals[signal].unit, source: 'gpu' },
  ...(of !== undefined && { of }),
});
const drawing = (latePower: number, power = latePower) => ({
  ...{ latePower: { value: latePower }, latePowerShare: { value: latePower / 7 } },
  ...{ power: { value: power }, powerShare: { value: power / 7 } },
});

test('watts stand beside how busy GPUs are, and what is of the run behind them', () => {
  const evidence = [
    figure('lateUtilization', 100, 'GPUs 0-4, 6-7'),
    figure('silence', 94),
    figure('peersAtWork', 0, 'GPUs 0-4, 6-7'),
    figure('latePowerRise', 0.6, 'GPUs 0-4, 6-7'),
  ];
  expect(summaryOf(evidence, { own: [drawing(120), drawing(122)], others: [] })).toBe(
    'GPUs 0-4, 6-7 100 % busy at 121 of 700 W; last progress 94 s ago; no other GPU at work',
  );
});

test('no figure is told twice, and several GPUs have both ends', () => {
  const evidence = [
    figure('utilization', 23, 'GPU 1'),
    figure('utilization', 55.4, 'GPU 6'),
    figure('lateUtilization', 40, 'GPUs 0-7'),
    figure('mainCpu', 97, 'GPUs 0-7'),
    figure('mainSpins', 97, 'GPUs 0-7'),
    figure('autogradCpu', 2.6, 'GPUs 0-7'),
  ];
  expect(summaryOf(evidence, { own: [drawing(180), drawing(300)], others: [] })).toBe(
    'GPUs 0-7 23 to 55 % busy at 180 to 300 of 700 W, their training threads 97 % of a core, autograd 3 %',
  );
});

test('threads that share a core, and the others of a straggler, are said in words', () => {
  const shared = [figure('utilization', 0, 'GPU 0'), figure('mainCpu', 4.5, 'TID 26'), figure('oneCore', 1.2, 'GPU 0')];
  expect(summaryOf(shared, { own: [{ rivals: { value: 3 } }], others: [] })).toBe(
    'GPU 0 0 % busy, its training thread 5 % of a core, 3 other threads share its core',
  );
  const late = [figure('utilization', 34, 'GPU 3'), figure('peersUtilization', 100, 'GPU 3')];
  expect(summaryOf(late, { own: [drawing(383)], others: [drawing(390), drawing(396)] })).toBe(
    'GPU 3 34 % busy at 383 of 700 W; the others 100 % busy at 393 of 700 W',
  );
});

test('a figure of the other GPUs is named by what it is of', () => {
  expect(signalWords(figure('peersUtilization', 100, 'GPU 3'))).toBe('utilization of all but GPU 3');
  expect(signalWords(figure('peersUtilization', 100, 'GPUs 0-4'))).toBe('utilization of the others');
  expect(signalWords(figure('peersAtWork', 0, 'GPU 3'))).toBe('other GPUs at work since the last progress');
});
