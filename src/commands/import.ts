import { randomUUID } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { createManualClock } from '../clock.ts';
import { withoutSecrets } from '../collectors/transport/audit.ts';
import { UsageFault } from '../config/check-options.ts';
import { ImportFault } from '../import/fault.ts';
import { openImport, type Import } from '../import/open-import.ts';
import type { Sample } from '../model/samples.ts';
import { createStore } from '../model/store.ts';
import { safeText } from '../model/text.ts';
import { packSamples } from '../recording/pack-samples.ts';
import { importText } from './import-text.ts';
import { openInputs, type Inputs } from './import-inputs.ts';
import type { ImportOptions } from './import-options.ts';
import { openOutput } from './import-output.ts';
import { leftOutSentence, logReading } from './log-reading.ts';
import { zoneHere } from './zone-here.ts';
import { createProgress } from './progress.ts';
import { untilEndSignal } from './signals.ts';
import { version } from './version.ts';

/** The pace of the screen that plays it. */
const intervalMs = 1000;

/** Makes a recording of saved output and says what became of each file. Resolves with the exit code; rejects with a UsageFault. */
export function importFiles(options: ImportOptions, print = toStandardOutput): Promise<number> {
  return untilEndSignal(async (signal) => {
    const inputs = await openInputs(options, signal);
    try {
      await print(await make({ options, inputs, signal }));
      return 0;
    } catch (error) {
      throw error instanceof ImportFault ? new UsageFault(safeText(error.message)) : error;
    } finally {
      await inputs.close();
    }
  });
}

interface Making {
  readonly options: ImportOptions;
  readonly inputs: Inputs;
  readonly signal: AbortSignal;
}

/** Writes the recording; gives what there is to say of it. */
async function make({ options, inputs, signal }: Making): Promise<string> {
  const { logPatterns: patterns, logFormat: pinned } = options;
  const reading = logReading({ patterns, pinned, option: '--log-format' });
  const name = options.name === undefined ? nameOf(inputs) : safeText(options.name);
  const made = await openImport({
    ...options,
    host: name,
    files: inputs.files,
    zoneHere,
    signal,
    reading: reading.options,
  });
  const output = await openOutput(options);
  const progress = createProgress(`Making ${options.output}`);
  let samples = 0;
  try {
    const onSample = ({ receivedAt }: Sample) => {
      samples++;
      progress.at((receivedAt - made.from) / (made.to - made.from || 1));
    };
    for await (const member of pack({ made, name, inputs, onSample })) await output.write(member);
    if (samples === 0) throw new ImportFault('There is nothing in these files that a recording could be made of.');
    await output.keep();
  } finally {
    progress.end();
    await output.close();
  }
  for (const lost of reading.leftOut()) process.stderr.write(`traintop: ${leftOutSentence(lost)}\n`);
  return importText({ output: options.output, name, made, samples, bytes: output.bytes() });
}

interface Pack {
  readonly made: Import;
  readonly name: string;
  readonly inputs: Inputs;
  readonly onSample: (sample: Sample) => void;
}

async function* pack({ made, name, inputs, onSample }: Pack): AsyncGenerator<Buffer> {
  const clock = createManualClock(made.from);
  const store = createStore(clock, intervalMs);
  try {
    yield* packSamples({
      samples: seen(made.samples(), onSample),
      store,
      clock,
      header: {
        traintop: version,
        session: randomUUID(),
        startedAt: made.from,
        target: name,
        ...(made.hostname !== undefined && { hostname: made.hostname }),
        commandLine: process.argv.slice(2).map(withoutSecrets),
        intervalMs,
        imported: inputs.files.map((file) => file.name),
      },
    });
  } finally {
    store.stop();
  }
}

async function* seen(samples: AsyncIterable<Sample>, onSample: Pack['onSample']): AsyncGenerator<Sample> {
  for await (const sample of samples) {
    onSample(sample);
    yield sample;
  }
}

/** After the folder in which the first file lies. */
function nameOf({ files: [first] }: Inputs): string {
  const folder = first && first.name !== 'standard input' ? basename(dirname(resolve(first.path))) : '';
  return safeText(folder) || 'imported';
}

function toStandardOutput(text: string): Promise<void> {
  return new Promise((resolved) => process.stdout.write(text, () => resolved()));
}
