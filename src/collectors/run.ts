import type { Clock } from '../clock.ts';
import type { HostFacts } from '../model/facts.ts';
import type { LinkSample, RunSample, Sample } from '../model/samples.ts';
import type { Collector, CollectorOptions, Context, Off, Parser, Plan } from './collector.ts';
import { createPlanRunner, type PlanRunner } from './plan-runner.ts';
import { probeHost } from './probe.ts';
import { createSourceStates } from './source-states.ts';
import { runJob, type JobResult } from './stream.ts';
import { TransportFault, type Transport } from './transport/transport.ts';

/** What a runner works on, and who takes its Samples. */
export interface RunnerOptions {
  readonly transport: Transport;
  readonly collectors: readonly Collector[];
  readonly options: CollectorOptions;
  readonly clock: Clock;
  readonly onSample: (sample: Sample) => void;
}

/** Owns all streams of one host: start, lease, back-off, restart, staleness and stop. */
export interface Runner {
  /** Connects and probes. Rejects with a TransportFault when the first attempt fails. */
  start(): Promise<void>;
  /** Ends every stream on the host and the link; resolves when they are gone. */
  stop(): Promise<void>;
  /** Changes options of running collectors (the interval, the chosen run's PID). */
  configure(change: Partial<CollectorOptions>): void;
  /** Runs a short script on the host, for captures. Rejects with a TransportFault. */
  job(name: string, body: string, timeoutMs: number): Promise<JobResult>;
  context(): Context | undefined;
}

/** How often the round trip is said anew. */
const linkEveryMs = 4000;

/** Runs come and go for weeks, each with logs of its own: this many may be taken up where they were left. */
const mostProgress = 16;

/** Creates the runner of one host; nothing runs before `start`. */
export function createRunner({ transport, collectors, clock, onSample, ...init }: RunnerOptions): Runner {
  let options = init.options;
  let facts: HostFacts | undefined;
  let run: RunSample | undefined;
  let stopped = false;
  /** The link is up and the host was probed. */
  let connected = false;
  let attempts = 0;
  let cancelRetry = () => {};
  const running = new Map<string, PlanRunner>();
  /** Of the streams that a lost link or another run ended: they go on where they were. */
  const progress = new Map<string, Parser>();
  const host = transport.target;
  /** The shortest round trip since the link's last Sample: what is longer was the host at work. */
  let roundTripMs: number | undefined;
  let linkSaidAt = 0;
  const states = createSourceStates({ host, clock, onSample });

  const context = (): Context | undefined =>
    facts && {
      host,
      facts,
      run: run?.phase === 'running' ? run.run : undefined,
      options,
      shellPids: [...running.values()].flatMap((r) => r.shellPid() ?? []),
      ...(transport.ownPid !== undefined && { ownPid: transport.ownPid }),
    };

  const end = (key: string, runner: PlanRunner) => {
    const parser = runner.progress();
    progress.delete(key);
    if (parser) progress.set(key, parser);
    const [oldest] = progress.keys();
    if (oldest !== undefined && progress.size > mostProgress) progress.delete(oldest);
    runner.stop();
  };

  const take = (sample: Sample) => {
    if (stopped) return;
    onSample(sample);
    if (sample.kind !== 'run') return;
    run = sample;
    reconcile();
  };

  const shared = { transport, clock, states, context, onSample: take, onRoundTrip: takeRoundTrip };

  /** Starts plans that are new, stops those that are gone, hands the rest their new context. */
  function reconcile() {
    const now = context();
    if (!now || !connected || stopped) return;
    const wanted = new Map<string, Plan>();
    const told = new Set<string>();
    for (const plan of collectors.flatMap((c): readonly (Plan | Off)[] => c.plans(now))) {
      told.add(plan.source);
      if ('off' in plan) states.off(plan.source, plan.off);
      else wanted.set(plan.key, plan);
    }
    for (const [key, runner] of running) {
      if (wanted.has(key)) continue;
      running.delete(key);
      end(key, runner);
      // What was read last is no present value.
      if (!told.has(runner.source)) states.off(runner.source, now.run ? 'the run has none' : 'no run is watched');
    }
    for (const [key, plan] of wanted) {
      const existing = running.get(key);
      if (existing) existing.update(plan);
      else {
        const previous = progress.get(key);
        running.set(key, createPlanRunner({ ...shared, plan, previous }));
      }
      progress.delete(key);
    }
  }

  function link(state: LinkSample['state'], more: Pick<LinkSample, 'reason' | 'roundTripMs'> = {}) {
    const time = clock.now();
    linkSaidAt = time;
    roundTripMs = undefined;
    onSample({ kind: 'link', host, source: 'link', time, receivedAt: time, state, ...more });
  }

  function takeRoundTrip(ms: number) {
    roundTripMs = Math.min(ms, roundTripMs ?? Infinity);
    if (!stopped && clock.now() - linkSaidAt >= linkEveryMs) link('up', { roundTripMs });
  }

  async function connect() {
    link('connecting');
    await transport.connect();
    const found = await probeHost({ transport, clock, options });
    if (stopped) return;
    connected = true;
    attempts = 0;
    link('up');
    linkSaidAt = 0; // the first round trip is said at once
    beginWith(found);
  }

  function beginWith(found: HostFacts) {
    facts = found;
    const time = clock.now();
    onSample({ kind: 'facts', host, source: 'facts', time, receivedAt: time, facts: found });
    reconcile();
  }

  function endAll() {
    for (const [key, runner] of running) end(key, runner);
    running.clear();
  }

  /** All times hang on the difference of the two clocks: it is measured again, and the streams go on by the new one. */
  const cancelSteps = onStep(clock, () => {
    if (!connected) return;
    const before = facts;
    probeHost({ transport, clock, options }).then(
      (found) => {
        // The link may have been lost meanwhile, and be back.
        if (!connected || stopped || facts !== before) return;
        endAll();
        beginWith(found);
      },
      () => {}, // the link is lost, which is told by itself, or it stays as it was
    );
  });

  transport.onLost((reason) => {
    if (stopped) return;
    connected = false;
    states.linkLost();
    link('lost', { reason });
    endAll();
    retry();
  });

  function retry() {
    cancelRetry(); // a link lost in the middle of an attempt fails the attempt as well
    // 1 to 30 s, with jitter so that many monitors do not come back as one.
    const waitMs = Math.min(30_000, 1000 * 2 ** attempts++) * (0.75 + Math.random() / 2);
    cancelRetry = clock.after(waitMs, () => {
      connect().catch((error: unknown) => {
        if (stopped) return;
        const final = error instanceof TransportFault && error.final;
        link(final ? 'failed' : 'lost', { reason: error instanceof Error ? error.message : String(error) });
        if (!final) retry();
      });
    });
  }

  return {
    start: connect,
    async stop() {
      stopped = true;
      cancelRetry();
      cancelSteps();
      states.stop();
      for (const runner of running.values()) runner.stop();
      running.clear();
      await transport.close();
    },
    configure(change) {
      options = { ...options, ...change };
      reconcile();
    },
    job: (name, body, timeoutMs) => runJob({ transport, clock, name, body, timeoutMs }),
    context,
  };
}

/** Calls `fn` when the clock was set, or this machine slept: no second takes that long. */
function onStep(clock: Clock, fn: () => void): () => void {
  let last = clock.now();
  return clock.every(1000, () => {
    const now = clock.now();
    const stepMs = now - last - 1000;
    last = now;
    if (Math.abs(stepMs) > longestPauseMs) fn();
  });
}

/** A busy machine may hold a timer up for a while. */
const longestPauseMs = 5000;
