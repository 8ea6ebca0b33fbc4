import { systemClock, type Clock } from '../../src/clock.ts';
import { createRunner, type Runner } from '../../src/collectors/run.ts';
import { createCaptures, type Captures } from '../../src/collectors/stacks/captures.ts';
import { createSaver } from '../../src/collectors/stacks/save.ts';
import { createLocalTransport } from '../../src/collectors/transport/local.ts';
import type { Transport } from '../../src/collectors/transport/transport.ts';
import type { CaptureRequest, CaptureResult, CaptureSample, Sample } from '../../src/model/samples.ts';

/** What came of a capture. */
export interface Captured {
  readonly capture: CaptureSample;
  readonly results: readonly CaptureResult[];
  /** All Samples of it, in order. */
  readonly samples: readonly Sample[];
}

/** Takes one capture through the runner to its end. `onSample` hears it as it goes on. */
export async function captureOn(
  runner: Pick<Runner, 'converse' | 'context' | 'sessionLimit'>,
  request: CaptureRequest,
  more: {
    readonly clock?: Clock;
    readonly dataDir?: string;
    readonly readOnly?: boolean;
    readonly onSample?: Heard;
  } = {},
): Promise<Captured> {
  const { clock = systemClock, dataDir, readOnly = false, onSample } = more;
  const samples: Sample[] = [];
  const save = dataDir === undefined ? {} : { save: createSaver({ dataDir, run: () => runner.context()?.run }) };
  const captures: Captures = createCaptures({
    ...{ host: runner.context()?.host ?? 'local', runner, clock, readOnly, ...save },
    take(sample) {
      samples.push(sample);
      onSample?.(sample, captures);
    },
  });
  await captures.start(request).over;
  const capture = samples.findLast((sample) => sample.kind === 'capture');
  if (!capture) throw new Error('the capture was not told');
  return { capture, samples, results: samples.filter((each) => each.kind === 'stacks' || each.kind === 'profile') };
}

/** Hears a Sample of a capture, and may act on it. */
export type Heard = (sample: Sample, captures: Pick<Captures, 'cancel'>) => void;

/** A runner of this machine without any source. */
export async function localRunner(init: {
  readonly pySpy?: string;
  readonly wrap?: string;
  readonly transport?: Transport;
}): Promise<Runner> {
  const { pySpy, wrap, transport = createLocalTransport(wrap) } = init;
  const runner = createRunner({
    transport,
    collectors: [],
    options: { intervalMs: 1000, threads: 'proc', logs: [], ...(pySpy !== undefined && { pySpy }) },
    clock: systemClock,
    onSample: () => {},
  });
  await runner.start();
  return runner;
}
