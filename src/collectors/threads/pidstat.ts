import type { Context, Off, Plan } from '../collector.ts';
import { createPidstatParser } from './pidstat-parser.ts';

/** The run's threads from sysstat's pidstat (`--threads pidstat`). */
export function planPidstat(context: Context, pids: readonly number[]): Plan | Off {
  const { facts, host, options } = context;
  const missing = pidstatMissing(facts.pidstatVersion);
  if (missing !== undefined) return { source: 'threads', off: missing };
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

function pidstatMissing(version: string | undefined): string | undefined {
  if (version === undefined)
    return 'pidstat is not on the PATH of this host: install sysstat there, or take --threads proc';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 11 || (major === 11 && minor >= 6)) return undefined;
  return `this host's pidstat ${version} is older than 11.6, which first had times that can be read (-H): take --threads proc`;
}
