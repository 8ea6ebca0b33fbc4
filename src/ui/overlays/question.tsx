import type { ReactElement } from 'react';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import { wrapText } from '../parts/width.ts';
import type { Question } from './questions.ts';

/** A question over the whole screen: nothing else can go on before it is answered. */
export function QuestionView(props: {
  readonly question: Question;
  readonly width: number;
  readonly height: number;
}): ReactElement {
  const { question, width, height } = props;
  const inner = innerSize({ width, height });
  const rows: Line[] = [
    [],
    ...question.lines.flatMap((text) => wrapText(text, inner.width).map((row): Line => [{ text: row }])),
    [],
    ...wrapText(question.yes, inner.width).map((row): Line => [{ text: row, tone: 'dim' }]),
    [],
    [{ text: 'y', tone: 'focus' }, { text: ' yes    ' }, { text: 'n', tone: 'focus' }, { text: ' no' }],
  ];
  return <Frame title={question.title} width={width} height={height} focused rows={rows} />;
}
