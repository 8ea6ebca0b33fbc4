import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { createManualClock, systemClock } from '../clock.ts';
import { UsageFault } from '../config/options.ts';
import { ImportFault } from '../import/fault.ts';
import { openImport, type Import } from '../import/open-import.ts';
import type { Sample } from '../model/samples.ts';
import { createStore } from '../model/store.ts';
import { safeText } from '../model/text.ts';
import { packSamples } from '../recording/pack-samples.ts';
import { importText } from './import-text.ts';
import { openInputs, type Inputs } from './import-inputs.ts';
import type { ImportOptions } from './import-options.ts';
import { version } from './version.ts';

/** The pace of the screen that plays it. */
const intervalMs = 1000;

/** Makes a recording of saved output and says what became of each file. Resolves with the exit code; rejects with a UsageFault. */
export async function importFiles(options: ImportOptions, print = toStandardOutput): Promise<number> {
  const inputs = await openInputs(options);
  try {
    const name = options.name === undefined ? nameOf(inputs) : safeText(options.name);
    const made = await openImport({ ...options, host: name, files: inputs.files, zoneHere });
    const output = await openOutput(options);
    let samples = 0;
    try {
      const count = () => void samples++;
      for await (const member of pack({ made, name, inputs, count })) await output.write(member);
      if (samples === 0) throw new ImportFault('There is nothing in these files that a recording could be made of.');
      await output.keep();
    } finally {
      await output.close();
    }
    const bytes = output.bytes();
    await print(importText({ output: options.output, name, made, samples, bytes }));
    return 0;
  } catch (error) {
    if (error instanceof ImportFault) throw new UsageFault(error.message);
    throw error;
  } finally {
    await inputs.close();
  }
}

interface Pack {
  readonly made: Import;
  readonly name: string;
  readonly inputs: Inputs;
  readonly count: () => void;
}

async function* pack({ made, name, inputs, count }: Pack): AsyncGenerator<Buffer> {
  const clock = createManualClock(made.from);
  const store = createStore(clock, intervalMs);
  try {
    yield* packSamples({
      samples: counted(made.samples(), count),
      store,
      clock,
      header: {
        traintop: version,
        session: randomUUID(),
        startedAt: systemClock.now(),
        target: name,
        ...(made.hostname !== undefined && { hostname: made.hostname }),
        commandLine: process.argv.slice(2),
        intervalMs,
        imported: inputs.files.map((file) => file.name),
      },
    });
  } finally {
    store.stop();
  }
}

async function* counted(samples: AsyncIterable<Sample>, count: () => void): AsyncGenerator<Sample> {
  for await (const sample of samples) {
    count();
    yield sample;
  }
}

/** A file that is there only when it is whole, for its owner alone. */
async function openOutput({ output, force }: ImportOptions) {
  const shown = safeText(output);
  const beside = `${output}.part`;
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  try {
    if (!force) await (await open(output, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600)).close();
    await rm(beside, { force: true });
    const file = await open(beside, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
    let bytes = 0;
    let isKept = false;
    return {
      async write(member: Buffer) {
        await file.appendFile(member);
        bytes += member.length;
      },
      bytes: () => bytes,
      async keep() {
        await file.sync();
        await rename(beside, output);
        isKept = true;
      },
      async close() {
        await file.close();
        if (isKept) return;
        await rm(beside, { force: true });
        if (!force) await rm(output, { force: true });
      },
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageFault(
      code === 'EEXIST'
        ? `${shown} is there already: take another name, or --force to write it anew.`
        : `${shown} cannot be written (${message}).`,
    );
  }
}

/** After the folder in which the first file lies. */
function nameOf({ files: [first] }: Inputs): string {
  const folder = first && first.name !== 'standard input' ? basename(dirname(resolve(first.path))) : '';
  return safeText(folder) || 'imported';
}

function zoneHere(time: number): number {
  return -new Date(time).getTimezoneOffset();
}

function toStandardOutput(text: string): Promise<void> {
  return new Promise((resolved) => process.stdout.write(text, () => resolved()));
}
