import { pySpyPath } from '../places.ts';
import type { Machine } from '../machine.ts';
import { hash } from '../noise.ts';
import type { Player } from '../shell.ts';

/** What `py-spy dump --json` prints for a process of the demo host (py-spy 0.4.2's shape); undefined = no such process. */
function stacksJson(machine: Machine, pid: number, now: number): string | undefined {
  const up = machine.uptime(now);
  if (!machine.processes(up).some((process) => process.pid === pid)) return undefined;
  const dumped = machine
    .threads(up)
    .filter((thread) => thread.pid === pid && thread.name !== undefined)
    .map((thread) => ({ ...thread, ...machine.shape(thread, up) }))
    .map((thread) => ({ ...thread, active: hash(9, thread.tid, now / 1000) * 100 < thread.percent }));
  const effects = machine.effects(up);
  const { gil } = effects.findLast(({ effect }) => effect.gil !== undefined)?.effect ?? {};
  const mayHold = ({ key, active }: (typeof dumped)[number]) =>
    gil === undefined ? active : (gil?.test(key) ?? false);
  const candidates = effects.length === 0 ? dumped : dumped.filter(mayHold);
  const holder = candidates[Math.floor(hash(5, now / 1000) * candidates.length)];
  return JSON.stringify(
    dumped.map((thread, n) => ({
      pid,
      thread_id: 140_551_316_825_792 + n * 8_392_704,
      thread_name: thread.name,
      os_thread_id: thread.tid,
      active: thread.active,
      owns_gil: thread === holder,
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

/** The script `stacks` (collectors/stacks/script.ts): a dump of one process, with py-spy's own words where there is none. */
export const stacks: Player = ({ machine, clock, body, print, finish }) => {
  const pid = Number(/dump --json --nonblocking --pid (\d+)/.exec(body)?.[1]);
  const chosen = body.includes(`'${pySpyPath}'`) || body.includes('command -v py-spy');
  if (!chosen) return finish(0);
  const json = stacksJson(machine, pid, clock.now());
  const missing =
    'Error: Failed to get process executable name. Check that the process is running.\n\nCaused by:\n' +
    '    0: No such file or directory (os error 2)\n    1: No such file or directory (os error 2)';
  print(`@py-spy tool ${pySpyPath}\n@py-spy version py-spy 0.4.2\n@py-spy output\n${json ?? ''}\n`);
  print(json === undefined ? `@py-spy error 1\n${missing}\n` : '@py-spy error 0\n\n');
  finish(0);
};
