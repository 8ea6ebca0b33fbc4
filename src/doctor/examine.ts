import type { Clock } from '../clock.ts';
import type { CollectorOptions, Context } from '../collectors/collector.ts';
import { missingFields } from '../collectors/gpu/fields.ts';
import type { Runner } from '../collectors/run.ts';
import { settled, until } from '../model/settled.ts';
import type { State, Store } from '../model/store.ts';
import { logPath } from './catalogue.ts';
import { loggingProcess } from './checks/log.ts';
import type { Findings } from './findings.ts';
import { readLook } from './look.ts';
import { doctorScript, sizesRead } from './script.ts';

/** A host that is connected to. */
export interface Patient {
  readonly runner: Runner;
  readonly store: Store;
  readonly clock: Clock;
  readonly options: CollectorOptions;
  /** Nobody waits for what is found any more. */
  readonly signal: AbortSignal;
}

/** What the examination of a host finds. */
export type Examined = Pick<Findings, 'state' | 'shellFault' | 'look' | 'lookFault' | 'missingGpuFields'>;

/** Longest wait for sources that give nothing, and then for the cost, which is measured from the sixth second on. */
const patienceMs = 15_000;
const costMs = 9000;
const lookMs = 30_000;

/** Runs all sources for some seconds, and a script of doctor's own. What fails is a finding; rejects only when `signal` says so. */
export async function examine({ runner, store, clock, options, signal }: Patient): Promise<Examined> {
  const begun = clock.now();
  try {
    await runner.start();
  } catch (error) {
    return { shellFault: sentence(error), missingGpuFields: [] };
  }
  const asked = options.pid !== undefined || options.match !== undefined;
  await settled({ store, clock, asked, patienceMs: patienceMs + 2 * options.intervalMs, signal });
  signal.throwIfAborted();
  const context = runner.context();
  const before = store.getState();
  const look = context ? await ownLook({ runner, store }, context) : {};
  const isMeasured = (state = store.getState()) =>
    state.host?.costCpuPercent !== undefined || /off|failed/.test(state.sources.get('host')?.status ?? 'off');
  await until({ store, clock, isDone: isMeasured, patienceMs: Math.max(0, costMs + begun - clock.now()), signal });
  signal.throwIfAborted();
  const state = withoutOwnPart(store.getState(), before);
  const listed = state.facts?.nvidia?.fields ?? [];
  return { state, ...look, missingGpuFields: state.facts?.nvidia ? missingFields(listed) : [] };
}

/** Where a host allows few sessions, doctor's own script takes that of a source for some seconds: it is told as it was before. */
function withoutOwnPart(state: State, before: State): State {
  const sources = new Map(state.sources);
  for (const [source, view] of before.sources)
    if (view.status === 'live' && /off|waiting/.test(sources.get(source)?.status ?? '')) sources.set(source, view);
  return { ...state, sources };
}

async function ownLook(
  { runner, store }: Pick<Patient, 'runner' | 'store'>,
  context: Context,
): Promise<Pick<Findings, 'look' | 'lookFault'>> {
  const pid = loggingProcess({ state: store.getState() })?.pid;
  const log = logPath(context);
  try {
    const job = await runner.job('doctor', doctorScript({ context, pid, log, sizes: sizesRead }), lookMs);
    const look = readLook(job.output);
    if (look.whole) return { look };
    const lookFault = job.timedOut ? `no answer in ${lookMs / 1000} s` : 'it was cut off';
    return job.began ? { look, lookFault } : { lookFault };
  } catch (error) {
    return { lookFault: sentence(error) };
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
