import { createContext, useContext } from 'react';
import type { Tone } from './parts/line.ts';

/** How tones look on this terminal. Nothing else in the screen names a colour or a frame character. */
export interface Theme {
  /** How many colours: none is NO_COLOR's theme, in which weight and inverse say what colour does. */
  readonly colours: 'none' | '16' | '256' | 'true';
  /** Only ASCII leaves the program: frames, bars and cut marks have ASCII forms, other characters become `?`. */
  readonly ascii: boolean;
  /** The SGR parameters that open and close each tone, in order; empty for plain. */
  readonly styles: Readonly<Record<Tone, readonly Style[]>>;
}

/** One SGR pair: Ink's tokenizer knows the end of a single parameter only, so they are not joined by `;`. */
export type Style = readonly [open: string, close: string];

type Environment = Readonly<Record<string, string | undefined>>;

/** The theme for a terminal described by its environment: NO_COLOR, TRAINTOP_ASCII, the locale, COLORTERM, TERM. */
export function createTheme(environment: Environment): Theme {
  const colours = coloursOf(environment);
  return { colours, ascii: isAscii(environment), styles: stylesOf(colours) };
}

/** The theme of the screen. */
export function useTheme(): Theme {
  return useContext(Context);
}

function coloursOf({ NO_COLOR, COLORTERM, TERM }: Environment): Theme['colours'] {
  if (NO_COLOR || TERM === 'dumb') return 'none';
  if (/truecolor|24bit/i.test(COLORTERM ?? '') || /-direct$/.test(TERM ?? '')) return 'true';
  if (/256|kitty|alacritty|ghostty|foot|wezterm/.test(TERM ?? '')) return '256';
  return '16';
}

function isAscii({ TRAINTOP_ASCII, LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  if (TRAINTOP_ASCII) return TRAINTOP_ASCII !== '0';
  // The first that is set and not empty counts, as in setlocale(3). None set: C, which is not UTF-8.
  return !/utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

/**
 * [red green blue, 256-colour index, 16-colour SGR]. After Okabe and Ito's palette, which people with any of the common colour
 * blindnesses can tell apart: blue-green for well, orange for a warning, vermilion with weight for bad. Lightness is in the
 * middle, so that each reads on black and on white.
 */
const palette = {
  blue: ['64;140;220', '68', '34'],
  sky: ['60;165;205', '38', '36'],
  teal: ['0;158;125', '36', '32'],
  amber: ['200;140;20', '172', '33'],
  vermilion: ['224;92;40', '166', '31'],
  pink: ['200;110;165', '169', '35'],
  violet: ['140;125;225', '104', '35'],
  olive: ['140;150;50', '101', '33'],
  slate: ['125;135;150', '102', '90'],
  grey: ['130;130;130', '245', '90'],
} as const;

const bold: Style = ['1', '22'];
const dim: Style = ['2', '22'];
const underline: Style = ['4', '24'];

function stylesOf(colours: Theme['colours']): Theme['styles'] {
  if (colours === 'none') return monochrome;
  const colour = (name: keyof typeof palette): Style => {
    const [rgb, index, basic] = palette[name];
    return [colours === 'true' ? `38;2;${rgb}` : colours === '256' ? `38;5;${index}` : basic, '39'];
  };
  return {
    plain: [],
    dim: [colour('grey')],
    strong: [bold],
    title: [bold],
    focus: [colour('blue')],
    ok: [colour('teal')],
    warn: [colour('amber')],
    bad: [bold, colour('vermilion')],
    series1: [colour('blue')],
    series2: [colour('amber')],
    series3: [colour('teal')],
    series4: [colour('pink')],
    series5: [colour('sky')],
    series6: [colour('vermilion')],
    series7: [colour('violet')],
    series8: [colour('olive')],
  };
}

const monochrome: Theme['styles'] = {
  plain: [],
  dim: [dim],
  strong: [bold],
  title: [bold],
  focus: [bold],
  ok: [],
  warn: [underline],
  bad: [bold, underline],
  series1: [],
  series2: [],
  series3: [],
  series4: [],
  series5: [],
  series6: [],
  series7: [],
  series8: [],
};

// Below the tables: the default is made of them.
const Context = createContext<Theme>(createTheme({ LANG: 'C.UTF-8', COLORTERM: 'truecolor' }));

/** Gives everything inside its theme. */
export const ThemeProvider = Context.Provider;
