import { nothing, standing, type MakeCondition } from '../condition.ts';
import { figure, rateText } from '../words.ts';

/** The speed is under a share of what is usual. */
export const slow: MakeCondition = (ruleOf) => ({
  take() {},
  read(now, { speed, isRunning, pause }) {
    const rule = ruleOf('slow');
    const look = speed.look(now);
    if (rule.off || !look || !isRunning || pause) return nothing;
    const share = look.now / look.usual;
    const stands = standing(share, rule);
    const is = stands === 'beyond' && look.now >= look.lowest ? 'between' : stands;
    speed.hold('slow', is === 'beyond');
    const { unit, usual } = look;
    const border = usual * rule.threshold;
    return [
      {
        ...{ alarm: 'slow', is, value: look.now, border, unit: `${unit}/s` },
        text: () =>
          `${rateText(look.now, unit)}, ${figure(Math.round(100 * share))} % of the usual ${rateText(usual, unit)} (border ${figure(100 * rule.threshold)} %).`,
      },
    ];
  },
  forgetRun() {},
});
