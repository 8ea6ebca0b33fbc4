import { chooseWatch } from '../attach/choose-watch.ts';
import { openHere, watchesHere } from '../attach/watch-list.ts';
import { openThere, watchesThere } from '../attach/watches-there.ts';
import type { WatchFile } from '../attach/watch-lock.ts';
import type { Wire } from '../attach/wire.ts';
import { systemClock } from '../clock.ts';
import { TransportFault } from '../collectors/transport/transport.ts';
import type { Options } from '../config/options.ts';
import { openTarget, type Asks } from './open-target.ts';

/** The way to the watches of a machine. */
export interface AttachWay {
  /** As sentences have it: `this machine`, `gpu7`. */
  readonly where: string;
  /** Those that live. Rejects with a sentence. */
  list(): Promise<readonly WatchFile[]>;
  /** Rejects with a sentence. */
  open(watch: WatchFile): Promise<Wire>;
  close(): Promise<void>;
}

/** To this machine's without a target; else over SSH, or through a wrapper. */
export async function attachWay(options: Options, asks: Asks): Promise<AttachWay> {
  if (options.target === 'local' && options.wrap === undefined) {
    return {
      where: 'this machine',
      list: () => watchesHere(process.env, systemClock.now()),
      open: openHere,
      close: async () => {},
    };
  }
  const target = await openTarget(options, asks);
  const { transport } = target;
  let isUp = false;
  transport.onLost(() => (isUp = false));
  const connected = async () => {
    if (isUp) return;
    await transport.connect();
    isUp = true;
  };
  const where = options.wrap === undefined ? options.target : `${options.target} behind \`${options.wrap}\``;
  return {
    where,
    async list() {
      await connected();
      return watchesThere(transport, systemClock);
    },
    async open(watch) {
      await connected();
      return openThere(transport, watch);
    },
    async close() {
      await transport.close();
      await target.close();
    },
  };
}

/** A way to the one that is meant, found anew each time: another watch of that name may have come in its place. */
export async function reach(way: AttachWay, name: string | undefined): Promise<{ watch: WatchFile; wire: Wire }> {
  const watch = chooseWatch(await way.list(), { where: way.where, ...(name !== undefined && { name }) });
  return { watch, wire: await way.open(watch) };
}

/** As one that ends the command, where nothing is open yet. */
export function asFault(error: unknown): TransportFault {
  if (error instanceof TransportFault) return error;
  return new TransportFault(error instanceof Error ? error.message : String(error), true);
}
