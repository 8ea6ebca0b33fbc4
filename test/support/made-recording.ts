import { join } from 'node:path';
import { createManualClock } from '../../src/clock.ts';
import type { Sample, SampleBase } from '../../src/model/samples.ts';
import { createStore } from '../../src/model/store.ts';
import type { RecordingHeader } from '../../src/recording/format.ts';
import { createRecorder } from '../../src/recording/recorder.ts';

/** Where made recordings begin, on a whole ten seconds. */
export const madeStart = Date.UTC(2026, 5, 12, 3, 0, 0);

interface MadeRecording {
  readonly folder: string;
  /** In the order in which they are received. */
  readonly samples: readonly Sample[];
  readonly header?: Partial<RecordingHeader>;
}

/** A recording of these Samples, by the recorder itself on a clock turned by hand: the path of its first part. */
export async function makeRecording({ folder, samples, header }: MadeRecording): Promise<string> {
  const clock = createManualClock(samples[0]?.receivedAt ?? madeStart);
  const store = createStore(clock, 1000);
  const recorder = createRecorder({
    folder,
    clock,
    save: store.save,
    header: () => ({
      traintop: '0.1.0',
      session: folder,
      target: 'gpu7',
      hostname: 'gpu7.lan',
      commandLine: ['gpu7'],
      intervalMs: 1000,
      ...header,
    }),
  });
  for (const sample of samples) {
    clock.advance(Math.max(0, sample.receivedAt - clock.now()));
    recorder.push(sample);
    store.push(sample);
  }
  await recorder.close();
  store.stop();
  return join(folder, '0001.jsonl.gz');
}

/** The head of a Sample that was received so many seconds after `madeStart`. */
export function head<K extends string>(kind: K, second: number, source: string = kind): SampleBase<K> {
  const time = madeStart + second * 1000;
  return { kind, host: 'gpu7', source, time, receivedAt: time };
}
