import type { Verdict } from '../verdict-samples.ts';
import { phases } from './choice.ts';

type Headed = Pick<Verdict, 'situation' | 'scope'>;

/** Keeps what stands first there until another has been first for a while. */
export interface Headline {
  take<T extends Headed>(now: number, verdicts: readonly T[]): readonly T[];
  forget(): void;
}

/** A challenger has to stand so long: as long as it takes to read the headline. */
const standMs = 3000;

/** None yet. */
export function createHeadline(): Headline {
  let current = '';
  let challenger = { key: '', since: 0 };
  return {
    take(now, verdicts) {
      const [first] = verdicts;
      const kept = verdicts.find((each) => keyOf(each) === current);
      // A phase is a time already, or changes what everything else means.
      if (!first || !kept || kept === first || phases.has(first.situation)) {
        current = first ? keyOf(first) : '';
        challenger = { key: '', since: now };
        return verdicts;
      }
      const key = keyOf(first);
      if (challenger.key !== key || now < challenger.since) challenger = { key, since: now };
      if (now - challenger.since < standMs) return [kept, ...verdicts.filter((each) => each !== kept)];
      current = key;
      return verdicts;
    },
    forget: () => (current = ''),
  };
}

function keyOf({ situation, scope }: Headed): string {
  return `${situation} ${scope.queue ?? ''} ${scope.cause ?? ''}`;
}
