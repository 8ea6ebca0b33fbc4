import type { Command } from '../doctor/catalogue.ts';
import { isBroken, type Check, type CheckStatus } from '../doctor/check.ts';

/** What doctor found, ready to be printed. */
export interface Report {
  readonly checks: readonly Check[];
  /** traintop's own. */
  readonly version: string;
  readonly time: number;
  /** As the user named it. */
  readonly target: string;
  readonly wrap?: string;
  readonly demo?: true;
  /** The names of the scripts that were run. */
  readonly ran: readonly string[];
  /** Of a recording: what there is of it. */
  readonly recording?: RecordingFigures;
}

/** A recording in figures; times are ISO 8601. */
export interface RecordingFigures {
  /** What was recorded, as the user named it then. */
  readonly target: string;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly bytes: number;
  readonly parts: number;
  readonly samples: number;
  readonly brokenLines: number;
  readonly withheldLines: number;
  readonly brokenBytes: number;
}

/** The statuses, in the order of the summary. */
export const statuses: readonly CheckStatus[] = ['ok', 'note', 'warn', 'missing', 'failed', 'unknown'];

/** The number of checks of each status. */
export function countStatuses(checks: readonly Check[]): Readonly<Record<CheckStatus, number>> {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  return Object.fromEntries(statuses.map((status) => [status, count(status)])) as Record<CheckStatus, number>;
}

/** The report as docs/doctor.md says. `doctor` is the version of the shape: it grows when a field goes or changes its meaning. */
export function reportObject({ checks, version, time, ...rest }: Report): string {
  return text({
    doctor: 1,
    traintop: version,
    time: new Date(time).toISOString(),
    ...rest,
    works: !checks.some(isBroken),
    counts: countStatuses(checks),
    checks,
  });
}

/** The scripts as docs/doctor.md says; without a target they are those of a typical host. */
export function commandsObject(
  commands: readonly Command[],
  {
    version,
    target,
    wrap,
  }: { readonly version: string; readonly target?: string | undefined; readonly wrap?: string | undefined },
): string {
  return text({
    doctor: 1,
    traintop: version,
    target,
    wrap,
    shell: `${wrap === undefined ? '' : `${wrap} `}sh -s`,
    commands,
  });
}

function text(object: Record<string, unknown>): string {
  return `${JSON.stringify(object, null, 2)}\n`;
}
