import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createManualClock, type ManualClock } from '../../src/clock.ts';
import type { EventSample, Sample } from '../../src/model/samples.ts';
import { createRecorder, type Recorder } from '../../src/recording/recorder.ts';

type Init = Parameters<typeof createRecorder>[0];

/** Where the clocks of made recorders begin. */
export const start = Date.UTC(2026, 5, 12);

/** A recorder of one host's load, on clocks turned by hand, and what it said. */
export interface MadeRecorder extends Recorder {
  readonly clock: ManualClock;
  /** The disk's. */
  readonly diskClock: ManualClock;
  readonly events: readonly EventSample[];
  /** Pushes a Sample with that load. */
  load(value: number, at?: number): void;
  /** So many Samples, a second apart, with loads from 0. */
  seconds(count: number): void;
}

/** Makes one that records into the folder. */
export function makeRecorder(
  folder: Init['folder'],
  more: Partial<Init> & { readonly hostname?: string } = {},
): MadeRecorder {
  const clock = createManualClock(start);
  const diskClock = createManualClock(start);
  const events: EventSample[] = [];
  const recorder = createRecorder({
    folder,
    clock,
    diskClock,
    save: () => ({ state: {}, history: {} }) as unknown as ReturnType<Init['save']>,
    header: () => ({
      traintop: '0',
      session: 's',
      target: 'gpu7',
      commandLine: [],
      intervalMs: 1000,
      ...(more.hostname !== undefined && { hostname: more.hostname }),
    }),
    report(event) {
      events.push(event);
      recorder.push(event);
    },
    ...more,
  });
  const load = (value: number, at = clock.now()) => recorder.push(loadSample(value, at));
  return {
    ...recorder,
    clock,
    diskClock,
    events,
    load,
    seconds(count) {
      for (let i = 0; i < count; i++) {
        if (i > 0) clock.advance(1000);
        load(i);
      }
    },
  };
}

/** A Sample of the host's load. */
export function loadSample(load1: number, at: number): Sample {
  return { kind: 'host', host: 'gpu7', source: 'host', time: at, receivedAt: at, load1 };
}

/** Names of the parts in a folder. */
export function partsIn(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.gz'))
        .sort()
    : [];
}

/** The lines of a part. */
export function linesOf(folder: string, number = 1): readonly Record<string, unknown>[] {
  const path = partPath(folder, number);
  if (!existsSync(path)) return [];
  const lines = gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The loads in a part. */
export function loadsOf(folder: string, number = 1): readonly unknown[] {
  return linesOf(folder, number).flatMap(({ kind, load1 }) => (kind === 'host' ? [load1] : []));
}

/** Where a part is. */
export function partPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(4, '0')}.jsonl.gz`);
}
