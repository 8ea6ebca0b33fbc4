import { scopeWords, situationWords } from '../../diagnosis/words.ts';
import type { Bounded } from '../../roles/rules.ts';
import type { LinkSample, LogSample, VerdictsSample } from '../../samples.ts';
import type { Situation } from '../../situations.ts';
import { nothing, type Finding, type MakeCondition } from '../condition.ts';
import { judgesSteps } from './no-step.ts';
import { verdictRules } from '../rules.ts';
import type { AlarmSettings, PatternAlarm } from '../settings.ts';
import { short, span } from '../words.ts';

/** The connection is away. */
export const link: MakeCondition = (ruleOf) => {
  let wasUp = false;
  let down: { readonly at: number; readonly sample: LinkSample } | undefined;
  return {
    take(sample) {
      if (sample.kind !== 'link') return;
      const isUp = sample.state === 'up' && sample.silentSince === undefined;
      if (isUp) [wasUp, down] = [true, undefined];
      else if (wasUp) down = { at: down?.at ?? sample.silentSince ?? sample.receivedAt, sample };
    },
    read(now) {
      if (ruleOf('link-lost').off || !wasUp) return nothing;
      if (!down) return [{ alarm: 'link-lost', is: 'over', text: () => '' }];
      const { at, sample } = down;
      const reason = sample.reason === undefined ? 'it is tried again' : short(sample.reason);
      return [
        {
          ...{ alarm: 'link-lost', is: 'beyond', since: at },
          text: () => `Nothing came from ${sample.host} for ${span(now - at)}, and nobody sees the run: ${reason}.`,
        },
      ];
    },
    forgetRun() {},
  };
};

/** Verdicts that are asked for by name. */
export const verdicts =
  (settings: AlarmSettings): MakeCondition =>
  (ruleOf) => {
    const rules = verdictRules(settings, ruleOf('verdict'));
    /** Those that were told: they are over when they are not. */
    const told = new Set<Situation>();

    /** It was asked for, beside that no step comes. */
    const isAsked = settings.verdicts?.some(({ situation, off }) => situation === 'stalled' && !off) ?? false;

    function ofVerdicts({ verdicts: all }: VerdictsSample, hasPace: boolean): readonly Finding[] {
      const found: Finding[] = [];
      const { threshold, clear } = ruleOf('verdict');
      for (const [situation, { confidence, forMs, severity }] of rules) {
        const best = all
          .filter((each) => each.situation === situation)
          .reduce<(typeof all)[number] | undefined>((a, b) => (a && a.confidence >= b.confidence ? a : b), undefined);
        if (!best) {
          if (told.has(situation)) found.push({ alarm: 'verdict', key: situation, is: 'over', text: () => '' });
          continue;
        }
        // Of a pace that is known `no-step` alone says when: what rang before stays until it is over.
        const waits = situation === 'stalled' && hasPace && !isAsked;
        const isOver = best.confidence < (confidence * clear) / threshold;
        const is = best.confidence >= confidence && !waits ? 'beyond' : isOver ? 'over' : 'between';
        if (is === 'beyond') told.add(situation);
        const where = scopeWords(best);
        found.push({
          ...{
            alarm: 'verdict',
            key: situation,
            about: where === '' ? situation : `${situation}, ${where}`,
            is,
            forMs,
            severity,
          },
          ...{ since: best.since, value: best.confidence, border: confidence },
          text: () =>
            `${situationWords[situation].name}${where === '' ? '' : `, ${where}`}: ${best.summary.replace(/\.$/, '')}.`,
        });
      }
      return found;
    }

    return {
      take() {},
      read: (_, world) =>
        world.verdicts && world.isRunning && !ruleOf('verdict').off
          ? ofVerdicts(world.verdicts, judgesSteps(world, ruleOf('no-step')))
          : nothing,
      forgetRun: () => told.clear(),
    };
  };

const longestText = 2000;
/** A flood is matched in part: patterns are the user's, and may be slow. */
const mostLines = 500;

interface Pattern {
  readonly pattern: PatternAlarm;
  toldAt: number;
  untold: number;
  open: { readonly text: string; readonly at: number } | undefined;
  /** It took too long once: it is asked no more, or nothing else would be seen to. */
  isSlow?: true;
}

/** Lines that fit a pattern of the user's. */
export const patterns =
  (settings: AlarmSettings, bounded: Bounded = (work) => work()): MakeCondition =>
  (ruleOf) => {
    const all = (settings.patterns ?? []).map((pattern): Pattern => ({
      pattern,
      toldAt: -Infinity,
      untold: 0,
      open: undefined,
    }));

    function take({ lines, backlog, receivedAt }: LogSample, beganAt: number) {
      const asked = lines
        .slice(-mostLines)
        .filter(({ note, undated, time }) => !note && !undated && !(backlog && time < beganAt));
      for (const each of all) {
        if (each.isSlow || asked.length === 0) continue;
        const { match, coolDownMs = ruleOf('pattern').coolDownMs } = each.pattern;
        const fitting = bounded(() =>
          asked.filter(({ text }) => {
            // Of a sticky or global one the last match would move the next.
            match.lastIndex = 0;
            return match.test(text.slice(0, longestText));
          }),
        );
        if (!fitting) {
          each.isSlow = true;
          each.open = { text: 'it takes too long on lines of this log, and is asked no more', at: receivedAt };
        }
        for (const { text, time } of fitting ?? []) {
          if (each.open || (receivedAt - each.toldAt < coolDownMs && receivedAt >= each.toldAt)) each.untold++;
          else each.open = { text, at: time };
        }
      }
    }

    return {
      take(sample, { beganAt }) {
        if (sample.kind === 'log' && all.length > 0 && !ruleOf('pattern').off) take(sample, beganAt);
      },
      read(now) {
        const rule = ruleOf('pattern');
        if (all.length === 0 || rule.off) return nothing;
        return all.map((each): Finding => {
          const { pattern, open, untold } = each;
          const head = {
            alarm: 'pattern',
            about: pattern.name,
            severity: pattern.severity ?? rule.severity,
            // The cool-down is kept here, where what is not told is counted.
            ...{ coolDownMs: 0, clearForMs: Math.min(rule.clearForMs, pattern.coolDownMs ?? rule.coolDownMs) },
          } as const;
          if (!open) return { ...head, is: 'over', text: () => '' };
          each.open = undefined;
          each.toldAt = now;
          each.untold = 0;
          const more =
            untold === 0
              ? ''
              : ` (and ${untold} such ${untold === 1 ? 'line' : 'lines'} that ${untold === 1 ? 'was' : 'were'} not told)`;
          return {
            ...head,
            is: 'beyond',
            since: open.at,
            value: untold + 1,
            unit: 'lines',
            text: () => `${pattern.name}: ${short(open.text)}${more}`,
          };
        });
      },
      forgetRun() {},
    };
  };
