import type { FoldedStack } from './fold.ts';

/** What a share is made of. */
export function weightOf({ count, weight = count }: Pick<FoldedStack, 'count' | 'weight'>): number {
  return weight;
}
