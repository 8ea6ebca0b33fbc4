import type { Player } from '../shell.ts';
import { playDmon } from './dmon.ts';
import { gpuRow, lostText, nvmlFault, smiTimestamp } from './gpu.ts';

/**
 * The source `gpu` (collectors/gpu/script.ts): rows of all GPUs; at slower paces `app` rows of who holds them, `slow` ones of what hardly changes
 * and `gpm` ones of dmon; at a faster one their utilization alone.
 */
export const gpu: Player = (stage) => {
  const { machine, clock, body, print, printError, every, finish } = stage;
  const [fields = [], slowFields] = Array.from(body.matchAll(/--query-gpu=([\w.,]+)/g), ([, names = '']) => names)
    .filter((names) => names !== 'index,utilization.gpu')
    .map((names) => names.split(','));
  const everyMs = Number(/query -lms (\d+)/.exec(body)?.[1] ?? 1000);
  const [appsEveryMs = 10_000, slowEveryMs = 300_000] = Array.from(body.matchAll(/"\$@" -lms (\d+)/g), ([, ms]) =>
    Number(ms),
  );
  const useEveryMs = Number(/--query-gpu=index,utilization\.gpu .* -lms (\d+)/.exec(body)?.[1] ?? 0);
  const up = () => machine.uptime(clock.now());
  /** Those that were found lost when the query of all failed: they are not asked any more. */
  const given = new Set<number>();
  const gpus = () => machine.gpus(up()).filter(({ index, lost }) => lost !== 'unlisted' && !given.has(index));
  const isBroken = () => nvmlFault(machine, up()) !== undefined;
  /** Each is asked alone when the query of all fails. */
  const giveUp = () => {
    const lost = gpus().filter((one) => one.lost === 'GPU is lost');
    const [first] = lost;
    if (!first) return;
    for (const { index } of lost) given.add(index);
    print(
      [lostText(first), ...lost.map((one) => `lost ${one.index} ${lostText(one)}`), `rows ${gpus().length}`, ''].join(
        '\n',
      ),
    );
  };
  const printRows = (mark: string, fields: readonly string[]) => {
    const timestamp = smiTimestamp(clock.now());
    print(
      gpus()
        .map((one) => `${mark}${gpuRow(fields, one, timestamp)}\n`)
        .join(''),
    );
  };
  const rows = () => {
    const fault = nvmlFault(machine, up());
    if (fault === undefined) {
      giveUp();
      return printRows('', fields);
    }
    print(`${fault}\n`);
    printError(`${fault}\n`);
    finish(1);
  };
  const slow = () => slowFields && !isBroken() && printRows('slow ', slowFields);
  const use = () => {
    const percents = machine.gpuUse(up());
    if (!isBroken())
      print(
        gpus()
          .map(({ index }) => `${index}, ${percents[index]}\n`)
          .join(''),
      );
  };
  const apps = () => {
    if (isBroken()) return;
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
