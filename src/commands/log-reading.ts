import { logFormats } from '../collectors/log/formats/registry.ts';
import type { ReaderOptions } from '../collectors/log/reader.ts';
import { taughtFormats } from '../collectors/log/taught/formats.ts';
import { UsageFault } from '../config/check-options.ts';
import type { LogPattern } from '../model/log-patterns.ts';
import { bounded } from './bounded.ts';

/** How logs are read: what the user taught, and the format that is pinned. */
export interface LogReading {
  readonly options: ReaderOptions;
  /** Names of patterns that took too long on some line: they are asked no more. */
  leftOut(): readonly string[];
}

interface Wish {
  readonly patterns?: readonly LogPattern[] | undefined;
  readonly pinned?: string | undefined;
  /** How `pinned` was written. */
  readonly option: '--format' | '--log-format';
}

/** Throws a UsageFault where the pinned format is none that is known. */
export function logReading({ patterns = [], pinned, option }: Wish): LogReading {
  const { formats, leftOut } = taughtFormats(patterns, bounded);
  const names = [...formats, ...logFormats].map(({ name }) => name);
  if (pinned !== undefined && ![...names, 'generic'].includes(pinned)) {
    const near = names.filter((name) => isNear(name, pinned));
    const some = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${names.sort().join(', ')}`;
    throw new UsageFault(`${option} ${pinned} is no format that is known; ${some.replace(/([^?])$/, '$1, generic.')}`);
  }
  return {
    options: { ...(pinned !== undefined && { pinned }), ...(formats.length > 0 && { taught: formats }) },
    leftOut,
  };
}

/** Of a pattern that is asked no more. */
export const leftOutSentence = (name: string) =>
  `The pattern ${name} took longer than a second on a line and was asked no more; let its repeats not take what may follow them.`;

/** The same letters, but for case, joints, more at an end, and two of them. */
function isNear(name: string, asked: string): boolean {
  const [a, b] = [name, asked].map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''));
  if (!a || !b) return false;
  return a.startsWith(b) || b.startsWith(a) || (Math.min(a.length, b.length) > 4 && edits(a, b) <= 2);
}

/** Letters to add, take away or change to make one of the other. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
