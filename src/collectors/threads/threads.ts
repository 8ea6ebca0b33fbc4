import type { Collector } from '../collector.ts';
import { planPidstat } from './pidstat.ts';
import { planProc } from './proc.ts';
import { planTop } from './top.ts';

/** All threads of the run, by the reader that the user chose. Nothing runs while there is no run. */
export const threads: Collector = {
  id: 'threads',
  plans(context) {
    const { run, options } = context;
    if (!run || run.processes.length === 0) return [];
    if (options.threads === 'proc') return [planProc(context, run.id)];
    const pids = run.processes.map(({ pid }) => pid).sort((a, b) => a - b);
    return [options.threads === 'top' ? planTop(context, pids) : planPidstat(context, pids)];
  },
};
