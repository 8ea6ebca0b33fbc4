/**
 * The wish to draw every row anew, though none changed: the terminal may have lost some. Ink writes the rows that differ from its
 * last frame; a terminal that was made smaller and larger again within one frame, or that cut a row which was on its way, has
 * others. So each row gets a mark that shows nothing, and is another row for Ink (src/ui/ink/output.ts).
 */
let count = 0;
const listeners = new Set<() => void>();

/** Asks for it; the screen follows at once. */
export function repaint(): void {
  count++;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore: how often it was asked for. */
export const repaints = {
  count: () => count,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** What each row ends with now: SGR 0, written in one of two ways. */
export const rowMark = (): string => (count % 2 === 0 ? '' : '\x1b[m');
