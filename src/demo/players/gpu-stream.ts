import type { Player } from '../shell.ts';
import { playDmon } from './dmon.ts';
import { gpuRow, smiTimestamp } from './gpu.ts';

/**
 * The source `gpu` (collectors/gpu/script.ts): rows of all GPUs; at slower paces `app` rows of who holds them, `slow` ones of what hardly changes
 * and `gpm` ones of dmon; at a faster one their utilization alone.
 */
export const gpu: Player = (stage) => {
  const { machine, clock, body, print, every } = stage;
  const [fields = [], slowFields] = Array.from(body.matchAll(/--query-gpu=([\w.,]+)/g), ([, names = '']) => names)
    .filter((names) => names !== 'index,utilization.gpu')
    .map((names) => names.split(','));
  const everyMs = Number(/query -lms (\d+)/.exec(body)?.[1] ?? 1000);
  const [appsEveryMs = 10_000, slowEveryMs = 300_000] = Array.from(body.matchAll(/"\$@" -lms (\d+)/g), ([, ms]) =>
    Number(ms),
  );
  const useEveryMs = Number(/--query-gpu=index,utilization\.gpu .* -lms (\d+)/.exec(body)?.[1] ?? 0);
  const up = () => machine.uptime(clock.now());
  const gpus = () => machine.gpus(up());
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
  const use = () =>
    print(
      machine
        .gpuUse(up())
        .map((percent, index) => `${index}, ${percent}\n`)
        .join(''),
    );
  const apps = () => {
    const processes = machine.processes(up());
    const lines = gpus().flatMap((one) =>
      processes
        .filter((process) => process.gpuMinors.includes(one.index))
        .map((process) => `app ${one.uuid}, ${process.pid}, ${one.memoryUsedMib - 560}, ${process.executable}\n`),
    );
    print(lines.join(''));
  };
  apps();
  slow();
  if (useEveryMs > 0) use();
  rows();
  if (useEveryMs > 0) every(useEveryMs, use);
  every(everyMs, rows);
  every(slowEveryMs, slow);
  every(appsEveryMs, apps);
  playDmon(stage);
};
