import { findRuns, type FoundRuns } from '../../model/find-run.ts';
import { isPython, type HostProcess } from '../../model/process-kinds.ts';
import type { Answer } from './answer.ts';
import type { ProcessTable } from './table.ts';

/** A part of the talk with the script: it yields requests and gets their answers. */
export type Talk<Result> = Generator<string, Result, { readonly answer: Answer; readonly at: number }>;

/** readlink is one process a link: no more than this many at once. */
const mostLinks = 64;

/** Scans the host and learns enough of its Python processes, and of those around `pid`, to group them into runs. */
export function* scanHost(table: ProcessTable, pid?: number): Talk<FoundRuns> {
  yield* scan(table, 'scan');
  const around = pid === undefined ? [] : (findRuns(table.processes()).around(pid)?.members ?? []);
  yield* learn(table, pidsOf([...pythons(table), ...around]));
  const isNamed = around.length > 0;
  const withoutGpu = pythons(table).length > 0 && !pythons(table).some((p) => p.gpuMinors.length > 0);
  if (!isNamed && withoutGpu && !table.isMeasured()) {
    // Without a GPU and a PID the busiest is looked for: two scans, one second apart.
    yield* scan(table, 'scan later');
    yield* learn(table, table.undescribed(pidsOf(pythons(table))));
  }
  return findRuns(table.processes());
}

function* scan(table: ProcessTable, request: string): Talk<void> {
  const { answer, at } = yield request;
  table.scan(answer, at);
  yield* learnNames(table, table.unnamed());
}

/** Learns what these processes run, where, as whom, as which rank, and what they have open. */
export function* learn(table: ProcessTable, pids: readonly number[]): Talk<void> {
  if (pids.length === 0) return;
  yield* learnNames(table, table.unnamed(new Set(pids)));
  const undescribed = table.undescribed(pids);
  if (undescribed.length > 0) table.describe(undescribed, (yield ask('describe', undescribed)).answer);
  table.open(pids, (yield ask('fds', pids)).answer);
  const links = table.inexact(pids).slice(0, mostLinks);
  if (links.length > 0) table.exact((yield ask('links', links)).answer);
  const users = table.unknownUsers(pids);
  if (users.length > 0) table.users(users, (yield ask('users', users)).answer);
}

function* learnNames(table: ProcessTable, unnamed: readonly number[]): Talk<void> {
  if (unnamed.length === 0) return;
  const most = unnamed.length > 100 && unnamed.length > table.processes().length / 2;
  table.name(unnamed, (yield most ? 'names all' : ask('names', unnamed)).answer);
}

function ask(verb: string, words: readonly (number | string)[]): string {
  return `${verb} ${words.join(' ')}`;
}

function pythons(table: ProcessTable) {
  return table.processes().filter(isPython);
}

function pidsOf(processes: readonly HostProcess[]): readonly number[] {
  return [...new Set(processes.map((process) => process.pid))];
}
