import { createElement, type ReactElement } from 'react';

/**
 * Text whose size is known: `text` has `height` rows of `width` cells. It is Ink's own text element without its component, which
 * takes no size: Ink 7.1.1 would measure every new text and keep it with its measure for ever (measure-text.js; a screen
 * that changes 50 rows a second for a night would hold gigabytes). Yoga does not ask for what is given.
 */
export function FixedText(props: {
  readonly text: string;
  readonly width: number;
  readonly height?: number;
}): ReactElement {
  const { text, width, height = 1 } = props;
  return createElement(
    'ink-text',
    { style: { width, height, flexGrow: 0, flexShrink: 0, textWrap: 'truncate' } },
    text,
  );
}
