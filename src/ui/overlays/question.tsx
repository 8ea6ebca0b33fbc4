import type { ReactElement } from 'react';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import { wrapText } from '../parts/width.ts';
import type { YesNo } from './questions.ts';

/** A question over the whole screen: nothing else can go on before it is answered. */
export function QuestionView(props: {
  readonly question: YesNo;
  readonly width: number;
  readonly height: number;
}): ReactElement {
  const { question, width, height } = props;
  const inner = innerSize({ width, height });
  const rows: Line[] = [
    [],
    ...question.lines.flatMap((text) => wrapText(text, inner.width).map((row): Line => [{ text: row }])),
    [],
    ...keyRows('y', question.yes, inner.width),
    ...keyRows('n', 'No, do nothing of that.', inner.width),
  ];
  return <Frame title={question.title} width={width} height={height} focused rows={rows} />;
}

/** A key and what it does, as in the help. */
export function keyRows(key: string, text: string, width: number): readonly Line[] {
  const column = Math.max(3, key.length + 2);
  return wrapText(text, width - column).map((row, i): Line => [
    { text: (i === 0 ? key : '').padEnd(column), tone: 'focus' },
    { text: row },
  ]);
}
