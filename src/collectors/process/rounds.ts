import type { FoundRuns, ProcessGroup } from '../../model/find-run.ts';
import type { HostProcess } from '../../model/process-kinds.ts';
import type { Run } from '../../model/run.ts';
import type { ProcessesSample, RunSample, Sample } from '../../model/samples.ts';
import type { Context } from '../collector.ts';
import { withoutSecrets } from '../transport/audit.ts';
import type { WatchedRow } from './answer.ts';
import { chooseRun, identify, lineOf, ownProcesses, type Choice, type EndedRun, type Wish } from './choose.ts';
import { createConversation, type Conversation } from './conversation.ts';
import { createInnerPids } from './inner-pid.ts';
import { learn, scanHost, type Talk } from './learn.ts';
import { createProcessTable } from './table.ts';
import { createWatcher, identityOf, shorten, watch, type Watched } from './watcher.ts';

type Phase = Pick<RunSample, 'phase' | 'run' | 'candidates' | 'reason'>;

/** The talk that finds the run, watches it, says when it ended, and finds the next. One for the life of a stream. */
export function createProcessRounds(first: Context): Conversation {
  const { facts, host, wrap } = first;
  const place = wrap === undefined ? host : `${host} behind \`${shorten(withoutSecrets(wrap))}\``;
  const wrapAdvice = wrap === undefined ? '--wrap for one in a container' : 'check --wrap';
  const table = createProcessTable(facts);
  const watcher = createWatcher(table);
  let resumed = first.run;
  let watched: Watched | undefined;
  let makeshift = false;
  let run: Run | undefined;
  let candidates: readonly Run[] = [];
  let ended: EndedRun | undefined;
  let said = '';
  let options = first.options;
  /** The user's PID has been watched to its end: it names nothing any more. */
  let pidIsPast = false;
  let byPid = false;
  /** On the host, of the process that has the user's PID in a container. */
  let outerPid: number | undefined;
  const inner = createInnerPids();
  let wantedLine = '';

  function* round(context: Context): Talk<(at: number) => readonly Sample[]> {
    takeOptions(context);
    if (resumed) return yield* resume(context, resumed);
    return watched ? yield* keepWatching(context, watched) : yield* find(context);
  }

  function takeOptions(context: Context) {
    const before = options;
    options = context.options;
    if (before.looks !== options.looks) watcher.rescanNow();
    if (before.pid === options.pid && String(before.match) === String(options.match)) return;
    pidIsPast = byPid = false;
    ended = outerPid = undefined;
    if (options.pid === undefined || !watched?.members.has(options.pid)) watched = undefined;
  }

  /** The stream broke, or the link: the same run is taken up by its root. */
  function* resume(context: Context, before: Run): Talk<(at: number) => readonly Sample[]> {
    const found = yield* scanHost(table, before.rootPid);
    resumed = undefined;
    const { pid, startTicks } = identityOf(before);
    const sameBoot = before.bootId === facts.bootId;
    const group = sameBoot ? found.around(pid) : undefined;
    if (!group?.members.some((member) => member.pid === pid && member.startTicks === startTicks)) {
      run = before;
      // What ran beside it is not the next run; after a boot everything is new.
      const known = sameBoot ? table.processes().filter((process) => process.startTicks <= startTicks) : [];
      return samplesOf(end({ context, found, known }));
    }
    return samplesOf(begin({ ...choose(context, found), group }, { ...watch(group), id: before.id, rootPid: pid }));
  }

  function* find(context: Context): Talk<(at: number) => readonly Sample[]> {
    let found = yield* scanHost(table, wishedPid());
    const pid = wishedPid();
    if (pid !== undefined && !options.picked && !found.around(pid)) {
      // The host's own number was looked for first; one in a container counts when it is the only one.
      const [only, ...more] = yield* inner.look(options.pid ?? pid);
      outerPid = more.length === 0 ? only : undefined;
      if (outerPid !== undefined) found = yield* scanHost(table, outerPid);
    }
    // What was picked from the screen may have ended since: then the others are there to pick from.
    if (options.picked && options.pid !== undefined && !found.around(options.pid)) pidIsPast = true;
    const choice = choose(context, found);
    // A run that a pattern found need not be Python: it is learnt only now.
    yield* learn(table, table.undescribed(choice.group?.members.map((member) => member.pid) ?? []));
    return samplesOf(decide(choice));
  }

  function* keepWatching(context: Context, before: Watched): Talk<(at: number) => readonly Sample[]> {
    const known = table.processes();
    const look = yield* watcher.look(before);
    watched = look.watched;
    const due = watcher.isRescanDue();
    if (watched && !due) return samplesOf(look.changed ? running(watched) : undefined, look.rows);
    const found = yield* scanHost(table, before.rootPid);
    if (!watched) return samplesOf(end({ context, found, known }), look.rows);
    const choice = choose(context, found);
    const group = around(found, watched);
    if (group && group.gpuCount > 0) makeshift = false;
    else if (makeshift && found.withGpu.length > 0) return samplesOf(decide(choice), look.rows);
    if (group) watched = merge(watched, watch(group, watched));
    candidates = choice.candidates.map((each) => table.toRun(each));
    return samplesOf(running(watched), look.rows);
  }

  const wishedPid = () => (pidIsPast ? undefined : (outerPid ?? options.pid));

  function choose(context: Context, found: FoundRuns): Choice {
    const wish: Wish = { pid: wishedPid(), match: options.match, ended };
    return chooseRun(found, wish, ownProcesses(table.processes(), context.shellPids));
  }

  function decide(choice: Choice): Phase {
    if (choice.group) return begin(choice, watch(choice.group));
    watched = undefined;
    candidates = choice.candidates.map((group) => table.toRun(group));
    if (choice.many) return { phase: 'choosing', candidates };
    if (ended && run) return { phase: 'ended', run, candidates, reason: endedSentence(run) };
    return { phase: 'finding', candidates, reason: findingSentence() };
  }

  function begin(choice: Choice, next: Watched): Phase {
    watched = next;
    makeshift = choice.makeshift ?? false;
    ended = undefined;
    candidates = choice.candidates.map((group) => table.toRun(group));
    return running(next);
  }

  function running(now: Watched): Phase {
    const members = table.processes().filter((process) => now.members.has(process.pid));
    const order = new Map([...now.members.keys()].map((pid, at) => [pid, at]));
    members.sort((a, b) => (order.get(a.pid) ?? 0) - (order.get(b.pid) ?? 0));
    const root = members.find((member) => member.pid === now.rootPid) ?? members[0];
    // Between two looks every process may go: the last known run stays until the next look says that it ended.
    if (root) run = table.toRun({ root, members, gpuCount: 0 }, { id: now.id, rootPid: now.rootPid });
    return { phase: 'running', ...(run && { run }), candidates };
  }

  function end(what: {
    readonly context: Context;
    readonly found: FoundRuns;
    readonly known: readonly HostProcess[];
  }): Phase {
    const chosen = run?.processes.find((process) => process.pid === wishedPid());
    if (!byPid) wantedLine = chosen?.commandLine.join(' ') ?? (run ? rootLine(run) : '');
    byPid ||= wishedPid() !== undefined;
    ended = {
      commandLine: wantedLine,
      byPid,
      hadGpu: run?.processes.some((process) => process.gpuMinors.length > 0) ?? false,
      known: new Set(what.known.map(identify)),
    };
    pidIsPast = true;
    watched = undefined;
    // Said before the next is taken up, so that its end stands in the history; the next round looks for the next.
    candidates = choose(what.context, what.found).candidates.map((group) => table.toRun(group));
    return { phase: 'ended', ...(run && { run }), candidates, ...(run && { reason: endedSentence(run) }) };
  }

  function findingSentence(): string {
    const pid = wishedPid();
    if (pid !== undefined && inner.found.length > 1)
      return `No process ${pid} on ${place}, but in its containers ${inner.found.join(' and ')} have that number: give one of these with --pid`;
    if (pid !== undefined) return `No process ${pid} on ${place}; waiting for it (or give --match, or ${wrapAdvice})`;
    if (options.match)
      return `No command line on ${place} matches ${options.match}; waiting for one (or give --pid, or ${wrapAdvice})`;
    return `No Python process on ${place} holds a GPU and none is busy; waiting for one (or give --pid or --match, or ${wrapAdvice})`;
  }

  function endedSentence(last: Run): string {
    const next = ended?.byPid ? 'one with the same command line' : `the next${options.match ? ' that matches' : ''}`;
    return `The run (PID ${last.rootPid}, ${shorten(rootLine(last).replace(/^\S*\//, ''))}) ended; waiting for ${next}`;
  }

  /** Says the phase when it is new, and always the processes, so that silence means a fault. */
  function samplesOf(phase: Phase | undefined, rows: readonly WatchedRow[] = []): (at: number) => readonly Sample[] {
    return (at) => {
      const base = { host, source: 'processes', time: at, receivedAt: at } as const;
      const text = phase && signature(phase);
      const isNews = phase && text !== said;
      if (isNews) said = text as string;
      const processes: ProcessesSample = { kind: 'processes', ...base, ...columns(rows, facts.pageSize) };
      return isNews ? [{ kind: 'run', ...base, ...phase }, processes] : [processes];
    };
  }

  return createConversation(round);
}

