import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';
import { tellSource } from './source.ts';

const check = checksOf('Threads');

/** The threads of the run, and the busiest beside it. */
export function threadChecks(findings: Findings): readonly Check[] {
  const { state, options } = findings;
  const threads = state?.threads;
  const count = threads
    ? `${threads.tid.length} thread${threads.tid.length === 1 ? '' : 's'} every ${options.intervalMs / 1000} s, by ${threads.reader}`
    : '';
  return [
    check('threads', 'threads', state?.run?.run ? tellSource(findings, 'threads', count) : noRun),
    check('threads.busiest', 'busiest', tellBusiest(findings)),
  ];
}

const noRun: Told = { status: 'note', found: 'no run is watched' };

/** Its first frame takes longer than anybody waits for doctor. */
function tellBusiest(findings: Findings): Told {
  const told = tellSource(findings, 'busiest', 'by top');
  if (told.status !== 'unknown' || told.why !== undefined) return told;
  return { status: 'ok', found: 'by top: it runs' };
}
