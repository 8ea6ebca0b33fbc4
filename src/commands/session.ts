import { systemClock, type Clock } from '../clock.ts';
import type { CollectorOptions } from '../collectors/collector.ts';
import { collectors } from '../collectors/registry.ts';
import { createRunner, type Runner } from '../collectors/run.ts';
import type { Transport } from '../collectors/transport/transport.ts';
import type { Options } from '../config/options.ts';
import { createStore, type Store } from '../model/store.ts';

/** One host being watched: its runner and the store that the Samples go to. */
export interface Session {
  readonly options: Options;
  readonly transport: Transport;
  readonly runner: Runner;
  readonly store: Store;
  readonly clock: Clock;
  /** Ends everything on the host; resolves when nothing is left there. */
  stop(): Promise<void>;
}

/** Puts transport, runner and store together; `runner.start()` begins. */
export function createSession(options: Options, transport: Transport, clock: Clock = systemClock): Session {
  const store = createStore(clock, options.intervalMs);
  const runner = createRunner({
    transport,
    collectors,
    clock,
    onSample: store.push,
    options: collectorOptions(options),
  });
  return {
    options,
    transport,
    runner,
    store,
    clock,
    async stop() {
      store.stop();
      await runner.stop();
    },
  };
}

/** Of the user's options, those that reach collectors. */
export function collectorOptions(options: Options): CollectorOptions {
  return {
    intervalMs: options.intervalMs,
    threads: options.threads,
    logs: options.logs,
    ...(options.pid !== undefined && { pid: options.pid }),
    ...(options.match && { match: options.match }),
    ...(options.pySpy !== undefined && { pySpy: options.pySpy }),
  };
}
