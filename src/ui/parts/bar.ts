import type { Line, Segment, Tone } from './line.ts';

/** A part of a bar: its share of the whole width, 0 to 1. */
export interface BarPart {
  readonly share: number | null | undefined;
  readonly tone: Tone;
}

/**
 * A bar of exactly `width` cells. Parts follow one another (user, then system time) and are told apart by shape too. A bar of
 * one part ends on an eighth of a cell. Something, however little, shows as a sliver: it is not nothing. What is left is a dim track; without any value the track is blank.
 */
export function bar(parts: readonly BarPart[], width: number): Line {
  if (width <= 0) return [];
  if (parts.every(({ share }) => share === null || share === undefined)) return [{ text: ' '.repeat(width) }];
  const segments: Segment[] = [];
  let filled = 0; // cells drawn
  let sum = 0; // exact end of the parts so far, in cells
  parts.forEach(({ share, tone }, i) => {
    sum = Math.min(width, sum + Math.max(0, Number.isFinite(share) ? (share ?? 0) : 0) * width);
    const text = i === parts.length - 1 ? ending(sum - filled, i) : block(i).repeat(Math.round(sum - filled));
    if (text === '') return;
    segments.push({ text, tone });
    filled += text.length;
  });
  const first = parts.find(({ share }) => (share ?? 0) > 0);
  if (filled === 0 && first) {
    segments.push({ text: '▁', tone: first.tone });
    filled = 1;
  }
  if (filled < width) segments.push({ text: '·'.repeat(width - filled), tone: 'dim' });
  return segments;
}

/** Full cells and an eighth's end. Cells are 7/8 high, so that bars of neighbouring rows stay apart. */
function ending(length: number, part: number): string {
  if (length <= 0) return '';
  if (part > 0) return block(part).repeat(Math.round(length));
  const sevenths = Math.max(1, Math.round(length * 7));
  return '▇'.repeat(Math.floor(sevenths / 7)) + (' ▁▂▃▄▅▆'[sevenths % 7] ?? '').trim();
}

function block(part: number): string {
  return part === 0 ? '▇' : '▄';
}
