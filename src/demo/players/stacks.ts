import { demoProcesses, demoThreads } from '../cast.ts';
import { hash } from '../noise.ts';

/** What `py-spy dump --json` prints for a process of the demo host (py-spy 0.4.2's shape); undefined = no such process. */
export function stacksJson(pid: number, now: number): string | undefined {
  if (!demoProcesses.some((process) => process.pid === pid)) return undefined;
  const dumped = demoThreads.filter((thread) => thread.pid === pid && thread.name !== undefined);
  const holder = Math.floor(hash(5, now / 1000) * dumped.length);
  return JSON.stringify(
    dumped.map((thread, n) => ({
      pid,
      thread_id: 140_551_316_825_792 + n * 8_392_704,
      thread_name: thread.name,
      os_thread_id: thread.tid,
      active: hash(9, thread.tid, now / 1000) * 100 < thread.percent,
      owns_gil: n === holder,
      frames: thread.stack.map(([name, filename, line]) => ({
        name,
        filename,
        module: null,
        short_filename: filename.split('/').at(-1),
        line,
        locals: null,
        is_entry: false,
        is_shim_entry: false,
      })),
      process_info: null,
    })),
  );
}
