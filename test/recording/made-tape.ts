import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createManualClock, type ManualClock } from '../../src/clock.ts';
import type { Sample } from '../../src/model/samples.ts';
import { createStore } from '../../src/model/store.ts';
import { createPlayer, type Player } from '../../src/recording/player.ts';
import { createRecorder } from '../../src/recording/recorder.ts';
import { openRecording, type Recording } from '../../src/recording/recording.ts';

/** When made tapes begin. */
export const start = Date.UTC(2026, 5, 12, 3, 0, 0);
/** The time of so many seconds of a tape. */
export const at = (second: number) => start + second * 1000;

/** What is on a made tape: a frame of one GPU a second, whose utilization is the second modulo 100. */
export interface MadeTape {
  readonly seconds: number;
  /** Seconds in which nothing was recorded. */
  readonly holes?: readonly (readonly [from: number, to: number])[];
  /** Seconds and texts. */
  readonly marks?: readonly (readonly [second: number, text: string])[];
  /** GPUs have no frame in these seconds, only the host. */
  readonly without?: readonly (readonly [from: number, to: number])[];
}

/** A recording as the recorder makes it, and a player of it. */
export interface Tape {
  readonly folder: string;
  readonly recording: Recording;
  readonly player: Player;
  /** Of who looks on. */
  readonly clock: ManualClock;
  /** The utilization that is shown. */
  shown(): number | undefined;
  /** Time passes for who looks on, turn by turn. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Makes tapes that are closed after each test. */
export function tapes(): (made: MadeTape) => Promise<Tape> {
  const open: Tape[] = [];
  afterEach(async () => {
    for (const tape of open.splice(0)) await tape.close();
  });
  return async (made) => {
    const tape = await makeTape(made);
    open.push(tape);
    return tape;
  };
}

/** Seconds of a tape that were played. */
export const second = ({ player }: Tape) => (player.state().position - start) / 1000;

/** Records it, opens it, stands at its start. */
async function makeTape(made: MadeTape): Promise<Tape> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-tape-'));
  await record(folder, made);
  const recording = await openRecording(folder);
  const clock = createManualClock(0);
  const player = createPlayer({ recording, clock });
  await player.seek(recording.from);
  return {
    ...{ folder, recording, player, clock },
    shown: () => player.store.getState().gpus?.utilizationPercent?.[0] ?? undefined,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 100) {
        const told = player.state().playing ? nextChange(player) : undefined;
        clock.advance(100);
        await told;
        await settled(player);
      }
    },
    async close() {
      await player.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function nextChange(player: Player): Promise<void> {
  return new Promise((resolve) => {
    const off = player.subscribe(() => {
      off();
      resolve();
    });
  });
}

/** Until no seek is under way. */
export async function settled(player: Player): Promise<void> {
  while (player.state().seeking !== undefined) await nextChange(player);
}

async function record(folder: string, { seconds, holes = [], marks = [], without = [] }: MadeTape) {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  const header = () => ({ traintop: '0', session: 's', target: 'gpu7', commandLine: [], intervalMs: 1000 });
  const recorder = createRecorder({ folder, clock, header, save: store.save, takeMinutes: store.history.takeMinutes });
  const take = (sample: Sample) => {
    recorder.push(sample);
    store.push(sample);
  };
  take({ kind: 'link', state: 'up', ...base('link', start) });
  take({ kind: 'source', status: 'live', ...base('gpu', start) });
  const within = (spans: MadeTape['holes'] = [], second: number) => spans.some(([a, b]) => a < second && second < b);
  for (let second = 0; second <= seconds; second++) {
    if (within(holes, second)) continue;
    const time = at(second);
    // A process that was suspended sees the time leap.
    if (holes.some(([, to]) => to === second)) clock.jump(time);
    else clock.advance(time - clock.now());
    if (!within(without, second)) take(gpus(second % 100, time));
    take({ kind: 'host', load1: second, ...base('host', time) });
    for (const [when, text] of marks) if (when === second) take({ kind: 'mark', text, ...base('user', time) });
    if (second % 60 === 0) await new Promise(setImmediate);
  }
  store.stop();
  await recorder.close();
}

function base(source: string, time: number) {
  return { host: 'gpu7', source, time, receivedAt: time };
}

function gpus(percent: number, time: number): Sample {
  return {
    kind: 'gpus',
    ...base('gpu', time),
    index: [0],
    uuid: ['GPU-a'],
    name: ['NVIDIA H200'],
    utilizationPercent: [percent],
  };
}
