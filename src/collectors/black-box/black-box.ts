import type { Clock } from '../../clock.ts';
import type { State } from '../../model/store.ts';
import type { Runner } from '../run.ts';
import type { CaptureRequest, Sample } from '../../model/samples.ts';
import { takeBox, type Box } from './box.ts';
import { createLimits } from './limits.ts';
import { createBoxSaver } from './save.ts';
import { createTrigger, type Trouble } from './trigger.ts';

/** Takes evidence by itself when a run stalls, hangs or ends, before anybody wakes. */
export interface BlackBox {
  /** Every Sample, alarms and verdicts too, after the store has it. */
  see(sample: Sample): void;
  /** Ends what is under way; resolves when what there is has been told. */
  stop(): Promise<void>;
}

/** Where evidence is from, and who takes it. */
export interface BlackBoxOptions {
  readonly host: string;
  readonly runner: Pick<Runner, 'job' | 'context'>;
  readonly capture: (request: CaptureRequest) => { readonly id: string; readonly over: Promise<void> };
  readonly clock: Clock;
  readonly state: () => State;
  readonly take: (sample: Sample) => void;
  /** Where it is kept on this machine. Absent: in the recording alone. */
  readonly dataDir?: string;
}

/** Nothing is taken before something is seen. */
export function createBlackBox({ dataDir, ...options }: BlackBoxOptions): BlackBox {
  const { host, clock, state, take } = options;
  const trigger = createTrigger();
  const limits = createLimits();
  const saver = dataDir === undefined ? undefined : createBoxSaver(dataDir);
  let box: Box | undefined;
  let count = 0;
  let isStopped = false;
  let isLimited = false;
  const under = new Set<Promise<void>>();

  function begin(trouble: Trouble) {
    if (isStopped) return;
    if (trouble.stood && box?.trouble.runId === trouble.runId && box.trouble.what === 'stuck') {
      box.ended(trouble.reason);
      return hold(box);
    }
    const startedAt = clock.now();
    const enough = limits.take(startedAt);
    if (enough !== undefined) return tellEnough(trouble, enough);
    isLimited = false;
    const id = `${new Date(startedAt).toISOString().replace(/[:.]/g, '-')}-${++count}`;
    box = takeBox({ ...options, trouble, id, saver, run: state().run?.run, isStuck: trigger.isStuck });
    hold(box);
  }

  function hold({ over }: Box) {
    const mine = over().finally(() => under.delete(mine));
    under.add(mine);
  }

  /** Once: what follows is as much too much. */
  function tellEnough({ reason }: Trouble, enough: string) {
    if (isLimited) return;
    isLimited = true;
    const time = clock.now();
    const text = `none was taken (${reason.replace(/\.$/, '')}): ${enough}`;
    take({ kind: 'event', host, source: 'black box', time, receivedAt: time, event: 'black box', text });
  }

  return {
    see(sample) {
      if (sample.kind === 'blackBox' || isStopped) return;
      box?.see(sample);
      const trouble = trigger.see(sample);
      // Later: what it tells are Samples too, and this one is still on its way to others.
      if (trouble) void Promise.resolve().then(() => begin(trouble));
    },
    async stop() {
      isStopped = true;
      box?.abandon();
      await Promise.all(under);
    },
  };
}
