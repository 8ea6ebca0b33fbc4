import { formatVersion, type DemoOrigin, type RecordingHeader } from './format.ts';
import { readLine } from './json-line.ts';
import { RecordingFault } from './recording-fault.ts';
import * as is from './shape.ts';

const shape = is.object<RecordingHeader>({
  kind: is.oneOf({ header: true }),
  format: is.number,
  traintop: is.text,
  session: is.text,
  part: is.number,
  startedAt: is.moment,
  target: is.text,
  hostname: is.optional(is.text),
  wrap: is.optional(is.text),
  commandLine: is.list(is.text),
  intervalMs: is.interval,
  clockOffsetMs: is.optional(is.number),
  demo: is.optional(is.object<DemoOrigin>({ scenario: is.text, seed: is.number, truth: is.anything })),
  imported: is.optional(is.list(is.text)),
});

/** Reads the first line of a file. Throws a RecordingFault when it is none, or one of a version that is not known here. */
export function readHeader(line: string, path: string): RecordingHeader {
  const said = parse(line);
  if (said?.['kind'] !== 'header') throw notOne(path);
  const { format, traintop } = said;
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) throw notOne(path);
  if (format > formatVersion)
    throw new RecordingFault(
      `${path} was written by a newer traintop (${is.text(String(traintop)).slice(0, 20)}, format ${format}; this one reads up to ${formatVersion}): update traintop.`,
    );
  try {
    return shape(said);
  } catch {
    throw new RecordingFault(`${path} begins with a header that lacks what one has: it was not written by traintop.`);
  }
}

/** What is known when the first bytes of a recording are broken: the rest of the night can be read all the same. */
export function lostHeader(startedAt: number): RecordingHeader {
  return {
    ...{ kind: 'header', format: formatVersion, traintop: '', session: '', part: 1, startedAt },
    ...{ target: 'a host whose name was lost', commandLine: [], intervalMs: 1000 },
  };
}

/** That a file is something else. */
export function notOne(path: string): RecordingFault {
  return new RecordingFault(`${path} is no recording of traintop: its first line is not the header of one.`);
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return readLine(line);
  } catch {
    return undefined;
  }
}
