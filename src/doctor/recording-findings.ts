import type { RecordingHeader } from '../recording/format.ts';
import type { RecordingFaults } from '../recording/recording.ts';
import type { RecordingSurvey } from './recording-survey.ts';

/**
 * How a recording ended, as far as its folder tells. `written`: it did not. `cut`: it was never closed, and nobody writes there.
 * `elsewhere`: it was not closed when another machine wrote it. `unknown`: of a file without its folder.
 */
export type RecordingEnd = 'closed' | 'written' | 'cut' | 'elsewhere' | 'unknown';

/** Everything that doctor learned of a recording. judge-recording.ts knows nothing else. */
export interface RecordingFindings {
  readonly header: RecordingHeader;
  /** Epoch ms, by the clock of the machine that recorded. */
  readonly from: number;
  readonly to: number;
  readonly holes: readonly { readonly from: number; readonly to: number }[];
  readonly parts: number;
  /** Numbers of parts that are missing between others. */
  readonly missingParts: readonly number[];
  /** How many are gone before the first. */
  readonly removedParts: number;
  readonly bytes: number;
  readonly faults: RecordingFaults;
  readonly end: RecordingEnd;
  readonly survey: RecordingSurvey;
}
