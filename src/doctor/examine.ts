import type { Clock } from '../clock.ts';
import type { CollectorOptions, Context } from '../collectors/collector.ts';
import { missingFields } from '../collectors/gpu/fields.ts';
import type { Runner } from '../collectors/run.ts';
import { settled, until } from '../model/settled.ts';
import type { Store } from '../model/store.ts';
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
}

/** What the examination of a host finds. */
export type Examined = Pick<Findings, 'state' | 'shellFault' | 'look' | 'lookFault' | 'missingGpuFields'>;

/** Longest wait for sources that give nothing, and then for the cost, which is measured from the sixth second on. */
const patienceMs = 15_000;
const costMs = 9000;
const lookMs = 30_000;

/** Runs all sources for some seconds, and a script of doctor's own. Never rejects: what fails is a finding. */
export async function examine({ runner, store, clock, options }: Patient): Promise<Examined> {
  const begun = clock.now();
  try {
    await runner.start();
  } catch (error) {
    return { shellFault: sentence(error), missingGpuFields: [] };
  }
  const asked = options.pid !== undefined || options.match !== undefined;
  await settled({ store, clock, asked, patienceMs: patienceMs + 2 * options.intervalMs });
  const context = runner.context();
  const look = context ? await ownLook({ runner, store, clock, options }, context) : {};
  const isMeasured = (state = store.getState()) =>
    state.host?.costCpuPercent !== undefined || /off|failed/.test(state.sources.get('host')?.status ?? 'off');
  await until({ store, clock, isDone: isMeasured, patienceMs: Math.max(0, costMs + begun - clock.now()) });
  const state = store.getState();
  const listed = state.facts?.nvidia?.fields ?? [];
  return { state, ...look, missingGpuFields: state.facts?.nvidia ? missingFields(listed) : [] };
}

async function ownLook({ runner, store }: Patient, context: Context): Promise<Pick<Findings, 'look' | 'lookFault'>> {
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
