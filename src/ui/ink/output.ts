import { rowMark } from '../repaint.ts';
import SlowOutput from 'ink/build/output.js';
import { cellsOf, hasOnlySgr } from './cells.ts';
import { tidyColours } from './tidy-colours.ts';

type Transformer = (text: string, index: number) => string;
interface Clip {
  readonly x1: number | undefined;
  readonly x2: number | undefined;
  readonly y1: number | undefined;
  readonly y2: number | undefined;
}
interface Write {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly transformers: readonly Transformer[];
  readonly clip: Clip | undefined;
}
interface Piece {
  readonly x: number;
  readonly end: number;
  readonly row: string;
}

/**
 * Stands for Ink's Output, which takes every row apart into an object a cell and joins them again: at 160x50 that was nine tenths of
 * the monitor's CPU. Texts that neither overlap nor are clipped need no cells: the rows of the screen are the texts side by
 * side. Whatever is not so simple goes to Ink's own.
 */
export default class Output {
  readonly width: number;
  readonly height: number;
  readonly #writes: Write[] = [];
  readonly #clips: Clip[] = [];
  readonly #slow: SlowOutput;

  constructor(size: { readonly width: number; readonly height: number }) {
    this.width = size.width;
    this.height = size.height;
    this.#slow = new SlowOutput(size);
  }

  write(x: number, y: number, text: string, options: { readonly transformers: readonly Transformer[] }): void {
    this.#slow.write(x, y, text, options);
    if (text) this.#writes.push({ x, y, text, transformers: options.transformers, clip: this.#clips.at(-1) });
  }

  clip(clip: Clip): void {
    this.#slow.clip(clip);
    this.#clips.push(clip);
  }

  unclip(): void {
    this.#slow.unclip();
    this.#clips.pop();
  }

  get(): { output: string; height: number } {
    const rows = this.#rows();
    const mark = rowMark();
    if (rows) return { output: rows.join(`${mark}\n`) + mark, height: this.height };
    const { output, height } = this.#slow.get();
    return { output: output.replaceAll('\n', `${mark}\n`) + mark, height };
  }

  /** The rows of the screen; undefined when cells are needed to tell what is seen. */
  #rows(): string[] | undefined {
    const pieces = Array.from({ length: this.height }, (): Piece[] => []);
    for (const write of this.#writes) {
      const rows = write.text.split('\n');
      for (let i = 0; i < rows.length; i++) {
        const piece = pieceOf(write, rows[i] ?? '', i);
        if (!piece) return undefined;
        pieces[write.y + i]?.push(piece);
      }
    }
    const joined: string[] = [];
    for (const row of pieces) {
      const text = joinPieces(row);
      if (text === undefined) return undefined;
      joined.push(text);
    }
    return joined;
  }
}

function pieceOf({ x, y, transformers, clip }: Write, text: string, index: number): Piece | undefined {
  const row = transformers.reduce((now, transform) => transform(now, index), text);
  if (x < 0 || !hasOnlySgr(row)) return undefined;
  const end = x + cellsOf(row);
  if (!clip) return { x, end, row };
  const { x1 = 0, x2 = Infinity, y1 = 0, y2 = Infinity } = clip;
  return x >= x1 && end <= x2 && y + index >= y1 && y + index < y2 ? { x, end, row } : undefined;
}

function joinPieces(pieces: Piece[]): string | undefined {
  pieces.sort((a, b) => a.x - b.x);
  let row = '';
  let at = 0;
  for (const { x, end, row: text } of pieces) {
    if (x < at) return undefined;
    row += x > at ? ' '.repeat(x - at) + text : text;
    at = end;
  }
  return tidyColours(row);
}
