import type { Collector, Context, Parser } from '../collector.ts';
import { createHostParser, type HostParser } from './parse.ts';
import { hostScript } from './script.ts';

/**
 * The host as a whole: load, limits, memory, pressure, disks, the run's reading and writing, and what traintop costs there; at a slow pace the room on
 * file systems and what the kernel's log says.
 */
export const hostCollector: Collector = {
  id: 'host',
  plans(context) {
    if (!context.facts.awk)
      return [{ source: 'host', off: 'this host has no awk: no load, memory and disks are shown' }];
    const everyMs = Math.max(context.options.intervalMs, 2000);
    return [
      {
        key: 'host',
        source: 'host',
        body: hostScript(context.facts),
        parser: () => createHostParser(context),
        staleAfterMs: 2 * everyMs + 4000,
        tick: { everyMs, line: tickLine },
      },
    ];
  },
};

/** `SHELLPIDS|RUNPIDS`, and at times a slow look; beyond 500 processes of a run the reading would cost more than it tells. */
function tickLine(context: Context, parser: Parser): string {
  const { shellPids, run } = context;
  const runPids = (run?.processes ?? []).slice(0, 500).map((process) => process.pid);
  return `${[...shellPids].sort((a, b) => a - b).join(' ')}|${runPids.join(' ')}${(parser as HostParser).wish(context)}`;
}
