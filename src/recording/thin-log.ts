import type { LogLine, LogSample } from '../model/samples.ts';

/** What of a log's lines a recording keeps when they come in a flood. */
export interface Thinner {
  /** The same Sample, or one without most of its lines and with a note in their place. */
  thin(sample: LogSample): LogSample;
}

/** Of text a second, and saved up: a night at this pace is 3 GB of text, in the file about a tenth. */
const bytesPerSecond = 100_000;
const mostSaved = 20 * bytesPerSecond;
/** Of each Sample these are kept whatever came before: what a reader who looks on saw. */
const leastLines = 5;

/**
 * A run that prints without end would push every other recording out of the folder within hours. Lines that were read (they have
 * values) are few by themselves and stay, so that the curves are whole.
 */
export function createThinner(): Thinner {
  let saved = mostSaved;
  let lastAt: number | undefined;
  return {
    thin(sample) {
      const { receivedAt, lines } = sample;
      // The clock may have been set back.
      const seconds = lastAt === undefined ? 0 : Math.max(0, (receivedAt - lastAt) / 1000);
      lastAt = receivedAt;
      saved = Math.min(mostSaved, saved + seconds * bytesPerSecond);
      const size = sizeOf(lines);
      // What stood in the file before is bounded by who reads it.
      if (sample.backlog || size <= saved) {
        saved -= size;
        return sample;
      }
      const kept = lines.filter((line, i) => line.values ?? line.note ?? i >= lines.length - leastLines);
      saved = Math.max(0, saved - sizeOf(kept));
      const dropped = lines.length - kept.length;
      return dropped === 0 ? sample : { ...sample, lines: [noteOf(dropped, lines), ...kept] };
    },
  };
}

function noteOf(dropped: number, lines: readonly LogLine[]): LogLine {
  return {
    text: `-- ${dropped} lines here are not in the recording: too many came at once --`,
    time: lines[0]?.time ?? 0,
    note: true,
    level: 'warning',
    gap: { reason: 'skipped' },
  };
}

function sizeOf(lines: readonly LogLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 50, 0);
}
