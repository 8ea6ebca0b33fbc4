import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { playDemo } from '../test/support/demo-recording.ts';
import { manyThreads } from './many-threads.ts';
import { replayDemo } from './replay.tsx';
import { measureWire } from './wire.ts';

const file = 'bench/budget.json';
const seconds = 60;
const sizes = [
  { columns: 160, rows: 50 },
  { columns: 80, rows: 24 },
];
const links = [
  { threads: 300, active: 60 },
  { threads: 300, active: 300 },
];
const recording = 'recording';
/** The demo, recorded on a clock turned by hand. */
const recorded = { seconds: 120, threads: 300, active: 60 };
/** What a figure may grow by before it is a fault. */
const room = 0.1;
/** What a host may send in a second, before encryption, of 300 threads: whatever the file says. */
const mostFromHost = 20_000;

/** Of one replay, link or recording; bytes a frame are those to the terminal. */
type Figures = Readonly<Record<string, number>>;
type Budget = Readonly<Record<string, Figures>>;

/**
 * Plays the demo's fixed minute and compares its figures with bench/budget.json. Resolves with the exit code: 1 when one grew by
 * more than a tenth. `--update` writes the file.
 */
export async function budget(argv: readonly string[]): Promise<number> {
  const figures: Record<string, Figures> = {};
  for (const size of sizes) figures[`${size.columns}x${size.rows}`] = await measureScreen(size);
  for (const link of links) figures[`${link.threads} threads, ${link.active} active`] = await measureLink(link);
  figures[recording] = await measureFile();
  if (argv.includes('--update')) {
    writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
    console.log(`${file} is written.`);
    return 0;
  }
  const allowed = JSON.parse(readFileSync(file, 'utf8')) as Budget;
  for (const [what, now] of Object.entries(figures)) {
    const told = Object.entries(now).map(([name, value]) => `${value} ${names[name]}`);
    console.log(`${what}, ${what === recording ? recorded.seconds : seconds} s: ${told.join(', ')}`);
  }
  const faults = Object.entries(figures).flatMap(([what, now]) => [
    ...faultsOf(what, now, allowed[what]),
    ...tooMany(what, now),
  ]);
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

async function measureScreen(size: (typeof sizes)[number]): Promise<Figures> {
  const { commits, frames, bytes } = await replayDemo({ ...size, seconds });
  return { commits, frames, bytesPerFrame: Math.round(bytes / frames) };
}

async function measureLink(link: (typeof links)[number]): Promise<Figures> {
  const { fromHost, toHost } = await measureWire({ ...link, seconds });
  const sum = (all: ReadonlyMap<string, number>) => Math.round([...all.values()].reduce((total, n) => total + n, 0));
  return { bytesFromHost: sum(fromHost), bytesToHost: sum(toHost) };
}

/** Two minutes, with the keyframe that each recording begins with. zlib's versions differ by less than the room that there is. */
async function measureFile(): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-budget-'));
  try {
    await playDemo({ seconds: recorded.seconds, folder, threads: manyThreads(recorded) });
    const parts = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
    return {
      fileBytes: sum(parts.map(({ length }) => length)),
      lineBytes: sum(parts.map((part) => gunzipSync(part).length)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function faultsOf(what: string, now: Figures, before: Figures | undefined): string[] {
  if (!before) return [`${file} has no figures for ${what}: npm run bench:budget -- --update writes them.`];
  return Object.entries(now).flatMap(([name, value]) => {
    const growth = value / (before[name] ?? 0) - 1;
    if (growth <= room) return [];
    const percent = Math.round(growth * 100);
    return `At ${what} there are ${percent} % more ${names[name]}: ${value}, where ${file} has ${before[name]}. Where that is meant: npm run bench:budget -- --update.`;
  });
}

function tooMany(what: string, { bytesFromHost = 0 }: Figures): string[] {
  if (bytesFromHost <= mostFromHost) return [];
  return [`At ${what} the host sends ${bytesFromHost} bytes a second: ${mostFromHost} are promised.`];
}

const names: Readonly<Record<string, string>> = {
  commits: 'commits',
  frames: 'frames',
  bytesPerFrame: 'bytes a frame',
  bytesFromHost: 'bytes a second from the host',
  bytesToHost: 'bytes a second to the host',
  fileBytes: 'bytes in the file',
  lineBytes: 'bytes of lines',
};
