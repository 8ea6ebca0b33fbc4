import type { Context, Off, Plan } from '../collector.ts';
import { awkCommand, noAwk } from './awk.ts';
import { createProcParser } from './proc-parser.ts';
import { procScript } from './proc-script.ts';

/** The run's threads read from /proc, clocked by our lines (`--threads proc`, the default). */
export function planProc(context: Context, runId: string): Plan | Off {
  const { facts, host, options } = context;
  const awk = awkCommand(facts);
  if (awk === undefined) return { source: 'threads', off: noAwk };
  return {
    key: `threads proc ${runId}`,
    source: 'threads',
    body: procScript(awk, facts.clockTicks),
    parser: () => createProcParser({ host, facts }),
    staleAfterMs: options.intervalMs * 3 + 2000,
    tick: {
      everyMs: options.intervalMs,
      line: ({ run }) => (run && run.processes.length > 0 ? run.processes.map(({ pid }) => pid).join(' ') : undefined),
    },
  };
}
