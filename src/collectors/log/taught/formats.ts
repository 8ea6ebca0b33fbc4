import { groupsOf, type LogPattern } from '../../../model/log-patterns.ts';
import type { LogField, QueueReading, StageReading } from '../../../model/samples.ts';
import type { Draft } from '../draft.ts';
import type { LogFormat } from '../formats/format.ts';
import { lookup } from '../lookup.ts';
import { amountOf } from './amount.ts';
import { costOf } from './cost.ts';
import { groupMeaning, type GroupMeaning } from './groups.ts';

/** Does the work, or gives it up after a while: undefined. */
type Bounded = <T>(work: () => T) => T | undefined;

/** The user's patterns as formats. */
export interface Taught {
  readonly formats: readonly LogFormat[];
  /** Names of patterns that took too long on some line: they are asked no more. */
  leftOut(): readonly string[];
}

/** Above all that is read beside it. */
const rank = 1000;

/**
 * Makes formats of patterns, in their order. What a match spans is read by it alone, what stands beside it as in any log. A pattern that
 * may take long runs in `bounded`.
 */
export function taughtFormats(patterns: readonly LogPattern[], bounded: Bounded): Taught {
  const leftOut = new Set<string>();
  return {
    formats: patterns.map((pattern) => format(pattern, { bounded, leftOut })),
    leftOut: () => [...leftOut],
  };
}

interface Watch {
  readonly bounded: Bounded;
  readonly leftOut: Set<string>;
}

function format({ name, pattern, units = {}, scope }: LogPattern, { bounded, leftOut }: Watch): LogFormat {
  const unitOf = lookup(units);
  const groups = groupsOf(pattern).map((group) => ({ group, meaning: groupMeaning(group), unit: unitOf[group] }));
  const { cheapUpTo, literal } = costOf(pattern);
  let last: { readonly text: string; readonly match: RegExpExecArray | null } | undefined;

  const match = (text: string): RegExpExecArray | null => {
    if (last?.text === text) return last.match;
    if (leftOut.has(name)) return null;
    const found = text.length <= cheapUpTo ? pattern.exec(text) : bounded(() => pattern.exec(text));
    if (found === undefined) leftOut.add(name);
    last = { text, match: found ?? null };
    return last.match;
  };

  return {
    name,
    title: name,
    source: 'a pattern of the configuration',
    anchors: literal === undefined ? [] : [literal],
    detect: Object.assign(new RegExp(pattern.source), { test: (text: string) => match(text) !== null }),
    read(text, draft) {
      const found = match(text);
      if (!found) return text;
      draft.metrics();
      const parts = createParts();
      for (const { group, meaning, unit } of groups) {
        const written = found.groups?.[group];
        const value = written === undefined ? undefined : amountOf(written, { meaning, unit });
        if (value !== undefined) parts.take(meaning, value, { draft, scope });
      }
      parts.give(draft);
      return `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
    },
    examples: [],
  };
}

/** Gathers what several groups say of one queue or stage. */
function createParts() {
  const queues = new Map<string, Record<string, number>>();
  const stages = new Map<string, Record<string, number>>();
  const put = (readings: typeof queues, { name, part }: { name: string; part: string }, value: number) =>
    void readings.set(name, { ...readings.get(name), [part]: value });
  return {
    take(
      meaning: GroupMeaning,
      value: number,
      { draft, scope }: { draft: Draft; scope: 'gpu' | 'global' | undefined },
    ) {
      if (meaning.as === 'queue') put(queues, meaning, value);
      else if (meaning.as === 'stage') put(stages, meaning, value);
      else if (meaning.as === 'metric') draft.other(meaning.name, value);
      else draft.set(meaning.field, value, rank, isScoped(meaning.field) ? (scope ?? meaning.scope) : undefined);
    },
    give(draft: Draft) {
      for (const [name, parts] of queues) draft.queue({ ...parts, name } as QueueReading, 'surely');
      for (const [name, parts] of stages) draft.stage({ ...parts, name } as StageReading);
    },
  };
}

const isScoped = (field: LogField) => field === 'tokensPerSecond';
