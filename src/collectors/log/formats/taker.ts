import type { LogField } from '../../../model/samples.ts';
import type { Draft } from '../draft.ts';
import { formatRank, takeField, takeMetric, takeStage } from './entries.ts';
import type { Unit } from './format.ts';

/** Takes values out of a line, one after another; the first group of a pattern is the value. */
export interface Taker {
  field(field: LogField, pattern: RegExp, unit?: Unit): void;
  /** Tokens a second. */
  rate(pattern: RegExp, scope: 'gpu' | 'global'): void;
  metric(key: string, pattern: RegExp): void;
  stage(name: string, pattern: RegExp, unit?: Unit): void;
  /** What the format knows to measure nothing. */
  skip(pattern: RegExp): void;
  /** What nobody took: a fork's own, for the generic reader. */
  left(): string;
}

/** What such lines say stands near their beginning. */
const longestRead = 4000;

/** A taker of this line. */
export function createTaker(text: string, draft: Draft): Taker {
  let rest = text.slice(0, longestRead);
  const take = (pattern: RegExp): string | undefined => {
    const match = pattern.exec(rest);
    if (!match) return undefined;
    rest = `${rest.slice(0, match.index)} | ${rest.slice(match.index + match[0].length)}`;
    return match.slice(1).find((group) => group !== undefined);
  };
  return {
    field: (field, pattern, unit) => takeField(field, take(pattern), draft, unit),
    rate(pattern, scope) {
      const value = take(pattern);
      if (value !== undefined) draft.set('tokensPerSecond', Number(value), formatRank, scope);
    },
    metric: (key, pattern) => takeMetric(key, take(pattern), draft),
    stage: (name, pattern, unit = 's') => takeStage(name, take(pattern), unit, draft),
    skip: (pattern) => void take(pattern),
    left: () => rest,
  };
}
