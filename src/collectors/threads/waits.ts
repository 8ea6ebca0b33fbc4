import type { Collector, Parser } from '../collector.ts';
import { awkCommand } from './awk.ts';
import { createWaitsParser, type WaitsParser } from './waits-parser.ts';
import { waitsScript } from './waits-script.ts';

/** With more threads than this ticks are left out, so that a run of thousands costs no more… */
const threadsATick = 400;
/** …but not so many that what was seen is stale before the next look. */
const mostTicks = 10;

/**
 * What the run's threads wait in. It has a stream of its own: where a process hangs in exec, the files of its threads keep a reader waiting
 * (up to Linux 5.10), and that must not be the one of their times.
 */
export function createWaits(everyMs: number): Collector {
  return {
    id: 'waits',
    plans({ host, facts, run }) {
      if (!run || run.processes.length === 0) return [];
      const awk = awkCommand(facts);
      if (awk === undefined)
        return [{ source: 'waits', off: 'no awk answers on this host: what threads wait for is not read' }];
      let ticks = 0;
      const isDue = (parser: Parser) => {
        const wanted = Math.ceil((parser as WaitsParser).threadCount / threadsATick);
        return ticks++ % Math.min(mostTicks, Math.max(1, wanted)) === 0;
      };
      return [
        {
          key: `waits ${run.id}`,
          source: 'waits',
          body: waitsScript(awk),
          parser: () => createWaitsParser({ host, facts }),
          // Ticks are left out where there are many threads, and three of four on a kernel without schedstat.
          staleAfterMs: everyMs * (mostTicks + 3),
          tick: {
            everyMs,
            unanswered: true,
            line: ({ run: now }, parser) =>
              now && now.processes.length > 0 && isDue(parser)
                ? now.processes.map(({ pid }) => pid).join(' ')
                : undefined,
          },
        },
      ];
    },
  };
}

/** A look at 300 threads, 60 of them at work, takes 3 ms of a core, and with its shells it is 0.07 % at this pace (`npm run bench -- host`). */
export const waits: Collector = createWaits(6000);
