import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { Sample } from '../../src/model/samples.ts';
import { createStore } from '../../src/model/store.ts';
import { createEncoder } from '../../src/recording/codec.ts';
import { formatVersion } from '../../src/recording/format.ts';
import { writeLine } from '../../src/recording/json-line.ts';
import { packMember } from '../../src/recording/member.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { threadsOf } from './made-samples.ts';

/** Folders that are gone after each test. */
export function folders(): () => Promise<string> {
  const made: string[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'traintop-recording-'));
    made.push(folder);
    return folder;
  };
}

export const start = Date.UTC(2026, 5, 12, 9, 41);

export function headerLine(part: Record<string, unknown> = {}): string {
  const about = { kind: 'header', format: formatVersion, traintop: '1.2.3', session: 'a', part: 1, startedAt: start };
  return writeLine({ ...about, target: 'node7', commandLine: ['node7'], intervalMs: 1000, ...part });
}

export function keyframeLine(time: number): string {
  return writeLine({ kind: 'keyframe', time, state: createStore(createManualClock(time), 1000).save() });
}

/** Seconds of threads and host, an event in the sixth. */
export function samplesOf(seconds: number): readonly Sample[] {
  return Array.from({ length: seconds }, (_, second): readonly Sample[] => {
    const at = start + second * 1000;
    const base = { host: 'h', time: at, receivedAt: at };
    return [
      threadsOf({ receivedAt: at, tids: [1, 2, 3], percent: [second, 0, 5] }),
      { ...base, kind: 'host', source: 'host', load1: second % 3 },
      ...(second === 6 ? ([{ ...base, kind: 'event', source: 'run', event: 'run ended', text: 'over' }] as const) : []),
    ];
  }).flat();
}

export interface Written {
  readonly bytes: Buffer;
  readonly members: readonly Buffer[];
  /** Of each member. */
  readonly samples: readonly (readonly Sample[])[];
}

/** Members of some seconds each, as a recorder makes them; a keyframe at the beginning of every `keyframeEvery`-th. */
export function write(all: readonly Sample[], { perMember = 4, keyframeEvery = 3, part = {} } = {}): Written {
  const encoder = createEncoder();
  const samples: Sample[][] = [];
  for (const sample of all) {
    const number = Math.floor((sample.receivedAt - start) / 1000 / perMember);
    (samples[number] ??= []).push(sample);
  }
  const members = samples.map((inside, number) => {
    const from = inside[0]?.receivedAt ?? start;
    const keyframe = number % keyframeEvery === 0;
    if (keyframe) encoder.reset();
    const lines = [
      ...(number === 0 ? [headerLine(part)] : []),
      ...(keyframe ? [keyframeLine(from)] : []),
      ...inside.map((sample) => encoder.encode(sample)),
    ];
    return packLines(lines, { from, to: inside.at(-1)?.receivedAt ?? from, keyframe, event: inside.some(isEvent) });
  });
  return { bytes: Buffer.concat(members), members, samples };
}

export function packLines(lines: readonly string[], about: Partial<Parameters<typeof packMember>[1]> = {}): Buffer {
  const text = lines.map((line) => `${line}\n`).join('');
  return packMember(text, { from: start, to: start, keyframe: false, event: false, ...about });
}

/** Opens, reads all from the beginning and closes. */
export async function readFileWhole(path: string) {
  const recording = await openRecording(path);
  try {
    const { saved, next } = await recording.cursor(recording.from);
    const samples: Sample[] = [];
    for (let more = await next(); more; more = await next()) samples.push(...more);
    return { recording, saved, samples, faults: recording.faults(), events: recording.events };
  } finally {
    await recording.close();
  }
}

const isEvent = ({ kind }: Sample) => kind === 'event' || kind === 'mark';
