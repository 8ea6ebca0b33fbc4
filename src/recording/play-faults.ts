import type { Recording } from './recording.ts';

/** What could not be read so far, as a sentence. */
export function unreadable(recording: Recording): string | undefined {
  const { brokenLines, withheldLines, brokenBytes } = recording.faults();
  const lines = brokenLines + withheldLines;
  if (lines === 0 && brokenBytes === 0) return undefined;
  const what = [
    ...(lines > 0 ? [`${lines} ${lines === 1 ? 'line' : 'lines'}`] : []),
    ...(brokenBytes > 0 ? [`${brokenBytes} bytes`] : []),
  ].join(' and ');
  return `${what} of the recording could not be read: what they told is missing.`;
}

/** Why a moment cannot be shown. */
export function sentence(error: unknown): string {
  return `The recording could not be read here (${error instanceof Error ? error.message : String(error)}); go to another moment of it.`;
}
