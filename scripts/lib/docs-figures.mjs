import { readFileSync } from 'node:fs';

/** @typedef {{ date: string, machine: string, text: string[], figures: Record<string, number> }} Result */

/**
 * What the benchmarks measured, as text for docs/benchmarks.md and a table for README.md: both from bench/results.json, which
 * `npm run bench -- --save` writes.
 *
 * @returns {{ results: string, table: string }}
 */
export function measuredFigures() {
  /** @type {Record<string, Result>} */
  const all = JSON.parse(readFileSync('bench/results.json', 'utf8'));
  const blocks = Object.entries(all).map(
    ([part, { date, machine, text }]) =>
      `\`npm run bench -- ${part}\`, ${date}: ${machine}\n\n\`\`\`\n${text.join('\n')}\n\`\`\``,
  );
  return { results: blocks.join('\n\n'), table: table(all) };
}

/** @param {Record<string, Result>} all */
function table({ host, steady, start, keys, memory, recording, stacks, logs }) {
  const rows = [
    [
      'CPU on the host, 300 threads (60 active), every second',
      `${fixed(host, 'cpuPercent', 1)} % of a core for our commands, ${fixed(host, 'linkPercent', 1)} % for sshd (without nvidia-smi)`,
      'host',
    ],
    ['bytes from the host, with a log of 20 lines a second', `${fixed(host, 'bytesPerSecond', 1, 1000)} kB/s`, 'host'],
    [
      'CPU of the monitor, 8 GPUs, 300 threads, 160x50, every second',
      `${fixed(steady, 'cpuPercent', 1)} % of a core`,
      'steady',
    ],
    ['its memory', `${fixed(steady, 'memoryBytes', 0, 1e6)} MB`, 'steady'],
    [
      'command to first frame, demo / local',
      `${fixed(start, 'demoFrameMs', 0)} / ${fixed(start, 'localFrameMs', 0)} ms`,
      'start',
    ],
    [
      'key to changed screen, median / 95th percentile',
      `${fixed(keys, 'medianMs', 0)} / ${fixed(keys, 'p95Ms', 0)} ms`,
      'keys',
    ],
    [
      'the same while a log grows by 20,000 lines a second, median / 99th percentile',
      `${fixed(keys, 'floodMedianMs', 0)} / ${fixed(keys, 'floodP99Ms', 0)} ms`,
      'keys',
    ],
    memoryRow(memory),
    ...recordingRows(recording),
    ...(stacks ? [stacksRow(stacks)] : []),
    ...(logs
      ? [['lines of logs read a second, one core', `${fixed(logs, 'linesPerSecond', 0, 1000)} thousand`, 'logs']]
      : []),
  ];
  const lines = rows.map(([what, figure, part]) => `| ${what} | ${figure} | \`npm run bench -- ${part}\` |`);
  return ['| What | Figure | By |', '| --- | --- | --- |', ...lines].join('\n');
}

/** @param {Result | undefined} memory */
function memoryRow(memory) {
  return [
    "the monitor's memory grows in eight hours, after the first half hour",
    `${fixed(memory, 'grownBytes', 1, 1e6)} MB`,
    'memory',
  ];
}

/** @param {Result | undefined} recording */
function recordingRows(recording) {
  return [
    [
      'a recorded hour of 8 GPUs, 300 threads (60 active) and a log line a second',
      `${fixed(recording, 'bytesAnHour', 1, 1e6)} MB`,
      'recording',
    ],
    [
      'to open a recording of 12 h / to go to a moment of it, the slowest',
      `${fixed(recording, 'openMs', 0)} / ${fixed(recording, 'worstMs', 0)} ms, ${fixed(recording, 'peakBytes', 0, 1e6)} MB`,
      'recording',
    ],
  ];
}

/** @param {Result} stacks */
function stacksRow(stacks) {
  return [
    "a dump of 400 threads; iterations that our default record costs them, and py-spy's own",
    `${fixed(stacks, 'dumpMs', 0)} ms; ${fixed(stacks, 'lossPercent', 1)} %, ${fixed(stacks, 'pySpyLossPercent', 0)} %`,
    'stacks',
  ];
}

/**
 * @param {Result | undefined} result
 * @param {string} name
 * @param {number} digits
 * @param {number} [unit]
 */
function fixed(result, name, digits, unit = 1) {
  const value = result?.figures[name];
  if (value === undefined) throw new Error(`bench/results.json has no ${name}: npm run bench -- --save writes it`);
  return (value / unit).toFixed(digits);
}
