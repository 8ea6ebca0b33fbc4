import { createManualClock } from '../src/clock.ts';
import type { Channel, Transport } from '../src/collectors/transport/transport.ts';
import { createSession } from '../src/commands/session.ts';
import { readOptions } from '../src/config/options.ts';
import { createMachine } from '../src/demo/machine.ts';
import { createDirectDemoTransport } from '../src/demo/transport.ts';
import { manyThreads } from './many-threads.ts';

interface Options {
  readonly threads: number;
  readonly active: number;
  readonly warmUp?: number;
  readonly seconds?: number;
}

/** Bytes a second before encryption, from the host and to it, by the source that they are of. */
export interface WireFigures {
  readonly fromHost: ReadonlyMap<string, number>;
  readonly toHost: ReadonlyMap<string, number>;
}

const start = Date.UTC(2026, 5, 12, 9, 41, 0);
const stepMs = 100;

/** What the collectors and the demo host say to each other in a minute, on a clock turned by hand: exact on every machine. */
export async function measureWire({ threads, active, warmUp = 10, seconds = 60 }: Options): Promise<WireFigures> {
  const clock = createManualClock(start);
  const machine = createMachine({ seed: 27, startedAt: start, threads: manyThreads({ threads, active }) });
  const counted = countBytes(createDirectDemoTransport(machine, clock));
  const session = createSession(readOptions('demo', {}), counted.transport, clock);
  const started = session.runner.start();
  const advance = async (ms: number) => {
    for (let at = 0; at < ms; at += stepMs) {
      clock.advance(stepMs);
      for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
    }
  };
  await advance(warmUp * 1000);
  await started;
  counted.fromHost.clear();
  counted.toHost.clear();
  await advance(seconds * 1000);
  const aSecond = (all: ReadonlyMap<string, number>) => new Map([...all].map(([source, n]) => [source, n / seconds]));
  const figures = { fromHost: aSecond(counted.fromHost), toHost: aSecond(counted.toHost) };
  await session.stop();
  return figures;
}

function countBytes(transport: Transport) {
  const fromHost = new Map<string, number>();
  const toHost = new Map<string, number>();
  const add = (to: Map<string, number>, source: string, bytes: number) => to.set(source, (to.get(source) ?? 0) + bytes);
  const count = (channel: Channel): Channel => {
    let source = '';
    const out = (chunk: Buffer) => add(fromHost, source, chunk.length);
    channel.onOutput(out);
    channel.onErrorOutput(out);
    return {
      ...channel,
      write(text) {
        // Every script names its source in its first line (collectors/envelope.ts).
        source ||= /^# traintop:(\S+)/.exec(text)?.[1] ?? 'other';
        add(toHost, source, Buffer.byteLength(text));
        channel.write(text);
      },
    };
  };
  return {
    fromHost,
    toHost,
    transport: { ...transport, open: async () => count(await transport.open()) } satisfies Transport,
  };
}
