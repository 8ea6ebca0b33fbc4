import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine, say, takeLines, type Figures } from './figures.ts';
import { measureDiagnosis } from './diagnosis.ts';
import { measureHost } from './host.ts';
import { measureKeys } from './keys.ts';
import { measureLogs } from './logs.ts';
import { measureLogFiles } from './log-files.ts';
import { measureMemory } from './memory.ts';
import { measureReading } from './reading.ts';
import { measureRecording } from './recording.ts';
import { measureReport } from './report.ts';
import { saveResult } from './results.ts';
import { measureStart } from './start.ts';
import { measureStacks } from './stacks.ts';
import { measureSteady } from './steady.ts';

const parts: Readonly<Record<string, (only?: string) => Promise<Figures | void>>> = {
  start: () => measureStart(),
  steady: () => measureSteady(),
  host: (only) => measureHost({ only }),
  keys: (only) => measureKeys(only),
  logs: (only) => measureLogs(only),
  'log-files': () => measureLogFiles(),
  memory: (only) => measureMemory(only),
  reading: () => measureReading(),
  recording: (only) => measureRecording(only),
  report: () => measureReport(),
  stacks: (only) => measureStacks(only),
  diagnosis: () => measureDiagnosis(),
};

/**
 * `npm run bench [-- PART...] [--save]`: all measurements, or the named ones; `host:1,000` is one case of a part. `--save` puts what
 * was measured into bench/results.json, of which `npm run docs` makes the tables. Resolves with the exit code.
 */
export async function bench(argv: readonly string[]): Promise<number> {
  const save = argv.includes('--save');
  const wanted = new Map(argv.filter((each) => each !== '--save').map(splitName));
  const unknown = [...wanted.keys()].filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    console.error(`bench: no part is called ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
    return 2;
  }
  // What is measured makes recordings and captures, keeps names and an audit log, and goes by rules: nobody's own.
  const state = mkdtempSync(join(tmpdir(), 'traintop-bench-state-'));
  for (const name of ['STATE', 'DATA', 'CONFIG']) process.env[`XDG_${name}_HOME`] = state;
  try {
    await measureAll(wanted, save);
    return 0;
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

async function measureAll(wanted: ReadonlyMap<string, string | undefined>, save: boolean): Promise<void> {
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.size > 0 && !wanted.has(name)) continue;
    const only = wanted.get(name);
    const where = machine();
    say(where);
    takeLines();
    const figures = (await measure(only)) ?? {};
    const text = takeLines();
    if (save && only === undefined)
      saveResult(name, { date: new Date().toISOString().slice(0, 10), machine: where, text, figures });
  }
}

function splitName(word: string): readonly [name: string, only: string | undefined] {
  const [name = '', only] = word.split(':');
  return [name, only];
}
