import type { AlarmRule } from './settings.ts';

/** What an alarm is. */
export interface AlarmEntry {
  readonly title: string;
  /** Of threshold and clear; '' is a count or a factor. */
  readonly unit: string;
  /** What the threshold is compared with, a sentence. */
  readonly measures: string;
  /** On which side of the threshold it rings; `once`: something happened, and is counted. */
  readonly worse: 'higher' | 'lower' | 'once';
  readonly rule: AlarmRule;
  /** Why the borders are where they are. */
  readonly because: {
    readonly threshold: string;
    readonly times: string;
    readonly severity: string;
  };
  /** When it is over, for docs. */
  readonly over: string;
  /** The beginning of the sentence that tells it resolved. */
  readonly resolved: string;
  /** It is of one run: it is over with it. */
  readonly ofRun?: true;
}
