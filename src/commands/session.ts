import { systemClock, type Clock } from '../clock.ts';
import type { Collector, CollectorOptions } from '../collectors/collector.ts';
import { collectors } from '../collectors/registry.ts';
import { createBlackBox } from '../collectors/black-box/black-box.ts';
import { createRunner, type Runner } from '../collectors/run.ts';
import { createSignals, type Signals } from '../collectors/signals/signals.ts';
import { createAutoDump, type AutoDump } from '../collectors/stacks/auto-dump.ts';
import { createCaptures, type Captures } from '../collectors/stacks/captures.ts';
import { createOffer, type ConfirmCopy } from '../collectors/stacks/offer.ts';
import { createSaver } from '../collectors/stacks/save.ts';
import type { Transport } from '../collectors/transport/transport.ts';
import type { Options } from '../config/options.ts';
import { withThreadState } from '../model/classes/thread-state.ts';
import { createAlarms } from '../model/alarms/engine.ts';
import { createDiagnosis } from '../model/diagnosis/engine.ts';
import type { Notifier } from '../notify/notifier.ts';
import { createEventFinder } from '../model/events.ts';
import { bounded } from './bounded.ts';
import { createRoleRules, type RoleRules } from '../model/roles/rules.ts';
import type { AlarmSample, Sample } from '../model/samples.ts';
import type { VerdictsSample } from '../model/verdict-samples.ts';
import { createStore, type Store } from '../model/store.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { AlarmControls } from '../ui/controls.ts';
import { timeOfDay } from '../ui/parts/times.ts';
import { baselineFields } from './baseline.ts';
import { captureExports } from './capture-exports.ts';
import { createCheckpointFolders } from './checkpoint-folders.ts';
import { endAll } from './end-all.ts';
import { createKeptLabels } from './kept-labels.ts';
import { leftOutSentence, logReading } from './log-reading.ts';

/** One host being watched: its runner and the store that the Samples go to. */
export interface Session {
  readonly options: Options;
  readonly transport: Transport;
  readonly runner: Runner;
  readonly captures: Captures;
  readonly signals: Signals;
  /** Of the user's file, and how many threads each fits. */
  readonly rules: RoleRules;
  /** Absent where nobody looks at threads' names, and with --no-auto-dump. */
  readonly autoDump?: AutoDump;
  readonly store: Store;
  /** What the run waits for as of the newest Sample, however short that has held: for who does not stay. */
  readonly verdictsNow: () => VerdictsSample | undefined;
  /** Absent where nobody keeps watch. */
  readonly alarms?: AlarmControls;
  readonly clock: Clock;
  /** Absent with --no-record. */
  readonly recorder?: Recorder;
  /** Takes in what the runner does not give: a capture, a mark. */
  take(sample: Sample): void;
  /** Ends everything on the host; resolves when nothing is left there. */
  stop(): Promise<void>;
}

/** What a session has beside what every one has. */
export interface SessionMore {
  /** Instead of all sources: a command that looks at little. */
  readonly sources?: readonly Collector[];
  /** Where captures are kept (see defaultDataFolder). Absent: nowhere. */
  readonly saveIn?: string;
  /** Takes dumps by itself for the names of threads. */
  readonly namesThreads?: boolean;
  /** Where these are kept for the next monitor of the same run. Absent: nowhere. */
  readonly keepNamesIn?: string;
  /** Alarms ring, and evidence is taken by itself. */
  readonly keepsWatch?: boolean;
  /** Tells of them away from the screen; it is closed with the session. */
  readonly notify?: (report: (text: string) => void) => Notifier;
  /** Hears of every Sample that is kept, behind the store. */
  readonly see?: (sample: Sample) => void;
  /** Asks whether the user's py-spy may be copied to the host. Absent: it is not. */
  readonly confirmCopy?: ConfirmCopy;
}

/**
 * Puts transport, runner, store and recorder together; `runner.start()` begins. `record` makes the recorder, if there is to be one, which
 * says by `report` what is missing.
 */
