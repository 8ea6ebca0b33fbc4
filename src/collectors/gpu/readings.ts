import { readNumber } from './cells.ts';

/** Reads the rows of the query of index and utilization.gpu, `3, 97`, and keeps them for the next frame. */
export interface ReadingsReader {
  /** Whether the line is such a row: no other query has two columns. */
  push(line: string): boolean;
  /** All since this was last called, oldest first, by index; none of a GPU without a value. */
  take(): ReadonlyMap<number, readonly number[]>;
}

/** 16 s at four a second: a frame may come as seldom as the user likes. */
const mostKept = 64;

/** A reader for one stream. */
export function createReadingsReader(): ReadingsReader {
  let kept = new Map<number, number[]>();
  return {
    push(line) {
      const [, index, cell = ''] = /^(\d{1,3}), (\d{1,3}|\[[^\],]+\]|ERR!)$/.exec(line) ?? [];
      if (index === undefined) return false;
      const value = readNumber(cell);
      if (value === null) return true;
      const readings = kept.get(Number(index)) ?? [];
      kept.set(Number(index), readings);
      readings.push(value);
      if (readings.length > mostKept) readings.shift();
      return true;
    },
    take() {
      const taken = kept;
      kept = new Map();
      return taken;
    },
  };
}

/**
 * The pace of that query in ms; undefined where frames come as often. A query of few fields takes about 0.05 ms of CPU a GPU and field, so that of eight
 * GPUs at four a second takes 0.3 % of a core; more GPUs are asked less often, for the same price.
 */
export function readingsEveryMs(gpuCount: number, everyMs: number): number | undefined {
  const pace = 250 * Math.max(1, Math.ceil(gpuCount / 8));
  return pace < everyMs ? pace : undefined;
}
