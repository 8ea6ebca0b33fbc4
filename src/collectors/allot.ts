import type { Collector, Context, Off, Plan } from './collector.ts';

/** What the collectors would run now, the most needed first, and what is not to be had on this host. */
export interface Wishes {
  readonly plans: readonly Plan[];
  readonly off: readonly Off[];
}

/** Asks all collectors. They stand in the order of need (registry.ts); the second stream of one comes after the first of all. */
export function wishesOf(collectors: readonly Collector[], context: Context): Wishes {
  const off: Off[] = [];
  const ranked: { readonly plan: Plan; readonly rank: number }[] = [];
  for (const collector of collectors) {
    let rank = 0;
    for (const wish of collector.plans(context)) {
      if ('off' in wish) off.push(wish);
      else ranked.push({ plan: wish, rank: rank++ });
    }
  }
  return { plans: ranked.sort((a, b) => a.rank - b.rank).map(({ plan }) => plan), off };
}

/** How many sessions there are, and who needs none. */
export interface Room {
  readonly sessions: number;
  /** A source that has given up needs no session. */
  readonly needsNone: (plan: Plan) => boolean;
  /** The first two take turns: it is the second's. */
  readonly secondFirst: boolean;
}

/** Who runs, and for whom there is no session. */
export function allot(plans: readonly Plan[], { sessions, needsNone, secondFirst }: Room) {
  const [first, second, ...others] = plans;
  const order = secondFirst && first && second ? [second, first, ...others] : plans;
  let free = sessions;
  const runs: Plan[] = [];
  const waits: Plan[] = [];
  for (const plan of order) {
    if (needsNone(plan)) runs.push(plan);
    else if (free > 0) {
      free--;
      runs.push(plan);
    } else waits.push(plan);
  }
  return { runs, waits };
}

/** Why there is no session for a source, as one sentence. What to do comes first: a small panel has no more room. */
export function whyNoSession(init: {
  readonly target: string;
  readonly limit: number;
  /** The sources that have one. */
  readonly holders: readonly string[];
  /** How many are lent to other commands: a dump, a shell. */
  readonly forJobs: number;
}): string {
  const { target, limit, holders, forJobs } = init;
  const others = forJobs === 0 ? [] : [forJobs === 1 ? 'one other command' : `${forJobs} other commands`];
  const names = [...new Set(holders), ...others];
  const taken = names.length === 0 ? '' : ` (${listed(names)} ${limit === 1 ? 'has it' : 'have them'})`;
  return `${target} allows ${limit === 1 ? 'one session' : `${limit} sessions`}: set MaxSessions 10 in its sshd_config${taken}`;
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
