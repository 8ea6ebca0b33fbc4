import { groupBy } from '../group-by.ts';
import type { Sample } from '../samples.ts';
import type { VerdictsSample } from '../verdict-samples.ts';
import { readAcross } from './across.ts';
import type { Gatherer, Window } from './gather/gatherer.ts';
import { createFailuresGatherer } from './gather/failures.ts';
import { createGpuGatherer } from './gather/gpu.ts';
import { createHostGatherer } from './gather/host.ts';
import { createLogGatherer } from './gather/log.ts';
import { createRunGatherer } from './gather/run.ts';
import { createStacksGatherer } from './gather/stacks.ts';
import { createThreadsGatherer } from './gather/threads.ts';
import { createGpuFinder } from './gpus-of-run.ts';
import { createDoubt } from './doubt.ts';
import { createHeadline } from './headline.ts';
import { judge } from './judge.ts';
import { learn, nothingKnown } from './known.ts';
import { rank, type Ranked } from './ranking.ts';
import type { Judgement } from './rule.ts';
import { rules } from './rules/index.ts';
import { signals, type Readings, type SignalName } from './signals.ts';
import { createSteady } from './steady.ts';
import type { Subject } from './subjects.ts';

/** Says what the run of one host waits for, by its Samples alone: live, played again and of files alike. */
export interface Diagnosis {
  /** The verdicts that follow from this Sample, to be taken in after it; at most one a second, and seldom where nothing changes. */
  find(sample: Sample): readonly VerdictsSample[];
  /** The verdicts as of the newest Sample, however short they have held. */
  now(): VerdictsSample | undefined;
  /** All signals of the last tick: what rules were asked with. */
  signals(): readonly SubjectSignals[];
}

/** What was told of one subject. */
export interface SubjectSignals {
  readonly subject: Subject;
  readonly readings: Readings;
}

/** Rules are asked this often, by the time of the Samples. */
const tickMs = 1000;
/** Figures of verdicts that stay are told anew this often. */
const tellMs = 5000;
/** A window has a few steps of most runs in it, and of those with long steps at least three. */
const shortestWindowMs = 10_000;
const longestWindowMs = 60_000;
const stepsInWindow = 3;
/** In less time there are too few readings. */
const leastWindowMs = 3000;
/** What is so far back is not what happens now, unless the log has been silent since. */
const lateMs = 5000;
const silentFromMs = 2000;

