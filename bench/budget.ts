import { readFileSync, writeFileSync } from 'node:fs';
import { replayDemo } from './replay.tsx';

const file = 'bench/budget.json';
const seconds = 60;
const sizes = [
  { columns: 160, rows: 50 },
  { columns: 80, rows: 24 },
];
/** What a figure may grow by before it is a fault. */
const room = 0.1;

/** Of one replay; bytes are those to the terminal. */
interface Figures {
  readonly commits: number;
  readonly frames: number;
  readonly bytesPerFrame: number;
}

type Budget = Readonly<Record<string, Figures>>;

/**
 * Plays the demo's fixed minute and compares its figures with bench/budget.json. Resolves with the exit code: 1 when one grew by
 * more than a tenth. `--update` writes the file.
 */
export async function budget(argv: readonly string[]): Promise<number> {
  const figures: Record<string, Figures> = {};
  for (const size of sizes) figures[`${size.columns}x${size.rows}`] = await measure(size);
  if (argv.includes('--update')) {
    writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
    console.log(`${file} is written.`);
    return 0;
  }
  const allowed = JSON.parse(readFileSync(file, 'utf8')) as Budget;
  const faults = Object.entries(figures).flatMap(([size, now]) => faultsOf(size, now, allowed[size]));
  for (const [size, { commits, frames, bytesPerFrame }] of Object.entries(figures))
    console.log(`${size}, ${seconds} s: ${commits} commits, ${frames} frames, ${bytesPerFrame} bytes a frame`);
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

async function measure(size: (typeof sizes)[number]): Promise<Figures> {
  const { commits, frames, bytes } = await replayDemo({ ...size, seconds });
  return { commits, frames, bytesPerFrame: Math.round(bytes / frames) };
}

function faultsOf(size: string, now: Figures, before: Figures | undefined): string[] {
  if (!before) return [`${file} has no figures for ${size}: npm run bench:budget -- --update writes them.`];
  return (Object.keys(names) as (keyof Figures)[]).flatMap((name) => {
    const growth = now[name] / before[name] - 1;
    if (growth <= room) return [];
    const percent = Math.round(growth * 100);
    return `At ${size} there are ${percent} % more ${names[name]}: ${now[name]}, where ${file} has ${before[name]}. Where that is meant: npm run bench:budget -- --update.`;
  });
}

const names: Readonly<Record<keyof Figures, string>> = {
  commits: 'commits',
  frames: 'frames',
  bytesPerFrame: 'bytes a frame',
};
