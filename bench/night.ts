import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleTypeScript } from '../scripts/lib/run-typescript.mjs';
import type { DemoThread } from '../src/demo/cast.ts';
import { demoStart, playDemo } from '../test/support/demo-recording.ts';
import { type Figures, mb, median, report, say } from './figures.ts';
import type { Opening } from './open-recording.ts';

const cache = '.cache/bench';
const limit = { ms: 1000, bytes: 300e6 };
const moments = 20;

/** A recording of a night: made once for each form that the recorder gives it, some minutes long. */
export async function nightRecording(init: {
  readonly hours: number;
  readonly threads: readonly DemoThread[];
}): Promise<string> {
  const path = join(cache, `night-${init.hours}-${writersHash()}`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache).filter((name) => name.startsWith('night-')))
    rmSync(join(cache, name), { recursive: true });
  console.log(`  (${path} is made, which takes some minutes)`);
  const made = mkdtempSync(join(cache, 'making-'));
  await playDemo({ seconds: init.hours * 3600, folder: made, threads: init.threads });
  renameSync(made, path);
  return path;
}

/** Of the sources that decide what is in a recording. */
function writersHash(): string {
  const inFolders = ['src/recording', 'src/model', 'src/demo', 'src/collectors'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const hash = createHash('sha256');
  for (const path of [...inFolders.sort(), 'test/support/demo-recording.ts', 'bench/many-threads.ts'])
    hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}

/** All files of a recording. */
export function bytesOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** To open it, and to go to moments of it, in a process that does nothing else; and by the real program. */
export async function measureOpening(path: string): Promise<Figures> {
  const script = await bundleTypeScript('bench/open-recording.ts');
  let opened: Opening;
  try {
    opened = JSON.parse(
      execFileSync(process.execPath, [script, path, String(moments)], { encoding: 'utf8' }),
    ) as Opening;
  } finally {
    rmSync(script);
  }
  const seekMs = median(opened.seeksMs);
  const worstMs = Math.max(...opened.seeksMs);
  say(`  a recording of ${opened.hours.toFixed(1)} h, ${mb(bytesOf(path))}, opened in a process of its own`);
  reportMs('to open it', opened.openMs);
  reportMs(`to go to one of ${moments} moments, median`, seekMs);
  reportMs('  the slowest', worstMs);
  reportPeak('most memory of that process', opened.peakBytes);
  const at = new Date(demoStart + 0.9 * opened.hours * 3_600_000).toISOString();
  const program = runOnce([path, '--at', at]);
  reportMs('traintop once FILE --at: from start to end', program.ms);
  reportPeak('  most memory', program.peakBytes);
  return {
    openMs: opened.openMs,
    seekMs,
    worstMs,
    peakBytes: Math.max(opened.peakBytes, program.peakBytes),
    onceMs: program.ms,
  };
}

function reportMs(what: string, ms: number) {
  report(what, `${Math.round(ms)} ms`, { text: `< ${limit.ms} ms`, met: ms < limit.ms });
}

function reportPeak(what: string, bytes: number) {
  report(what, mb(bytes), { text: `< ${mb(limit.bytes)}`, met: bytes < limit.bytes });
}

/** `traintop once ARGS --json`, watched from within by a module that says at its end how much memory it had. */
function runOnce(args: readonly string[]): { readonly ms: number; readonly peakBytes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-once-'));
  const peak = join(folder, 'peak');
  const watcher = `import { readFileSync, writeFileSync } from 'node:fs'; process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, readFileSync('/proc/self/status')));`;
  try {
    const start = performance.now();
    const out = execFileSync(
      process.execPath,
      [
        `--import=data:text/javascript,${encodeURIComponent(watcher)}`,
        resolve('bin/traintop.js'),
        'once',
        ...args,
        '--json',
      ],
      { encoding: 'utf8', maxBuffer: 64e6 },
    );
    const ms = performance.now() - start;
    const { threads } = JSON.parse(out) as { readonly threads?: readonly unknown[] };
    if (!threads?.length) throw new Error('once printed no threads');
    return { ms, peakBytes: peakOf(readFileSync(peak, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function peakOf(status: string): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