/** A diagnosis before any Sample; `begin` is what is known where a recording is opened in its middle. */
export function createDiagnosis(begin = nothingKnown()): Diagnosis {
  const log = createLogGatherer();
  const gatherers: readonly Gatherer[] = [
    log,
    createFailuresGatherer(),
    createRunGatherer(),
    createGpuGatherer(),
    createThreadsGatherer(),
    createStacksGatherer(),
    createHostGatherer(),
  ];
  const gpuFinder = createGpuFinder();
  const steady = createSteady();
  const headline = createHeadline();
  const doubt = createDoubt();
  let known = begin;
  let tickedAt = -Infinity;
  let toldAt = -Infinity;
  let firstProgressAt: number | undefined;
  let resumedAt = -Infinity;
  let told = '';
  let last: readonly SubjectSignals[] = [];
  let newest: Tick | undefined;
  /** The newest Sample, where no tick has come after it: the last of files have the captures in them. */
  let unasked: Sample | undefined;

  function catchUp() {
    if (unasked) tick(unasked);
  }

  function windowAt(to: number): Window {
    const stepMs = (log.stepSeconds() ?? 0) * 1000;
    const longest = to - Math.min(longestWindowMs, Math.max(shortestWindowMs, stepsInWindow * stepMs));
    firstProgressAt ??= log.progressAt();
    // How it loaded and compiled before its first step says nothing of its steps.
    const isUnderWay = firstProgressAt !== undefined && to - firstProgressAt >= leastWindowMs;
    const from = Math.max(longest, (isUnderWay && firstProgressAt) || longest, resumedAt <= to ? resumedAt : longest);
    const silentMs = to - (log.progressAt() ?? to);
    // What the GPU still had to do when the last line was written is over a moment later.
    const lateFrom = silentMs > silentFromMs ? to - silentMs + Math.min(1000, silentMs / 4) : to - lateMs;
    return { from, to, lateFrom: Math.max(from, lateFrom) };
  }

  function readAll(now: number): readonly SubjectSignals[] {
    const subjects: readonly Subject[] = [{ kind: 'run' }, ...gpuFinder.find(known), ...log.queues()];
    const window = windowAt(now);
    const all: { readonly subject: Subject; readonly readings: Readings }[] = [];
    let ofAll: Readings = {};
    for (const subject of subjects) {
      // What the run's log and host say holds for each of its GPUs too, unless a gatherer knows better; what its processes do, does not.
      const readings: Readings = { ...ofAll };
      // How full another queue is says nothing of this one.
      if (subject.kind === 'queue') for (const signal of ofQueues) delete readings[signal];
      const ask = {
        subject,
        subjects,
        known,
        window,
        set: (signal: keyof Readings, reading: Readings[keyof Readings]) => {
          if (reading && Number.isFinite(reading.value)) readings[signal] = reading;
        },
        get: (signal: keyof Readings) => readings[signal],
      };
      for (const gatherer of gatherers) gatherer.read(ask);
      all.push({ subject, readings });
      if (subject.kind === 'run') ofAll = withoutThreads(readings);
    }
    readAcross(all);
    return all;
  }

  function tick({ host, receivedAt }: Sample) {
    unasked = undefined;
    const wasPaused = isPaused(last);
    last = readAll(receivedAt);
    // What its GPUs did while it saved or evaluated says nothing of its steps either.
    if (wasPaused && !isPaused(last)) resumedAt = receivedAt;
    const ranked = rank(steady.take(receivedAt, judgeAll(last)), last);
    doubt.take(receivedAt, ranked.length > 0);
    const unsure = doubt.verdict(receivedAt, last);
    const all = ranked.length === 0 && unsure ? [{ ...unsure, told: () => unsure }] : ranked;
    newest = { host, at: receivedAt, ranked: headline.take(receivedAt, all) };
  }

  return {
    find(sample) {
      // Of a recording that is judged anew.
      if (sample.kind === 'verdicts') return [];
      const { state, isOther } = learn(known, sample);
      known = state;
      if (isOther) {
        for (const gatherer of gatherers) gatherer.forgetRun();
        gpuFinder.forgetRun();
        firstProgressAt = undefined;
        // GPUs are of the host: what they did before, they did for the other run.
        resumedAt = sample.receivedAt;
        for (const each of [steady, headline, doubt]) each.forget();
      }
      gpuFinder.take(sample);
      for (const gatherer of gatherers) gatherer.take(sample, known);
      const now = sample.receivedAt;
      // A clock that was set back begins anew.
      if (now >= tickedAt && now - tickedAt < tickMs) {
        unasked = sample;
        return [];
      }
      tickedAt = now;
      tick(sample);
      const text = newest?.ranked.map(({ situation, scope }) => `${situation} ${JSON.stringify(scope)}`).join();
      if (!newest || (text === told && now - toldAt < tellMs && now >= toldAt)) return [];
      told = text ?? '';
      toldAt = now;
      return [sampleOf(newest)];
    },
    now() {
      catchUp();
      if (!newest) return undefined;
      if (newest.ranked.some(({ situation }) => situation !== 'unknown')) return sampleOf(newest);
      const young = rank(steady.young(), last);
      if (young.length > 0) return sampleOf({ ...newest, ranked: young });
      // Nothing more will come that could be waited for.
      const unsure = newest.ranked.length === 0 && doubt.verdict(newest.at, last, 0);
      return { ...sampleOf(newest), ...(unsure && { verdicts: [unsure] }) };
    },
    signals() {
      catchUp();
      return last;
    },
  };
}

/** What one tick found. */
interface Tick {
  readonly host: string;
  readonly at: number;
  readonly ranked: readonly Ranked[];
}

function sampleOf({ host, at, ranked }: Tick): VerdictsSample {
  const about = { kind: 'verdicts', host, source: 'diagnosis', time: at, receivedAt: at } as const;
  return { ...about, verdicts: ranked.map((each) => each.told()) };
}

/** Rules by what they are asked of, in their order. */
const rulesOf = groupBy(rules, (rule) => rule.of);

function judgeAll(all: readonly SubjectSignals[]): readonly Judgement[] {
  const found: Judgement[] = [];
  for (const { subject, readings } of all)
    for (const rule of rulesOf.get(subject.kind) ?? []) {
      const judgement = judge(rule, subject, readings);
      if (judgement) found.push(judgement);
    }
  return found;
}

const ofQueues = ['queueFill', 'queueFull', 'queueEmpty'] as const satisfies readonly SignalName[];
/** The log spoke of something that is no step, and has told none since. */
function isPaused([run]: readonly SubjectSignals[]): boolean {
  return run?.readings.checkpointAge !== undefined || run?.readings.evaluationAge !== undefined;
}

const ofProcesses: ReadonlySet<string> = new Set(['threads', 'waits', 'stacks', 'gil']);

/** Without what is of its processes together: another GPU's process is no evidence for this one. */
function withoutThreads(readings: Readings): Readings {
  const kept: Readings = {};
  for (const name in readings) {
    const reading = readings[name as SignalName];
    if (reading && !ofProcesses.has(signals[name as SignalName].from)) kept[name as SignalName] = reading;
  }
  return kept;
}
