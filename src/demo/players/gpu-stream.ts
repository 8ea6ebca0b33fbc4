import type { Player } from '../shell.ts';
import { gpuRow, smiTimestamp } from './gpu.ts';

/** The source `gpu` (collectors/gpu/script.ts): rows of all GPUs, and at slower paces `app` rows of who holds them and `slow` ones of what hardly changes. */
export const gpu: Player = ({ machine, clock, body, print, every }) => {
  const [fields = [], slowFields] = Array.from(body.matchAll(/--query-gpu=([\w.,]+)/g), ([, names = '']) =>
    names.split(','),
  );
  const everyMs = Number(/query -lms (\d+)/.exec(body)?.[1] ?? 1000);
  const [appsEveryMs = 10_000, slowEveryMs = 300_000] = Array.from(body.matchAll(/"\$@" -lms (\d+)/g), ([, ms]) =>
    Number(ms),
  );
  const gpus = () => machine.gpus(machine.uptime(clock.now()));
  const printRows = (mark: string, fields: readonly string[]) => {
    const timestamp = smiTimestamp(clock.now());
    print(
      gpus()
        .map((one) => `${mark}${gpuRow(fields, one, timestamp)}\n`)
        .join(''),
    );
  };
  const rows = () => printRows('', fields);
  const slow = () => slowFields && printRows('slow ', slowFields);
  const apps = () => {
    const processes = machine.processes(machine.uptime(clock.now()));
    const lines = gpus().flatMap((one) =>
      processes
        .filter((process) => process.gpuMinors.includes(one.index))
        .map((process) => `app ${one.uuid}, ${process.pid}, ${one.memoryUsedMib - 560}, ${process.executable}\n`),
    );
    print(lines.join(''));
  };
  apps();
  slow();
  rows();
  every(everyMs, rows);
  every(slowEveryMs, slow);
  every(appsEveryMs, apps);
};
