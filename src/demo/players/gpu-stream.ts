import type { Player } from '../shell.ts';
import { gpuRow, smiTimestamp } from './gpu.ts';

/** The source `gpu` (collectors/gpu/script.ts): rows of all GPUs, and at a slower pace `app` rows of who holds them. */
export const gpu: Player = ({ machine, clock, body, print, every }) => {
  const fields = (/--query-gpu=([\w.,]+)/.exec(body)?.[1] ?? '').split(',');
  const everyMs = Number(/query -lms (\d+)/.exec(body)?.[1] ?? 1000);
  const appsEveryMs = Number(/"\$@" -lms (\d+)/.exec(body)?.[1] ?? 10_000);
  const gpus = () => machine.gpus(machine.uptime(clock.now()));
  const rows = () => {
    const timestamp = smiTimestamp(clock.now());
    print(
      gpus()
        .map((one) => `${gpuRow(fields, one, timestamp)}\n`)
        .join(''),
    );
  };
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
  rows();
  every(everyMs, rows);
  every(appsEveryMs, apps);
};
