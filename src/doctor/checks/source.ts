import { endedReason } from '../../model/ended-reason.ts';
import type { SourceView } from '../../model/store.ts';
import type { Told } from '../check.ts';
import type { Findings } from '../findings.ts';

/** How a source fares; `live` is what is said of one that gives values. */
export function tellSource({ state }: Findings, source: string, live: string): Told {
  return tellView(state?.sources.get(source), live);
}

function tellView(view: SourceView | undefined, live: string): Told {
  if (!view) return { status: 'unknown', found: 'it was not tried' };
  // Nobody waits here.
  const why = view.reason === undefined ? undefined : endedReason(view.reason);
  switch (view.status) {
    case 'live': {
      const odd = view.rejectedLines ?? 0;
      if (odd === 0) return { status: 'ok', found: live };
      return { status: 'warn', found: live, why: `${odd} of its lines could not be read` };
    }
    case 'stale':
      return { status: 'warn', found: 'its values are old', why };
    case 'failed':
      return { status: 'failed', found: 'it fails', why };
    case 'waiting':
      return { status: 'unknown', found: 'nothing has come yet', why };
    case 'off':
      // It could run, and does not.
      return { status: /set MaxSessions/.test(why ?? '') ? 'warn' : 'note', found: 'off', why };
  }
}
