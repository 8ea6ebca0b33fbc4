import type { Clock } from '../clock.ts';
import type { HostFacts } from '../model/facts.ts';
import type { RunSample, Sample } from '../model/samples.ts';
import { lastWords } from '../model/text.ts';
import { onClockStep } from './clock-step.ts';
import type { Collector, CollectorOptions, Context } from './collector.ts';
import { createLinkKeeper } from './link-keeper.ts';
import { createPlanPool } from './plan-pool.ts';
import { probeHost } from './probe.ts';
import { createSessions, type Ending } from './sessions.ts';
import { createSourceStates } from './source-states.ts';
import { runJob, startStream, type JobResult, type Stream, type StreamEnd, type StreamOptions } from './stream.ts';
import type { Transport } from './transport/transport.ts';

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
  /** Connects and probes. Rejects with a TransportFault when the first attempt fails; of who is patient, only one that no other attempt mends. */
  start(isPatient?: boolean): Promise<void>;
  /** Ends every stream on the host and the link; resolves when they are gone. */
  stop(): Promise<void>;
  /** Connects now, where a lost link is waited for or was given up. */
  connectNow(): void;
  /** Changes options of running collectors (the interval, the chosen run's PID). */
  configure(change: Partial<CollectorOptions>): void;
  /** Runs a short script on the host, for captures. Rejects with a TransportFault. */
  job(name: string, body: string, timeoutMs: number): Promise<JobResult>;
  /** Runs a script on the host that reads the user's lines (`ticks`), for captures that can be ended early. Rejects with a TransportFault. */
  converse(name: string, body: string, listener: Listener): Promise<Stream>;
  /** Opens something else of the user's on the connection (a shell). Where sshd allows few sessions, a source makes room for it. */
  open<T extends Ending>(open: () => Promise<T>): Promise<T>;
  context(): Context | undefined;
  /** Sessions that the connection allows; undefined while it refused none. */
  sessionLimit(): number | undefined;
}

/** Who hears what a script says. */
type Listener = Pick<StreamOptions, 'onReady' | 'onLine' | 'onEnd'>;

/** After a sleep of this machine: within this time of the question a living link answers. */
const checkMs = 5000;

/** Creates the runner of one host; nothing runs before `start`. */
export function createRunner({ transport, collectors, clock, onSample, ...init }: RunnerOptions): Runner {
  let options = init.options;
  let facts: HostFacts | undefined;
  let run: RunSample | undefined;
  let stopped = false;
  /** Stopped, and what had come and waited was given. */
  let isOver = false;
  const host = transport.target;
  const states = createSourceStates({ host, clock, onSample });
  const sessions = createSessions({ target: host, clock, onChange: reconcile });
  const forJobs = {
    get target() {
      return transport.target; // known better once it was resolved
    },
    wrap: transport.wrap,
    open: () => sessions.openJob(() => transport.open()),
  };
  const link = createLinkKeeper({ host, clock, onSample, attempt, heardAt: () => transport.heardAt?.() });
  const pool = createPlanPool({
    transport,
    collectors,
    sessions,
    states,
    clock,
    context,
    onSample: take,
    onRoundTrip: link.takeRoundTrip,
    onAllCut: (end) => lose(describeCut(transport, end), 'its command was ended'),
    onChange: reconcile,
  });

  function context(): Context | undefined {
    return (
      facts && {
        host,
        wrap: transport.wrap,
        facts,
        run: run?.phase === 'running' ? run.run : undefined,
        options,
        shellPids: pool.shellPids(),
        ...(transport.ownPid !== undefined && { ownPid: transport.ownPid }),
      }
    );
  }

  function take(sample: Sample) {
    if (isOver) return;
    onSample(sample);
    if (sample.kind !== 'run') return;
    run = sample;
    reconcile();
  }

  function reconcile() {
    const now = context();
    if (now && link.isUp && !stopped) pool.match(now);
  }

  async function attempt(told: (reason: string) => void) {
    await transport.connect(told);
    const found = await probe();
    return () => beginWith(found);
  }

  const probe = () => probeHost({ transport: forJobs, clock, options });

  function beginWith(found: HostFacts) {
    facts = found;
    const time = clock.now();
    onSample({ kind: 'facts', host, source: 'facts', time, receivedAt: time, facts: found });
    reconcile();
  }

  const cancelSteps = onClockStep(clock, () => {
    if (!link.isUp) return link.hurry();
    const before = facts;
    // After a sleep the link may be dead without a sign.
    transport.check?.(checkMs);
    // All times hang on the difference of the two clocks: it is measured again, and the streams go on by the new one.
    probe().then(
      (found) => {
        // The link may have been lost meanwhile, and be back.
        if (!link.isUp || stopped || facts !== before) return;
        pool.endAll();
        beginWith(found);
      },
      () => {}, // the link is lost, which is told by itself, or it stays as it was
    );
  });

  transport.onLost((reason) => {
    sessions.renew();
    lose(reason);
  });

  function lose(reason: string, why?: string) {
    if (stopped) return;
    states.linkLost(why);
    pool.endAll();
    link.lose(reason);
  }

  return {
    start: (isPatient = false) => (isPatient ? link.openAtLast() : link.open()),
    async stop() {
      stopped = true;
      link.stop();
      cancelSteps();
      states.stop();
      pool.stop();
      isOver = true;
      sessions.renew();
      await transport.close();
    },
    connectNow: link.tryNow,
    configure(change) {
      options = { ...options, ...change };
      reconcile();
    },
    job: (name, body, timeoutMs) => runJob({ transport: forJobs, clock, name, body, timeoutMs }),
    converse: (name, body, listener) =>
      startStream({ ...listener, transport: forJobs, clock, name, body, talks: true }),
    open: sessions.openJob,
    context,
    sessionLimit: () => sessions.limit,
  };
}

/** All commands at once: the container stopped, or what leads into it was killed. */
function describeCut({ target, wrap }: Transport, { code, signal, errorText }: StreamEnd): string {
  const said = lastWords(errorText);
  return (
    `all commands ${wrap === undefined ? `on ${target}` : `behind \`${wrap}\``} were ended at once ` +
    `(${signal ?? `code ${code ?? 'unknown'}`}${said ? `, saying: ${said}` : ''})`
  );
}
