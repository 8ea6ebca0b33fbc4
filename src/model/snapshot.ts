import { verdictJson } from './diagnosis/json.ts';
import { endedReason } from './ended-reason.ts';
import { roleFinder } from './roles/finder.ts';
import type { GpusSample, HostSample } from './samples.ts';
import type { State } from './store.ts';
import { waitOf } from './waits/thread-wait.ts';
import { joinThreads } from './thread-rows.ts';
import { logSnapshot, queueSnapshot } from './snapshot-log.ts';
import { present, seconds } from './snapshot-values.ts';
import { summariseThroughput } from './throughput-summary.ts';

/** One moment of a run as a plain object for scripts (`traintop once --json`). Absent values are left out. */
export interface Snapshot {
  readonly traintop: string;
  /** ISO 8601. */
  readonly time: string;
  readonly target: string;
  readonly [section: string]: unknown;
}

interface Input {
  readonly state: State;
  readonly version: string;
  readonly target: string;
  readonly demo: boolean;
  readonly now: number;
}

/** The state as of `now`; `version` is traintop's own, `target` as the user named it. */
export function snapshot({ state, version, target, demo, now }: Input): Snapshot {
  const throughput = summariseThroughput(state.throughput, now, state.settings);
  return {
    traintop: version,
    time: new Date(now).toISOString(),
    target,
    ...(demo && { demo: true }),
    ...present({
      run: runOf(state),
      verdicts: state.verdicts?.verdicts.map(verdictJson),
      host: hostOf(state),
      disks: disksOf(state),
      kernel: kernelOf(state),
      gpus: gpusOf(state.gpus),
      threads: threadsOf(state),
      log: logSnapshot(state, throughput, now),
      queues: throughput.queues.map(queueSnapshot),
      sources: sourcesOf(state, now),
      cost: costOf(state.host),
    }),
  } as Snapshot;
}

function runOf({ run }: State) {
  if (!run?.run) return run && present({ phase: run.phase, reason: run.reason });
  const { rootPid, processes, outputs } = run.run;
  const root = processes.find((p) => p.pid === rootPid) ?? processes[0];
  return present({
    phase: run.phase,
    pid: rootPid,
    pids: processes.map((p) => p.pid),
    commandLine: root?.commandLine.join(' '),
    user: root?.user,
    startTime: root?.startTime === undefined ? undefined : new Date(root.startTime).toISOString(),
    cwd: root?.cwd,
    logs: outputs.flatMap((output) => output.path ?? []).filter((path, i, all) => all.indexOf(path) === i),
    processes: processes.map((p) =>
      present({ pid: p.pid, parentPid: p.parentPid, rank: p.rank, localRank: p.localRank, gpus: p.gpuMinors }),
    ),
  });
}

function hostOf({ host, facts }: State) {
  const { costCpuPercent: _c, costMemoryBytes: _m, costProcesses: _p, costPids: _o, ...values } = rowOf(host);
  return present({ hostname: facts?.hostname, kernel: facts?.kernel, ...rounded(values) });
}

function disksOf({ disks }: State) {
  return disks?.path.map((path, row) =>
    present({
      path,
      use: disks.use[row],
      mount: disks.mount[row],
      totalBytes: disks.totalBytes[row],
      availableBytes: disks.availableBytes[row],
      totalInodes: disks.totalInodes[row],
      freeInodes: disks.freeInodes[row],
    }),
  );
}

function kernelOf({ kernel }: State) {
  return (
    kernel &&
    present({
      unread: kernel.unread,
      lines: kernel.lines.map(({ time, ...line }) => ({ time: new Date(time).toISOString(), ...line })),
    })
  );
}

function costOf(host: HostSample | undefined) {
  return present({
    cpuPercent: round(host?.costCpuPercent),
    memoryBytes: host?.costMemoryBytes,
    processes: host?.costProcesses,
  });
}

/** The fields of a Sample without its head. */
function rowOf(sample: HostSample | undefined): Record<string, unknown> {
  if (!sample) return {};
  const { kind: _k, host: _h, source: _s, time: _t, receivedAt: _r, ...values } = sample;
  return values;
}

function gpusOf(gpus: GpusSample | undefined) {
  if (!gpus) return [];
  const { kind: _k, host: _h, source: _s, time: _t, receivedAt: _r, ...columns } = gpus;
  return gpus.uuid.map((_, row) =>
    present(Object.fromEntries(Object.entries(columns).map(([name, column]) => [singular(name), column?.[row]]))),
  );
}

const singular = (column: string) => (column === 'faults' ? 'fault' : column);

function threadsOf(state: State) {
  const { threads, threadNames: names, run } = state;
  return joinThreads({ threads, names, run: run?.run, roleOf: roleFinder(state) }).map((row) =>
    present({
      ...row,
      name: row.name ?? row.comm,
      cpuPercent: round(row.cpuPercent),
      userPercent: round(row.userPercent),
      systemPercent: round(row.systemPercent),
      runQueuePercent: round(row.runQueuePercent),
      wait: waitOf(state.waits, row),
    }),
  );
}

/** What was divided has more digits than it was measured with. */
function rounded(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'number' ? round(value) : value]),
  );
}

const round = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 100) / 100);

function sourcesOf({ sources }: State, now: number) {
  return Object.fromEntries(
    [...sources].map(([source, { status, reason, lastAt, rejectedLines }]) => [
      source,
      present({
        status,
        reason: reason === undefined ? undefined : endedReason(reason),
        ageSeconds: lastAt === undefined ? undefined : seconds(now - lastAt),
        rejectedLines,
      }),
    ]),
  );
}
