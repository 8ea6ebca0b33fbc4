import type { ReactElement } from 'react';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line, Segment } from '../parts/line.ts';
import { lineWidth } from '../parts/render-line.ts';
import { cutText, displayWidth, plainText, wrapText } from '../parts/width.ts';
import { keyRows } from './question.tsx';
import type { Field, Form } from './questions.ts';

/** Lines to type, over the whole screen: nothing else can go on before they are answered. */
export function FormView(props: {
  readonly form: Form;
  readonly width: number;
  readonly height: number;
}): ReactElement {
  const { form, width, height } = props;
  const inner = innerSize({ width, height });
  const fields = form.fields.map((field, i) => fieldRows(field, i === form.at, inner.width));
  const keys = form.fields.length > 0 ? [] : keysOf(form, inner.width);
  const faults = faultRows(form, inner.width);
  const said = form.lines.flatMap((text) => wrapText(text, inner.width).map((row): Line => [{ text: row }]));
  const follows = form.said.flatMap((text) => wrapText(text, inner.width).map((row): Line => [{ text: row }]));
  // Where a long menu does not fit, its end stays, and the field below it: it is what one types into.
  const after = [...(follows.length > 0 ? [[], ...follows] : []), ...keys, ...faults];
  const below = [...fields.slice(0, form.at + 1).flat(), ...after];
  const room = Math.max(0, inner.height - below.length - 2);
  const rows: Line[] = [[], ...said.slice(Math.max(0, said.length - room)), [], ...fields.flat(), ...after];
  const fitting = inner.height < below.length + 2 ? rows.slice(rows.length - inner.height) : rows;
  return <Frame title={form.title} width={width} height={height} focused rows={fitting} />;
}

/** A field on a row, its text below its label where both do not fit. Of a hidden one is shown only whether it has a text. */
function fieldRows(field: Field, isHere: boolean, width: number): readonly Line[] {
  const { label, hidden, text, choices } = field;
  if (choices) return choiceRows(field, isHere, width);
  const name = `${plainText(label)}: `;
  const fits = displayWidth(name) + 20 <= width;
  const labels = fits ? [] : wrapText(name.trim(), width);
  const room = width - (fits ? displayWidth(name) : 2) - 1;
  const shown = hidden ? (text === '' ? '' : '(typed, not shown)') : lastCells(plainText(text), room);
  return [
    ...labels.map((row): Line => [{ text: row, tone: isHere ? 'focus' : 'plain' }]),
    [
      { text: fits ? name : '  ', tone: isHere ? 'focus' : 'plain' },
      { text: shown, tone: hidden ? 'dim' : 'strong' },
      ...(isHere ? [{ text: ' ', inverse: true }] : []),
    ],
  ];
}

/** All choices where they fit, the chosen one in brackets; else that one between arrows. */
function choiceRows({ label, text, choices = [] }: Field, isHere: boolean, width: number): readonly Line[] {
  const name: Segment = { text: `${plainText(label)}: `, tone: isHere ? 'focus' : 'plain' };
  const all = choices.flatMap((choice): Line => {
    const isChosen = choice === text;
    return [
      { text: isChosen ? `[${plainText(choice)}]` : ` ${plainText(choice)} `, tone: isChosen ? 'strong' : 'dim' },
      { text: ' ' },
    ];
  });
  const arrows: Segment = { text: isHere ? '← →' : '', tone: 'focus' };
  const whole: Line = [name, ...all, arrows];
  if (lineWidth(whole) <= width) return [whole];
  return [
    [
      name,
      { text: `[${cutText(plainText(text), Math.max(4, width - lineWidth([name]) - 6))}] `, tone: 'strong' },
      arrows,
    ],
  ];
}

function faultRows({ fault }: Form, width: number): readonly Line[] {
  if (fault === undefined) return [];
  return [[], ...wrapText(fault, width).map((text): Line => [{ text, tone: 'bad' }])];
}

function keysOf({ isOver }: Form, width: number): readonly Line[] {
  if (isOver) return keyRows('Enter', 'Go on.', width);
  return [...keyRows('Enter', 'Yes.', width), ...keyRows('Esc', 'No, stay as it is.', width)];
}

/** The end of the text: it is where one types. */
function lastCells(text: string, width: number): string {
  const characters = [...text];
  while (characters.length > 0 && displayWidth(characters.join('')) > width) characters.shift();
  return characters.join('');
}
