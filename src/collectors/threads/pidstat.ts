import type { Context, Off, Plan } from '../collector.ts';
import { createPidstatParser } from './pidstat-parser.ts';

/** The run's threads from sysstat's pidstat (`--threads pidstat`). */
export function planPidstat(context: Context, pids: readonly number[]): Plan | Off {
  const { facts, host, options } = context;
  if (facts.pidstatVersion === undefined)
    return {
      source: 'threads',
      off: 'pidstat is not on the PATH of this host: install sysstat there, or take --threads proc',
    };
  const intervalSeconds = Math.max(1, Math.round(options.intervalMs / 1000));
  return {
    // pidstat takes its processes and its interval (whole seconds) when it starts.
    key: `threads pidstat ${intervalSeconds} ${pids.join(' ')}`,
    source: 'threads',
    body: `S_TIME_FORMAT=ISO pidstat -t -h -H -u -p ${pids.join(',')} ${intervalSeconds}`,
    parser: () => createPidstatParser({ host, intervalSeconds, clockOffsetMs: facts.clockOffsetMs, pids }),
    staleAfterMs: intervalSeconds * 3000 + 2000,
  };
}
