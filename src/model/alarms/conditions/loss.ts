import { median } from '../../diagnosis/gather/log-median.ts';
import type { LogLine, LogSample } from '../../log-samples.ts';
import { leads, led, type Leader } from '../../throughput-leaders.ts';
import { nothing, standing, type Finding, type MakeCondition } from '../condition.ts';
import { figure } from '../words.ts';

/** As many in a row are a loss again. */
const enoughGood = 3;
/** Losses that are looked at, and those before that say what is usual. */
const newest = 10;
const mostBefore = 128;
const fewestBefore = 48;
/** Of normal scatter the standard deviation is 1.48 times the median deviation. */
const deviations = 1.4826;
/** Below it of the median nothing has jumped, however calm it was. */
const leastJump = 0.1;
/** What stays so for so many lines is how it is now. */
const adoptLines = 500;

/** A loss that is no number, and one that jumps. */
export const loss: MakeCondition = (ruleOf) => {
  let leader: Leader | undefined;
  let before: number[] = [];
  let late: number[] = [];
  let bad = 0;
  let good = 0;
  let badSince = 0;
  let last: { readonly value: number; readonly step?: number } | undefined;
  let isHeld = false;
  let held = 0;
  /** What the newest are compared with; it changes with lines only. */
  let jump: { readonly median: number; readonly usual: number; readonly deviation: number } | undefined;

  function forget() {
    [leader, last, jump] = [undefined, undefined, undefined];
    [before, late] = [[], []];
    [bad, good, held, isHeld] = [0, 0, 0, false];
  }

  function takeNumber(value: number) {
    late.push(value);
    if (late.length <= newest) return;
    const old = late.shift() ?? NaN;
    if (isHeld && ++held < adoptLines) return;
    if (isHeld) [before, isHeld, held] = [[], false, 0];
    before.push(old);
    if (before.length > mostBefore) before.shift();
  }

  function look() {
    const [now, usual] = [median(late), median(before)];
    if (now === undefined || usual === undefined || before.length < fewestBefore) return undefined;
    const spread = deviations * (median(before.map((each) => Math.abs(each - usual))) ?? 0);
    return { median: now, usual, deviation: Math.max(spread, 1e-12) };
  }

  function takeLine({ values, undated, time }: LogLine, isOld: boolean) {
    const value = values?.loss;
    if (value === undefined || undated) return;
    const step = values?.step;
    // A resumed checkpoint goes back.
    if (step !== undefined && last?.step !== undefined && step < last.step)
      [before, late, isHeld, held] = [[], [], false, 0];
    const wasNumber = last !== undefined && Number.isFinite(last.value);
    if (Number.isFinite(value)) {
      good++;
      if (good >= enoughGood) bad = 0;
      takeNumber(value);
    } else {
      // What was so before the watch began is no news.
      if (bad > 0 || (wasNumber && !isOld)) bad++;
      if (bad === 1) badSince = time;
      good = 0;
    }
    last = { value, ...(step !== undefined && { step }) };
  }

  function take(sample: LogSample, beganAt: number) {
    let isChanged = false;
    for (const line of sample.lines) {
      if (line.values?.loss === undefined || line.repeats !== undefined) continue;
      const teller = { source: sample.source, at: line.time, ...(line.rank !== undefined && { rank: line.rank }) };
      if (!leads(leader, teller)) continue;
      leader = led(leader, teller, true);
      takeLine(line, sample.backlog === true && line.time < beganAt);
      isChanged = true;
    }
    if (isChanged) jump = look();
  }

  function notFinite(): Finding {
    const { threshold } = ruleOf('loss-not-finite');
    const word = last && Number.isNaN(last.value) ? 'NaN' : 'infinite';
    const at = last?.step === undefined ? '' : ` (now step ${last.step})`;
    return {
      ...{ alarm: 'loss-not-finite', since: badSince, value: bad, border: threshold, unit: 'lines' },
      is: bad >= Math.max(1, threshold) ? 'beyond' : bad === 0 ? 'over' : 'between',
      text: () =>
        `The loss is ${word}, in ${bad} lines in a row${at}; before it was about ${figure(median(late) ?? NaN)}.`,
    };
  }

  function jumped(): Finding | undefined {
    const rule = ruleOf('loss-jump');
    if (!jump) return undefined;
    const rise = jump.median - jump.usual;
    const times = rise / jump.deviation;
    const isLarge = rise >= leastJump * Math.abs(jump.usual);
    const stands = standing(times, rule);
    const is = stands === 'beyond' && !isLarge ? 'between' : stands;
    if (is === 'beyond') isHeld = true;
    else if (is === 'over') [isHeld, held] = [false, 0];
    const { median: now, usual, deviation } = jump;
    return {
      ...{ alarm: 'loss-jump', is, value: now, border: usual + rule.threshold * deviation, unit: '' },
      text: () =>
        `The loss is about ${figure(now)} over the last ${newest} lines${last?.step === undefined ? '' : `, step ${last.step}`}; it was ${figure(usual)}, and ${figure(Math.max(usual + rule.threshold * deviation, usual + leastJump * Math.abs(usual)))} is the border.`,
    };
  }

  return {
    take(sample, { beganAt }) {
      if (sample.kind === 'log') take(sample, beganAt);
    },
    read(_, { isRunning }) {
      if (!isRunning || !leader) return nothing;
      const jumpFound = ruleOf('loss-jump').off ? undefined : jumped();
      return [...(ruleOf('loss-not-finite').off ? [] : [notFinite()]), ...(jumpFound ? [jumpFound] : [])];
    },
    forgetRun: forget,
  };
};
