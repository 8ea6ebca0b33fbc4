import type { MakeCondition } from '../condition.ts';
import { nothing } from '../condition.ts';
import { figure, span } from '../words.ts';
import type { World } from '../world.ts';

/** Fewer lines tell of no pace. */
const fewestSteps = 5;
/** Three of the longest usual gaps between lines: one that is late, or a burst, is no stall. */
const gaps = 3;
/** A pause is told from a stall by the longest so far: data, and storage, differ by two or three times. */
const longestPauses = 4;
const shortPauseMs = 5 * 60_000;
/** Of the first one nothing is known. */
const firstPauseMs = 30 * 60_000;
/** Threads that compute may be all there is of it, and may spin: it is waited for longer. */
const cpuPatience = 5;

/** No step for a multiple of the usual time, and nothing that works on it. */
export const noStep: MakeCondition = (ruleOf) => ({
  take() {},
  read(now, world) {
    const rule = ruleOf('no-step');
    const { log, quietMs } = world;
    const border = borderOf(world, rule);
    if (!judgesSteps(world, rule) || quietMs === undefined || border === undefined) return nothing;
    const does = world.work.does(now);
    const isWork = does === 'gpus' || (does === 'cpu' && quietMs < cpuPatience * border);
    const is =
      quietMs < Math.min(border, rule.forMs) ? 'over' : quietMs < border || isWork || log.isDone ? 'between' : 'beyond';
    const of = { value: Math.round(quietMs / 1000), border: Math.round(border / 1000), unit: 's' };
    return [{ alarm: 'no-step', is, since: now - quietMs, ...of, text: () => textOf(world, quietMs, border) }];
  },
  forgetRun() {},
});

/** Whether the pace of the run is known well enough to say that a step is late. */
export function judgesSteps({ log, quietMs, isRunning }: World, { off }: { readonly off: boolean }): boolean {
  const isKnown = quietMs !== undefined && log.usualPauseMs !== undefined && log.steps >= fewestSteps;
  return !off && isRunning && isKnown && log.isRead;
}

/** For how long there may be none, ms; undefined: what is usual is not known. */
function borderOf({ log, pause, longestPauseMs }: World, { threshold, forMs }: { threshold: number; forMs: number }) {
  const { stepSeconds = 0, usualPauseMs } = log;
  if (usualPauseMs === undefined) return undefined;
  const border = Math.max(forMs, threshold * stepSeconds * 1000, gaps * usualPauseMs);
  if (!pause) return border;
  const longest = longestPauseMs(pause);
  return Math.max(border, longest === undefined ? firstPauseMs : Math.max(shortPauseMs, longestPauses * longest));
}

const pauseWords = { checkpoint: 'a checkpoint', evaluation: 'an evaluation', warmup: 'loading or compiling' } as const;

function textOf({ log, pause, work, verdicts, longestPauseMs }: World, quietMs: number, border: number): string {
  const usual = log.usualPauseMs ?? 0;
  const [first] = verdicts?.verdicts ?? [];
  const longest = pause && longestPauseMs(pause);
  const beside = pause
    ? `; it is in ${pauseWords[pause]}, which took ${longest === undefined ? 'never so long' : `${span(longest)} at most`}`
    : '';
  const found = first && first.situation !== 'unknown' && !pause ? `; ${first.summary.replace(/\.$/, '')}` : '';
  const stands = beside === '' && found === '' && work.gpus().length > 0 ? '; no GPU of the run works as before' : '';
  return `No step for ${span(quietMs)} (border ${span(border)}); one is told every ${figure(usual / 1000)} s as a rule${beside}${found}${stands}.`;
}
