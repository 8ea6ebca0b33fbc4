import type { SeenFrame, SeenThread } from './look.ts';

/** What `py-spy dump --json` (0.4.2) prints of them. */
export function dumpJson(pid: number, threads: readonly SeenThread[]): string {
  return JSON.stringify(
    threads.map(({ tid, name, active, ownsGil, frames }, n) => ({
      pid,
      thread_id: 140_551_316_825_792 + n * 8_392_704,
      thread_name: name ?? null,
      os_thread_id: tid,
      active,
      owns_gil: ownsGil,
      frames: frames.map(([function_, file, line]) => ({
        name: function_,
        filename: file,
        module: line === undefined ? file : null,
        short_filename: short(file),
        line: line ?? 0,
        locals: null,
        is_entry: line === undefined,
        is_shim_entry: line === undefined,
      })),
      process_info: null,
    })),
    null,
    2,
  );
}

/** What `py-spy record -f raw --threads` (0.4.2) writes of many looks: a line for each stack of a thread, outermost frame first. */
export function createRaw() {
  const counts = new Map<string, number>();
  return {
    add(threads: readonly SeenThread[]) {
      for (const { tid, name, frames } of threads) {
        const head = `thread (${tid})${name === undefined ? '' : `: ${name}`}`;
        const line = [head, ...frames.map(rawFrame).reverse()].join(';');
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    },
    text: () => [...counts].map(([line, count]) => `${line} ${count}\n`).join(''),
    /** As py-spy counts samples: one a thread and look. */
    samples: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}

function rawFrame([name, file, line]: SeenFrame): string {
  return `${name} (${short(file)}${line === undefined ? '' : `:${line}`})`;
}

/** py-spy leaves out what a path has in common with the interpreter's folders. */
function short(file: string): string {
  const [, package_] = /\/site-packages\/(.*\.py)$/.exec(file) ?? [];
  return package_ ?? file.split('/').at(-1) ?? file;
}
