import { createLogGatherer, type LogLook } from '../diagnosis/gather/log.ts';
import type { Known } from '../diagnosis/gather/gatherer.ts';
import type { HostSample, RunSample, Sample, VerdictsSample } from '../samples.ts';
import { breakMs } from './machine.ts';
import { createSpeed, type Speed } from './speed.ts';
import { createWork, type Work } from './work.ts';

/** What several alarms lean on. */
export interface World {
  /** Since when we look without a break; epoch ms. */
  readonly awakeSince: number;
  /** When the watch began: what was before is no news. */
  readonly beganAt: number;
  readonly run: RunSample | undefined;
  readonly isRunning: boolean;
  readonly log: LogLook;
  readonly queueNames: readonly string[];
  readonly fill: ReturnType<typeof createLogGatherer>['fill'];
  readonly work: Work;
  readonly speed: Speed;
  /** Absent: none, or old. */
  readonly host: HostSample | undefined;
  readonly verdicts: VerdictsSample | undefined;
  /** Something takes its time beside the steps: a checkpoint, an evaluation, loading. */
  readonly pause: Pause | undefined;
  /** The longest of these so far; absent: none was seen. */
  readonly longestPauseMs: (pause: Pause) => number | undefined;
  /** For how long no step was told, of what was looked at; absent: nobody knows. */
  readonly quietMs: number | undefined;
}

/** What a run does beside its steps. */
export type Pause = 'checkpoint' | 'evaluation' | 'warmup';

/** Grows by Samples and by time. */
export interface GrowingWorld {
  take(sample: Sample): void;
  /** About once a second. */
  turn(now: number): World;
  forgetRun(): void;
}

const hostStaleMs = 30_000;
/** Verdicts are told anew every five seconds. */
const verdictsStaleMs = 20_000;
/** A log and metrics are some KB/s; weights are written and read as fast as storage takes them. */
const savesBytesPerSecond = 50e6;
/** A pause that the log does not tell of is one when it is longer than usual. */
const usualGaps = 2;
const longestKnownMs = 3_600_000;

/** Nothing is known yet. */
export function createWorld(): GrowingWorld {
  const log = createLogGatherer();
  const work = createWork();
  const speed = createSpeed();
  const known: { -readonly [K in keyof Known]: Known[K] } = {
    results: [],
    threadNames: new Map(),
    threadRoles: new Map(),
  };
  let beganAt: number | undefined;
  let awakeSince = -Infinity;
  let turnedAt: number | undefined;
  let heardAt = -Infinity;
  let run: RunSample | undefined;
  let host: HostSample | undefined;
  let verdicts: VerdictsSample | undefined;
  let longest: Partial<Record<Pause, number>> = {};
  /** Of the silence that goes on. */
  let paused: Pause | undefined;
  let livedAt: number | undefined;
  let stepAt: number | undefined;

  function pauseNow(look: LogLook, quiet: number, now: number): Pause | undefined {
    if (look.beside) return look.beside;
    const told =
      pauses[verdicts && now - verdicts.receivedAt < verdictsStaleMs ? (verdicts.verdicts[0]?.situation ?? '') : ''];
    if (told) return told;
    if (quiet < usualGaps * (look.usualPauseMs ?? Infinity)) return undefined;
    if ((host?.runWriteBytesPerSecond ?? 0) >= savesBytesPerSecond) return 'checkpoint';
    return (host?.runReadBytesPerSecond ?? 0) >= savesBytesPerSecond ? 'warmup' : undefined;
  }

  function learnPauses(look: LogLook, now: number, quiet: number) {
    const { progressAt } = look;
    if (progressAt !== undefined && progressAt !== stepAt) {
      if (paused && stepAt !== undefined && progressAt > stepAt) {
        longest[paused] = Math.min(longestKnownMs, Math.max(longest[paused] ?? 0, progressAt - stepAt));
        speed.excuse();
      }
      stepAt = progressAt;
      paused = undefined;
    }
    const pause = pauseNow(look, quiet, now);
    paused ??= pause;
    return pause;
  }

  return {
    take(sample) {
      beganAt ??= sample.receivedAt;
      if (sample.kind === 'run') {
        run = sample;
        known.run = sample;
      } else if (sample.kind === 'host') host = sample;
      else if (sample.kind === 'verdicts') verdicts = sample;
      // What the run did while nothing came is not known.
      if (sample.kind === 'link' && sample.state === 'up' && sample.silentSince === undefined) {
        if (heardAt === -Infinity) heardAt = sample.receivedAt;
      } else if (sample.kind === 'link') heardAt = -Infinity;
      log.take(sample, known);
      work.take(sample);
      if (sample.kind === 'log') speed.take(sample);
    },
    turn(now) {
      beganAt ??= now;
      if (turnedAt === undefined || now < turnedAt || now - turnedAt >= breakMs) awakeSince = now;
      turnedAt = now;
      const look = log.look(now);
      livedAt = look.livedAt;
      const quietMs = livedAt === undefined ? undefined : now - Math.max(livedAt, awakeSince, heardAt);
      const pause = learnPauses(look, now, quietMs ?? 0);
      const isRunning = run?.phase === 'running';
      if (isRunning && !pause && look.isRead && quietMs !== undefined && quietMs <= 1.5 * (look.usualPauseMs ?? 0))
        work.learn();
      return {
        ...{ awakeSince, beganAt, run, isRunning, log: look, work, speed, pause },
        queueNames: log.queues().map(({ name }) => name),
        fill: log.fill,
        host: host && now - host.receivedAt < hostStaleMs ? host : undefined,
        verdicts: verdicts && now - verdicts.receivedAt < verdictsStaleMs ? verdicts : undefined,
        longestPauseMs: (each) => longest[each],
        quietMs: quietMs === undefined ? undefined : Math.max(0, quietMs),
      };
    },
    forgetRun() {
      log.forgetRun();
      work.forgetRun();
      speed.forgetRun();
      longest = {};
      [paused, livedAt, stepAt, verdicts] = [undefined, undefined, undefined, undefined];
    },
  };
}

const pauses: Readonly<Record<string, Pause>> = {
  checkpointing: 'checkpoint',
  evaluating: 'evaluation',
  'warming-up': 'warmup',
};