export function createSession(
  options: Options,
  transport: Transport,
  clock: Clock = systemClock,
  record: (store: Store, report: Session['take']) => Recorder | undefined = () => undefined,
  more: SessionMore = {},
): Session {
  const { sources = collectors, saveIn, confirmCopy, namesThreads = false, keepNamesIn } = more;
  const store = createStore(clock, options.intervalMs);
  const recorder = record(store, take);
  const events = createEventFinder();
  const diagnosis = createDiagnosis();
  const host = transport.target;
  const alarms =
    more.keepsWatch === true && !options.alarms?.off
      ? createAlarms({ host, bounded, ...(options.alarms && { settings: options.alarms }) })
      : undefined;
  const rules = createRoleRules(options.roles ?? [], bounded);
  const reading = readingOf(options);
  const checkpointFolders = createCheckpointFolders();
  let patternsTold = 0;
  let isGpuRolesTold = false;
  let areSettingsTold = false;
  const runner = createRunner({
    transport,
    collectors: sources,
    clock,
    onSample: take,
    options: collectorOptions(options, reading.options),
  });

  const { pySpy, readOnly = false } = options;
  const offer = createOffer({ runner, clock, pySpy, readOnly, confirm: confirmCopy });
  const signals = createSignals({ runner, clock, take, readOnly });
  const captures = createCaptures({
    host: transport.target,
    runner,
    clock,
    take,
    complete: (result) => withThreadState(result, { state: store.getState(), history: store.history }),
    bring: offer.bring,
    readOnly,
    ...(saveIn !== undefined && {
      save: createSaver({
        dataDir: saveIn,
        run: () => runner.context()?.run,
        files: (capture, results) => captureExports(store.getState(), capture, results),
      }),
    }),
  });

  const notifier = alarms && more.notify?.(untold);
  const blackBox =
    alarms && options.blackBox !== false && !readOnly
      ? createBlackBox({
          ...{ host, runner, clock, take, state: store.getState },
          capture: captures.start,
          ...(saveIn !== undefined && { dataDir: saveIn }),
        })
      : undefined;
  // Where nothing comes there is nothing that tells the time.
  const stopTicks = alarms ? clock.every(tickMs, () => ring(alarms.tick(clock.now()))) : () => {};

  const names = keepNamesIn === undefined ? undefined : createKeptLabels({ folder: keepNamesIn, clock, store, take });
  const autoDump =
    namesThreads && options.autoDump !== false ? createAutoDump({ captures, clock, timeOf: timeOfDay }) : undefined;
  const stopNaming = autoDump ? store.subscribe(() => autoDump.consider(store.getState())) : () => {};

  function take(sample: Sample) {
    const savedTo = checkpointFolders(sample);
    if (savedTo) runner.configure({ savedTo });
    for (const each of [
      sample,
      ...events.find(sample),
      ...rules.find(sample),
      ...gpuRoles(sample),
      ...settings(sample),
      ...lostPatterns(sample),
    ]) {
      keep(each);
      for (const verdicts of diagnosis.find(each)) keep(verdicts);
    }
  }

  function ring(changes: readonly AlarmSample[]) {
    for (const change of changes) {
      keep(change);
      notifier?.tell(change);
    }
  }

  function untold(text: string) {
    const time = clock.now();
    keep({ kind: 'event', host, source: 'alarms', time, receivedAt: time, event: 'alarm untold', text });
  }

  function keep(sample: Sample) {
    recorder?.push(sample);
    store.push(sample);
    more.see?.(sample);
    names?.see(sample);
    blackBox?.see(sample);
    if (alarms && sample.kind !== 'alarm') ring(alarms.find(sample));
  }

  /** Once, with the first that is known of the host. */
  function gpuRoles({ kind, host, time, receivedAt }: Sample): readonly Sample[] {
    if (isGpuRolesTold || kind !== 'facts' || !options.gpuRoles) return [];
    isGpuRolesTold = true;
    const rows = options.gpuRoles.flatMap(({ role, gpus }) => gpus.map((gpu) => ({ gpu, role })));
    const columns = { gpu: rows.map(({ gpu }) => gpu), role: rows.map(({ role }) => role) };
    return [{ kind: 'gpuRoles', host, source: 'user', time, receivedAt, ...columns }];
  }

  /** In the log in which it happened. */
  function lostPatterns(sample: Sample): readonly Sample[] {
    const lost = sample.kind === 'log' ? reading.leftOut().slice(patternsTold) : [];
    if (sample.kind !== 'log' || lost.length === 0) return [];
    patternsTold += lost.length;
    const { host, source, time, receivedAt, path, format } = sample;
    const lines = lost.map((name) => ({ text: leftOutSentence(name), time: receivedAt, note: true as const }));
    return [{ kind: 'log', host, source, time, receivedAt, path, format, lines }];
  }

  /** The same of what figures lean on, before the first line of a log. */
  function settings({ kind, host, time, receivedAt }: Sample): readonly Sample[] {
    const { baseline, batchTokens } = options;
    if (areSettingsTold || kind !== 'facts' || (baseline === undefined && batchTokens === undefined)) return [];
    areSettingsTold = true;
    return [
      {
        ...{ kind: 'settings', host, source: 'user', time, receivedAt },
        ...(batchTokens !== undefined && { batchTokens }),
        ...(baseline && 'value' in baseline && baselineFields(baseline)),
      },
    ];
  }

  return {
    options,
    transport,
    runner,
    captures,
    signals,
    rules,
    store,
    verdictsNow: () => diagnosis.now(),
    clock,
    ...(alarms && {
      alarms: {
        acknowledge(id) {
          const ids = id === undefined ? store.getState().alarms.map((each) => each.id) : [id];
          ring(ids.flatMap((each) => alarms.acknowledge(each, clock.now())));
        },
        mute: (init) => keep(alarms.mute({ ...init, now: clock.now() })),
        unmute: (init) => keep(alarms.unmute({ ...init, now: clock.now() })),
        ways: () => notifier?.ways() ?? [],
      },
    }),
    ...(recorder && { recorder }),
    ...(autoDump && { autoDump }),
    take,
    stop: () =>
      endAll([
        ...[stopNaming, stopTicks],
        ...[blackBox?.stop, names?.stop, captures.stop, signals.stop, offer.stop, store.stop, runner.stop],
        // These say and write what the others told at their end.
        ...[notifier?.close, recorder?.close],
      ]),
  };
}

/** How often alarms look at the time by themselves. */
const tickMs = 1000;

const readingOf = ({ logFormat, logPatterns }: Options) =>
  logReading({ patterns: logPatterns, pinned: logFormat, option: '--log-format' });

/** Of the user's options, those that reach collectors. Throws a UsageFault where the format of logs is none that is known. */
export function collectorOptions(options: Options, reading = readingOf(options).options): CollectorOptions {
  return {
    intervalMs: options.intervalMs,
    threads: options.threads,
    logs: options.logs,
    ...(Object.keys(reading).length > 0 && { reading }),
    ...(options.pid !== undefined && { pid: options.pid }),
    ...(options.match && { match: options.match }),
    ...(options.pySpy !== undefined && { pySpy: options.pySpy }),
    ...(options.readOnly !== undefined && { readOnly: options.readOnly }),
    ...(options.checkpoints && { checkpoints: options.checkpoints }),
  };
}
