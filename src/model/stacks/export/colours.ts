import type { StackClass } from '../../classes/names.ts';

/** Light enough for dark text; waiting is blue and grey, work is warm, and no meaning is by colour alone: tooltips name the class. */
export const classColours: Readonly<Record<StackClass, string>> = {
  'kernel launch': '#f6b26b',
  'stream sync': '#7fb3e6',
  allocator: '#e58fb1',
  copy: '#c9a0dc',
  collective: '#6fc7c2',
  'input wait': '#a7c4f2',
  'GIL wait': '#ef9a9a',
  'lock wait': '#b9b4e8',
  Python: '#ffe082',
  native: '#f0c9a0',
  'file I/O': '#a5d6a7',
  'network I/O': '#80cbc4',
  compile: '#dce775',
  idle: '#cfd8dc',
  unknown: '#e0e0e0',
};
