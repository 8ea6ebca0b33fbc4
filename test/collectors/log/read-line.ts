import { linesOf, type ArrivedPiece } from '../../../src/collectors/log/line.ts';
import { createLogReader } from '../../../src/collectors/log/reader.ts';
import type { HostClock } from '../../../src/collectors/log/stamps.ts';
import type { LogLine } from '../../../src/model/samples.ts';

interface When {
  readonly arrival: number;
  readonly host: HostClock;
  readonly backlog: boolean;
}

/** All lines of a log as they go on Samples, read by one reader. */
export function readLines(texts: readonly string[], when: When): readonly LogLine[] {
  const reader = createLogReader<ArrivedPiece>();
  const records = texts.flatMap((text) => reader.push({ text, ...when }));
  return [...records, ...reader.flush()].flatMap(linesOf);
}

/** One line, read alone. */
export function readLine(text: string, when: When): LogLine | undefined {
  return readLines([text], when)[0];
}
