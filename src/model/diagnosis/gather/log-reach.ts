import { isLogSource } from '../../log-sources.ts';
import type { Sample } from '../../samples.ts';

/** Whether logs are read at all: a link that is lost makes none silent. */
export interface LogReach {
  /** Whether it was found out that they are not. */
  take(sample: Sample): boolean;
  /** Whether all that the log of this source has is here. */
  isRead(source: string, now: number): boolean;
}

/** What stands in a file comes within a moment. */
const catchUpMs = 3000;
/** Sources are few; a recording may name any. */
const mostSources = 64;

/** Before any Sample. */
export function createLogReach(): LogReach {
  /** Since when each is read; undefined: it is not. */
  const readSince = new Map<string, number | undefined>();
  let linkUpSince: number | undefined = -Infinity;
  /** Old lines came last: more may follow. */
  let backlogAt = -Infinity;

  return {
    take(sample) {
      const { receivedAt } = sample;
      if (sample.kind === 'log') backlogAt = sample.backlog ? receivedAt : -Infinity;
      if (sample.kind === 'link') {
        const isUp = sample.state === 'up' && sample.silentSince === undefined;
        const wasUp = linkUpSince !== undefined;
        if (isUp !== wasUp) linkUpSince = isUp ? receivedAt : undefined;
        return !isUp;
      }
      if (sample.kind !== 'source' || !isLogSource(sample.source)) return false;
      const { source, status } = sample;
      if (!readSince.has(source) && readSince.size >= mostSources) return false;
      const isRead = status === 'live';
      if (!readSince.has(source) || isRead !== (readSince.get(source) !== undefined))
        readSince.set(source, isRead ? receivedAt : undefined);
      return !isRead;
    },
    isRead(source, now) {
      const since = readSince.has(source) ? readSince.get(source) : -Infinity;
      return (
        since !== undefined && linkUpSince !== undefined && now - Math.max(since, linkUpSince, backlogAt) >= catchUpMs
      );
    },
  };
}
