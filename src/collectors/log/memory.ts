/** Lines that are remembered of the time between two ticks, and their characters: a line may have 64 KiB. */
const most = { lines: 5000, characters: 2_000_000 };
/** A tick's check passed when the one after next is sent. */
const kept = 3;

interface Span {
  readonly from: number;
  readonly lines: Map<number, string>;
  characters: number;
}

const spanFrom = (from: number): Span => ({ from, lines: new Map(), characters: 0 });

/**
 * The lines of the last ticks by their place in the file. When it turns out that the file was truncated and grew again behind our back,
 * it is read anew, and those of its lines that came already are known.
 */
export function createMemory() {
  let spans = [spanFrom(0)];
  let recalled = new Map<number, string>();
  let last = -1;
  return {
    add(offset: number, text: string): void {
      const span = spans.at(-1);
      if (!span || span.lines.size >= most.lines || span.characters + text.length > most.characters) return;
      span.lines.set(offset, text);
      span.characters += text.length;
    },
    /** All lines before `offset` have been given. */
    tick(offset: number): void {
      spans = [...spans, spanFrom(offset)].slice(-kept);
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
      spans = [spanFrom(0)];
      recalled = new Map();
    },
  };
}
