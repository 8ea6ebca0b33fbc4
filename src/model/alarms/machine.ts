import type { AlarmRule } from './settings.ts';

/** How what is measured stands to its borders; `unknown`: nobody told just now. */
export type Standing = 'beyond' | 'between' | 'over' | 'unknown';

/** What one look at a machine brings. */
export interface Look {
  readonly now: number;
  readonly is: Standing;
  /** Since when it is so, where that is known better than by the first look; epoch ms. */
  readonly since?: number;
  /** Since when we have looked without a break: before it nothing was seen to last. */
  readonly awakeSince: number;
  readonly rule: Pick<AlarmRule, 'forMs' | 'clearForMs' | 'coolDownMs'>;
  /** It is told by another one: it waits. */
  readonly isTold?: boolean;
}

/** One alarm about one thing: quiet, pending for `forMs`, ringing, clear for `clearForMs`, quiet again. */
export interface Machine {
  look(look: Look): 'rings' | 'resolved' | undefined;
  /** It is over, whatever is measured. */
  end(): 'resolved' | undefined;
  /** Nothing of it has to be remembered. */
  isQuiet(now: number, coolDownMs: number): boolean;
  isRinging(): boolean;
  /** Beyond, and not yet told. */
  isPending(): boolean;
  /** Since when it is so; of one that rings, was so before it rang. */
  since(): number | undefined;
}

/** A break of our own: what was not looked at for so long lasted for nobody knows how long. */
export const breakMs = 10_000;

/** A machine that is quiet. */
export function createMachine(): Machine {
  let state: 'quiet' | 'pending' | 'ringing' = 'quiet';
  let since: number | undefined;
  /** From when on it counts: time that nobody saw is left out. */
  let from = 0;
  let clearFrom: number | undefined;
  let rungAt = -Infinity;
  let lookedAt: number | undefined;

  function resolve(): 'resolved' {
    state = 'quiet';
    since = undefined;
    clearFrom = undefined;
    return 'resolved';
  }

  return {
    look({ now, is, since: told, awakeSince, rule, isTold = false }) {
      const gap = lookedAt === undefined ? 0 : now - lookedAt;
      lookedAt = now;
      // A clock that was set back leaves times to come.
      if (gap < 0) {
        from = Math.min(from, now);
        rungAt = Math.min(rungAt, now);
        if (clearFrom !== undefined) clearFrom = Math.min(clearFrom, now);
      }
      if (gap > 0 && (is === 'unknown' || gap >= breakMs)) {
        from += gap;
        if (clearFrom !== undefined) clearFrom += gap;
      }
      if (is === 'unknown') return undefined;
      if (state === 'ringing') {
        if (is !== 'over') clearFrom = undefined;
        else if (now - (clearFrom ??= now) >= rule.clearForMs) return resolve();
        return undefined;
      }
      if (is !== 'beyond') {
        state = 'quiet';
        since = undefined;
        return undefined;
      }
      if (state === 'quiet') {
        state = 'pending';
        since = Math.min(told ?? now, now);
        from = Math.max(since, Math.min(awakeSince, now));
      }
      if (isTold || now - from < rule.forMs || now - rungAt < rule.coolDownMs) return undefined;
      state = 'ringing';
      rungAt = now;
      clearFrom = undefined;
      return 'rings';
    },
    end() {
      const was = state;
      resolve();
      return was === 'ringing' ? 'resolved' : undefined;
    },
    isQuiet: (now, coolDownMs) => state === 'quiet' && (now - rungAt >= coolDownMs || now < rungAt),
    isRinging: () => state === 'ringing',
    isPending: () => state === 'pending',
    since: () => since,
  };
}
