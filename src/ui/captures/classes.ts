import type { StackClass } from '../../model/classes/names.ts';
import type { ClassShare } from '../../model/stacks/group.ts';
import { bar } from '../parts/bar.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';

/** How classes look. Their words stand beside their colours wherever there is room. */
const tones: Readonly<Record<StackClass, Tone>> = {
  'kernel launch': 'series3',
  'stream sync': 'series2',
  allocator: 'series6',
  copy: 'series4',
  collective: 'series7',
  'input wait': 'series8',
  'GIL wait': 'bad',
  'lock wait': 'warn',
  Python: 'series1',
  native: 'series5',
  'file I/O': 'series4',
  'network I/O': 'series4',
  compile: 'series7',
  idle: 'dim',
  unknown: 'dim',
};

/** The tone of a class. */
export function classTone(of: StackClass): Tone {
  return tones[of];
}

/** A class in its colour, in a cell of this width. */
export function classSegment(of: StackClass): Segment {
  return { text: of, tone: classTone(of) };
}

/** What some stacks were doing as a bar: a part for each class, the largest first. */
export function classBar(classes: readonly ClassShare[], width: number): Line {
  const [only] = classes;
  if (classes.length === 1 && only) return bar([{ share: 1, tone: classTone(only.class) }], width);
  return joinedBar(classes, width);
}

/** Blocks of full cells: rounded ends would leave gaps between the parts. */
function joinedBar(classes: readonly ClassShare[], width: number): Line {
  let sum = 0;
  let drawn = 0;
  return classes.flatMap(({ class: of, share }, i): Line => {
    sum += share * width;
    const end = i === classes.length - 1 ? width : Math.round(sum);
    const cells = Math.max(0, end - drawn);
    drawn += cells;
    return cells > 0 ? [{ text: '▇'.repeat(cells), tone: classTone(of) }] : [];
  });
}
