import type { FoldedStack } from './fold.ts';

/** What a share is made of. */
export function weightOf(stack: Pick<FoldedStack, 'count' | 'weight'>): number {
  return stack.weight ?? stack.count;
}
