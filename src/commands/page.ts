import type { Line } from '../ui/parts/line.ts';
import { lineWidth, renderLine } from '../ui/parts/render-line.ts';
import { createTheme, type Theme } from '../ui/theme.ts';

/** Where a page for people is printed. */
export type PageOutput = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/** How it looks there. */
export interface PageLook {
  /** Cells. */
  readonly width: number;
  readonly theme: Theme;
  /** Without any code: it goes where nobody could read it. */
  readonly isPlain: boolean;
}

/** Lines longer than this are hard to read. */
const widest = 100;
/** Where there is no terminal. */
const otherWidth = 80;

/** Coloured on a terminal only, at most 100 columns wide, 80 where there is no terminal. */
export function pageLook({ isTTY, columns }: PageOutput, env: NodeJS.ProcessEnv): PageLook {
  return {
    width: isTTY ? Math.max(40, Math.min(widest, columns - 1)) : otherWidth,
    theme: createTheme(isTTY ? env : { ...env, NO_COLOR: '1' }),
    isPlain: !isTTY,
  };
}

/** The lines, without blanks at their ends. */
export function drawPage(lines: readonly Line[], { width, theme, isPlain }: PageLook): string {
  return lines
    .map((line) => {
      const shown = isPlain ? line.map(({ text }) => ({ text })) : line;
      const drawn = renderLine({ line: shown, width: Math.min(width, Math.max(1, lineWidth(shown))), theme });
      return `${drawn.trimEnd()}\n`;
    })
    .join('');
}

/** A line with the name of what follows. */
export function pageRule(name: string, width: number): Line {
  return [
    { text: '── ', tone: 'dim' },
    { text: name, tone: 'title' },
    { text: ` ${'─'.repeat(Math.max(0, width - name.length - 4))}`, tone: 'dim' },
  ];
}
