import type { Shape } from './shapes.ts';
import { titleOf } from './titled.ts';

/** The lines of a record as one text. Lines of a block are parted by LF, which is no part of any line. */
export function joined(texts: readonly string[], shape: Shape | undefined): string {
  const [first = '', ...rest] = texts;
  if (rest.length === 0) return first;
  switch (shape) {
    case 'broken':
      return texts.join('');
    case 'wrapped':
      return joinWrapped(first, rest);
    case 'braces':
      return [first.trimEnd(), ...rest.map((text) => text.trim())].join(' ');
    case 'box':
      return texts
        .map(unframed)
        .filter((text) => text !== '')
        .join('\n');
    case 'titled':
      return [
        ...titleOf(first),
        ...rest.flatMap((text) => (cells.test(text) ? tableEntries([text]) : plainly(text))),
      ].join('\n');
    case 'table':
      return tableEntries(texts).join('\n');
    default:
      return [first.trimEnd(), ...rest.map(plainly)].join('\n');
  }
}

/** transformers pads its keys: `train_loss     =   0.91`; others have leaders of dots. */
const plainly = (text: string) => entryOf(text).replace(/\s{2,60}([=:])\s+|\s?\.{3,60}\s/, (_, tie = ':') => `${tie} `);

/** Without what is drawn before it: `| > loss: 2.3`, `• loss: 2.3`. */
const entryOf = (text: string) => text.trim().replace(/^(?:[|│]\s*(?:[>*-]\s+)?|[*•·>●▸→-]\s+)/, '');

/** rich: the place in the program stands behind the first row; only a word longer than a row is broken within. */
function joinWrapped(first: string, rest: readonly string[]): string {
  const whole = first.trimEnd();
  const space = whole.lastIndexOf(' ');
  const bare = /^[\w.-]+\.\w{1,4}:\d+$/.test(whole.slice(space + 1)) ? whole.slice(0, space).trimEnd() : whole;
  return [bare, ...rest.map((text) => text.trim())].filter((text) => text !== '').join(' ');
}

/** A panel's line without its frame. */
const unframed = (text: string) => text.replace(/[─━═╭╮╰╯┌┐└┘╔╗╚╝├┤]{2,}|[│┃║╭╮╰╯┌┐└┘╔╗╚╝├┤]/g, ' ').trim();

const cells = /^\s*[|│┃║](\s*)([^|│┃║]+?)\s*[|│┃║]\s*([^|│┃║]*?)\s*[|│┃║]\s*$/;

/** `| rollout/ | |` and below it `|    ep_len_mean | 23.2 |`: `rollout/ep_len_mean: 23.2`. */
function tableEntries(texts: readonly string[]): readonly string[] {
  let section = '';
  return texts.flatMap((text) => {
    const found = cells.exec(text);
    if (!found) return [];
    const [, indent = '', key = '', value = ''] = found;
    if (value === '') {
      section = key.endsWith('/') ? key : '';
      return [];
    }
    if (indent.length < 2) section = '';
    return [`${section}${key}: ${value}`];
  });
}
