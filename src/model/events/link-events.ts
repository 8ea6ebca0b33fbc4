import type { LinkSample, SourceSample } from '../samples.ts';
import { event, reasonText, span, type Finder } from './found.ts';
import { createLimiter, heldText, type Limiter } from './limiter.ts';

/** More sources than these are none of ours. */
const mostSources = 200;
const often = { burst: 6, everyMs: 300_000 };

/** The link's loss and return. A link that breaks all the time is told of now and then, with how often it broke. */
export function createLinkFinder(): Finder {
  const limiter = createLimiter(often);
  let wasUp = false;
  let lostAt: number | undefined;
  let isTold = false;

  function ofLink(sample: LinkSample) {
    const { state, time, reason } = sample;
    if (state === 'up') {
      const since = lostAt;
      wasUp = true;
      lostAt = undefined;
      if (since === undefined || !isTold) return [];
      return [event(sample, 'link back', `after ${span(time - since)}`)];
    }
    if (!wasUp || lostAt !== undefined) return [];
    lostAt = sample.silentSince ?? time;
    const passed = limiter.pass(sample.receivedAt);
    isTold = passed !== undefined;
    if (!passed) return [];
    return [event(sample, 'link lost', reasonText(reason ?? 'no reason is known') + heldText(passed, 'losses'))];
  }

  return { find: (sample) => (sample.kind === 'link' ? ofLink(sample) : []) };
}

interface Source {
  readonly limiter: Limiter;
  /** Since when it fails. */
  failedAt?: number | undefined;
  isTold: boolean;
}

/** Sources that fail, and those that are back. */
export function createSourceFinder(): Finder {
  const sources = new Map<string, Source>();

  function ofSource(sample: SourceSample) {
    const { source, status, time, reason } = sample;
    let known = sources.get(source);
    if (status === 'failed') {
      if (!known && sources.size >= mostSources) return [];
      if (!known) sources.set(source, (known = { limiter: createLimiter(often), isTold: false }));
      // Between two attempts it waits; that is no other failure.
      if (known.failedAt !== undefined) return [];
      known.failedAt = time;
      const passed = known.limiter.pass(sample.receivedAt);
      known.isTold = passed !== undefined;
      if (!passed) return [];
      return [
        event(
          sample,
          'source failed',
          `${source}: ${reasonText(reason ?? 'no reason is known')}${heldText(passed, 'failures')}`,
        ),
      ];
    }
    if (status !== 'live' || known?.failedAt === undefined) return [];
    const since = known.failedAt;
    known.failedAt = undefined;
    return known.isTold ? [event(sample, 'source back', `${source}, after ${span(time - since)}`)] : [];
  }

  return { find: (sample) => (sample.kind === 'source' ? ofSource(sample) : []) };
}
