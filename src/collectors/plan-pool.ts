import type { Clock } from '../clock.ts';
import type { Sample } from '../model/samples.ts';
import { allot, whyNoSession, wishesOf } from './allot.ts';
import type { Collector, Context, Parser, Plan } from './collector.ts';
import { createPlanRunner, type PlanRunner } from './plan-runner.ts';
import type { Sessions } from './sessions.ts';
import type { SourceStates } from './source-states.ts';
import type { StreamEnd } from './stream.ts';
import { createTurns } from './turns.ts';
import type { Transport } from './transport/transport.ts';

/** All streams of one host that run now. */
export interface PlanPool {
  /** Starts plans that are new, stops those that are gone, hands the rest their new context. */
  match(context: Context): void;
  /** The streams end, and go on where they were when they are wanted again. */
  endAll(): void;
  /** PIDs on the host of the shells that run them. */
  shellPids(): readonly number[];
  stop(): void;
}

interface Init {
  readonly transport: Transport;
  readonly collectors: readonly Collector[];
  readonly sessions: Sessions;
  readonly states: SourceStates;
  readonly clock: Clock;
  readonly context: () => Context | undefined;
  readonly onSample: (sample: Sample) => void;
  readonly onRoundTrip: (ms: number) => void;
  /** Every stream was cut at about the same time, with the last one's end (or that of the only one): what is common to them is at fault. */
  readonly onAllCut: (end: StreamEnd) => void;
  /** `match` would do something else now. */
  readonly onChange: () => void;
}

/** Runs come and go for weeks, each with logs of its own: this many may be taken up where they were left (under two names). */
const mostProgress = 32;
/** Streams that one fault cuts end within this time of one another; less than plan-runner waits for whoever sees them all. */
const gatherMs = 600;

/** An empty pool. */
export function createPlanPool(init: Init): PlanPool {
  const { collectors, sessions, states, clock, onAllCut, onChange } = init;
  const running = new Map<string, PlanRunner>();
  /** Of the streams that a lost link or another run ended: they go on where they were. */
  const progress = new Map<string, Parser>();
  /** Of each key that ran, the other name of what it reads. */
  const otherNames = new Map<string, string>();
  const turns = createTurns({ clock, onChange });
  let cuts = 0;
  let cancelCuts = () => {};

  const shared = {
    ...init,
    onSample(sample: Sample) {
      init.onSample(sample);
      turns.take(sample);
    },
    onCut,
    onGivenUp: () => sessions.limit !== undefined && onChange(),
  };

  function onCut(end: StreamEnd) {
    if (cuts++ > 0) return;
    cancelCuts = clock.after(gatherMs, () => {
      const all = (cuts > 1 || sessions.forSources <= 1) && shellPids().length === 0;
      cuts = 0;
      if (all) onAllCut(end);
    });
  }

  function end(key: string, runner: PlanRunner) {
    running.delete(key);
    const parser = runner.progress();
    for (const name of [otherNames.get(key) ?? key, key]) {
      progress.delete(name);
      if (parser) progress.set(name, parser);
    }
    otherNames.delete(key);
    for (const name of [...progress.keys()].slice(0, -mostProgress)) progress.delete(name);
    runner.stop();
  }

  function match(context: Context) {
    const wishes = wishesOf(collectors, context);
    for (const { source, off } of wishes.off) states.off(source, off);
    const { runs, waits } = allot(wishes.plans, {
      sessions: sessions.forSources,
      needsNone: (plan) => running.get(plan.key)?.hasGivenUp() ?? false,
      secondFirst: turns.isSecondFirst(context, sessions.limit),
    });
    const wanted = new Map(runs.map((plan) => [plan.key, plan]));
    const told = new Set([...wishes.plans.flatMap(sourcesOf), ...wishes.off.map(({ source }) => source)]);
    for (const [key, runner] of running) {
      if (wanted.has(key)) continue;
      const sources = runner.sources();
      end(key, runner);
      // What was read last is no present value.
      for (const source of sources)
        if (!told.has(source)) states.off(source, context.run ? 'the run has none' : 'no run is watched');
    }
    const holders = runs.flatMap(({ key, source }) => (running.get(key)?.hasGivenUp() ? [] : source));
    for (const plan of waits) sayWaits(plan, context, holders);
    for (const [key, plan] of wanted) {
      const existing = running.get(key);
      if (existing) existing.update(plan);
      else running.set(key, createPlanRunner({ ...shared, plan, previous: progress.get(key) ?? ofOtherName(plan) }));
      progress.delete(key);
      if (plan.alsoKnownAs !== undefined) otherNames.set(key, plan.alsoKnownAs);
    }
  }

  const ofOtherName = ({ alsoKnownAs }: Plan) => (alsoKnownAs === undefined ? undefined : progress.get(alsoKnownAs));

  function sayWaits(plan: Plan, { host }: Context, holders: readonly string[]) {
    const { limit, forSources } = sessions;
    if (limit === undefined) return;
    if (turns.isTaking(plan.source)) return states.waiting(plan.source, turns.reason(host));
    const reason = whyNoSession({ target: host, limit, holders, forJobs: limit - forSources });
    for (const source of sourcesOf(plan)) states.off(source, reason);
  }

  function shellPids() {
    return [...running.values()].flatMap((runner) => runner.shellPid() ?? []);
  }

  return {
    match,
    shellPids,
    endAll() {
      cancelCuts();
      cuts = 0;
      for (const [key, runner] of running) end(key, runner);
    },
    stop() {
      cancelCuts();
      turns.stop();
      for (const runner of running.values()) runner.stop();
      running.clear();
    },
  };
}

const sourcesOf = ({ source, sources }: Plan): readonly string[] => sources ?? [source];
