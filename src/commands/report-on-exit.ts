import { dirname } from 'node:path';
import type { Options } from '../config/options.ts';
import type { Session } from './session.ts';

/** The report that a watch was asked for, once its recording is closed; says where it is, or why there is none. Never rejects. */
export async function reportOnExit(
  { recorder }: Pick<Session, 'recorder'>,
  { reportOnExit: output }: Pick<Options, 'reportOnExit'>,
  say: (sentence: string) => void,
): Promise<void> {
  if (output === undefined) return;
  const { path, isStuck } = recorder?.state() ?? {};
  if (path === undefined) return say('There is no report: nothing was recorded.');
  // It would wait for the same disk.
  if (isStuck) return;
  const { writeReport } = await import('./report.ts');
  const fault = await writeReport({ recordingPath: dirname(path), output });
  say(fault ?? `The report is in ${output}`);
}
