import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtures } from './imported.ts';

/** What the files of a moment say, read from them by hand. */
export interface Moment {
  /** Of 2026-11-29, UTC. */
  readonly at: string;
  /** The last two rows of smi250.csv by then: utilization %, of memory %, W, MiB, SM MHz. */
  readonly gpus: readonly [Row, Row];
  /** The round of gpm.txt within whose second they lie: °C, SM, tensor and DRAM activity %. */
  readonly counters: readonly [Row, Row];
  /** The last frame of top.txt: load over 1 min, 100 less idle and I/O wait, MiB available. */
  readonly host: Row;
  /** The run's busiest thread in stat.txt: TID, state, core; ticks in user and system mode since the round before, seconds; CPU %. */
  readonly thread: readonly [number, string, number, number, number, number, number];
  /** The last line of train.log with a time: step, loss. */
  readonly log: readonly [number, number] | null;
}

type Row = readonly number[];

/** Five moments of each situation. */
export const situations = JSON.parse(readFileSync(join(fixtures, 'h200/moments.json'), 'utf8')) as Readonly<
  Record<string, readonly Moment[]>
>;