function around(found: FoundRuns, { members }: Watched): ProcessGroup | undefined {
  for (const [pid, startTicks] of members) {
    const group = found.around(pid);
    if (group?.members.some((member) => member.pid === pid && member.startTicks === startTicks)) return group;
  }
  return undefined;
}

/** A scan adds what it finds; what it does not show goes by the next look. */
function merge(old: Watched, { members, mains }: Watched): Watched {
  return {
    ...old,
    members: new Map([...members, ...old.members]),
    mains: new Set([...mains, ...old.mains]),
  };
}

function rootLine(run: Run): string {
  const root = run.processes.find((process) => process.pid === run.rootPid) ?? run.processes[0];
  return root ? lineOf({ commandLine: root.commandLine, comm: '' }) : '';
}

/** Everything but the measured shares and the order that they make. */
function signature({ candidates, ...phase }: Phase): string {
  const withoutShares = (key: string, value: unknown) => (key === 'cpuPercent' ? undefined : value);
  return JSON.stringify([phase, [...candidates].sort((a, b) => a.rootPid - b.rootPid)], withoutShares);
}

function columns(rows: readonly WatchedRow[], pageSize: number) {
  return {
    pid: rows.map((row) => row.pid),
    state: rows.map((row) => row.state),
    rssBytes: rows.map((row) => row.rssPages * pageSize),
    threadCount: rows.map((row) => row.threadCount),
    readBytes: rows.map((row) => row.readBytes ?? null),
    writtenBytes: rows.map((row) => row.writtenBytes ?? null),
  };
}
