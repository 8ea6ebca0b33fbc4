/** Lines that are remembered of the time between two ticks. */
const most = 5000;
/** A tick's check passed when the one after next is sent. */
const kept = 3;

interface Span {
  readonly from: number;
  readonly lines: Map<number, string>;
}

/**
 * The lines of the last ticks by their place in the file. When it turns out that the file was truncated and grew again behind our back,
 * it is read anew, and those of its lines that came already are known.
 */
export function createMemory() {
  let spans: Span[] = [{ from: 0, lines: new Map() }];
  let recalled = new Map<number, string>();
  let last = -1;
  return {
    add(offset: number, text: string): void {
      const lines = spans.at(-1)?.lines;
      if (lines && lines.size < most) lines.set(offset, text);
    },
    /** All lines before `offset` have been given. */
    tick(offset: number): void {
      spans = [...spans, { from: offset, lines: new Map<number, string>() }].slice(-kept);
    },
    /** The file is read anew. */
    recall(): void {
      recalled = new Map(spans.flatMap(({ lines }) => [...lines]));
      last = Math.max(-1, ...recalled.keys());
    },
    /** The offset that was surely read of the file as it was before. */
    surelyRead: (): number => spans[0]?.from ?? 0,
    knows(offset: number, text: string): boolean {
      if (recalled.size === 0) return false;
      const known = recalled.get(offset) === text;
      if (offset >= last) recalled = new Map();
      return known;
    },
    /** Another file, or another place in it. */
    forget(): void {
      spans = [{ from: 0, lines: new Map() }];
      recalled = new Map();
    },
  };
}
