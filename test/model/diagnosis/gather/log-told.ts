import { createLogReader, type Piece } from '../../../../src/collectors/log/reader.ts';
import type { LogSample, Sample } from '../../../../src/model/samples.ts';
import { createLogGatherer } from '../../../../src/model/diagnosis/gather/log.ts';
import type { QueueSubject } from '../../../../src/model/diagnosis/subjects.ts';
import { head, start } from '../../made.ts';
import { fed, type Values } from './asked.ts';

/** Lines of a log as the trainer prints them, at these seconds of the run. */
export type Printed = readonly (readonly [second: number, ...lines: readonly string[]])[];

/** How they came. */
export interface Coming {
  readonly source?: string;
  /** They stood in the file when it was first looked at, at this second. */
  readonly backlogAt?: number;
  /** None has a stamp. */
  readonly undated?: boolean;
  /** Seconds at which a buffer was written; a line comes with the next. */
  readonly everySeconds?: number;
}

/** Samples of a log, read as any other. */
export function printed(all: Printed, { source = 'log', backlogAt, undated, everySeconds }: Coming = {}) {
  const reader = createLogReader<Piece>();
  return all.map(([second, ...texts]): LogSample => {
    const comesAt =
      backlogAt ?? (everySeconds === undefined ? second : Math.ceil(second / everySeconds) * everySeconds);
    const time = start + (undated ? comesAt : second) * 1000;
    const records = [...texts.flatMap((text) => reader.push({ text })), ...reader.flush()];
    return {
      kind: 'log',
      ...head(start + comesAt * 1000, source),
      ...(backlogAt !== undefined && { backlog: true as const }),
      path: `${source}.log`,
      format: 'generic',
      lines: records.flatMap(({ texts: lines, values, event, level, rank, repeats }) =>
        lines.map((text, i) => ({
          ...{ text, time },
          ...(undated && { undated: true as const }),
          ...(i === 0 && {
            ...(values && { values }),
            ...(event && { event }),
            ...(level && { level }),
            ...(rank !== undefined && { rank }),
            ...(repeats !== undefined && { repeats }),
            ...(lines.length > 1 && { continued: lines.length - 1 }),
          }),
        })),
      ),
    };
  });
}

/** What a log says of its run at a second; by `queue` of one of its queues. */
export function toldAt(second: number, samples: readonly Sample[], queue?: string): Values {
  const gatherer = createLogGatherer();
  const to = start + second * 1000;
  const sorted = samples.filter(({ receivedAt }) => receivedAt <= to).sort((a, b) => a.receivedAt - b.receivedAt);
  const asked = fed(gatherer, sorted);
  const subject: QueueSubject | undefined = queue === undefined ? undefined : { kind: 'queue', name: queue };
  return asked.values(0, { from: to - 10_000, to, lateFrom: to - 5000 }, subject);
}

/** Lines of a loop that prints this often, from there to there. */
export function steps(from: number, to: number, every = 1): Printed {
  return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, i) => {
    const second = from + i * every;
    return [second, `step ${Math.round(second / every) + 1} | loss 2.${100 + i} | lr 3e-4`] as const;
  });
}
