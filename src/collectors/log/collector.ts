import type { RunOutput } from '../../model/run.ts';
import { safeText } from '../../model/text.ts';
import type { Collector, Context, Explanation, Off, Plan } from '../collector.ts';
import type { Exit } from '../transport/transport.ts';
import { createLogParser, type LogParser } from './parser.ts';
import { isPattern } from './patterns.ts';
import { followScript } from './script.ts';
import { servantsScript } from './servants.ts';
import { createSeveralParser, type SeveralParser, type WantedLog } from './several.ts';

/** Logs of a run that are followed at once: its first over a channel of its own, all others together over a second one. */
const mostFiles = 16;
/** How often the host looks whether the path still leads to the file. */
const tickMs = 2000;
/** How often it looks whether there is more in the others. */
const severalTickMs = 1000;

/** Follows the run's logs: the files given by --log, else those that its processes write. */
export const logCollector: Collector = {
  id: 'log',
  plans(context) {
    const logs = logsOf(context);
    const [first] = logs;
    if (!first) return [{ source: 'log', off: whyNone(context) }];
    const all = logs.slice(0, mostFiles).map((log, i) => ({ ...log, source: sourceOf(i) }));
    const hasPatterns = all.some((log) => log.isPattern);
    const several = hasPatterns ? all : all.slice(1);
    const rest: readonly Off[] =
      logs.length <= mostFiles
        ? []
        : [{ source: sourceOf(mostFiles), off: whyLeft(logs.slice(mostFiles).map(({ path }) => path)) }];
    return [
      ...(hasPatterns ? [] : [plan(first.path, sourceOf(0), context)]),
      ...(several.length > 0 ? [planSeveral(several, hasPatterns, context)] : []),
      ...rest,
    ];
  },
};

const sourceOf = (index: number) => (index === 0 ? 'log' : `log:${index + 1}`);

/** A screen has no room for hundreds of paths. */
function whyLeft(paths: readonly string[]): string {
  const names = paths.slice(0, 3).map((path) => safeText(path));
  const more = paths.length > names.length ? ` and ${paths.length - names.length} more` : '';
  const are = paths.length > 1 ? 'are' : 'is';
  return `only ${mostFiles} logs are followed at once: ${names.join(', ')}${more} ${are} left out; name the ones to follow with --log PATH`;
}

/** What is followed, each file once. */
function logsOf({ options, run }: Pick<Context, 'options' | 'run'>): readonly Omit<WantedLog, 'source'>[] {
  if (options.logs.length > 0) return [...new Set(options.logs)].map((path) => ({ path, isPattern: isPattern(path) }));
  const files = new Map<string, Omit<WantedLog, 'source'>>();
  for (const { kind, path, fd, pid, rank } of run?.outputs ?? [])
    if (kind === 'file' && path !== undefined && !files.has(path))
      files.set(path, { id: `${pid ?? ''}:${fd}`, path, ...(rank !== undefined && { rank }) });
  return [...files.values()];
}

function whyNone({ run }: Context): string {
  const help = 'give the log with --log PATH';
  if (!run) return `no run is watched; ${help}`;
  if (run.outputs.length === 0) return `the run's outputs could not be read; ${help}`;
  const kinds = new Map<string, RunOutput['fd'][]>();
  for (const { fd, kind } of run.outputs) kinds.set(kind, [...(kinds.get(kind) ?? []), fd]);
  const parts = [...kinds].map(([kind, fds]) => {
    const names = fds.map((fd) => (fd === 1 ? 'stdout' : 'stderr'));
    return `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} ${words[kind as RunOutput['kind']]}`;
  });
  return `${parts.join(', ')}; ${help}`;
}

const words: Readonly<Record<RunOutput['kind'], string>> = {
  file: 'a file without a name',
  pipe: 'a pipe',
  terminal: 'a terminal',
  null: '/dev/null',
  deleted: 'a deleted file',
  socket: 'a socket',
  unknown: 'of an unknown kind',
};

function plan(path: string, source: string, { host, facts, run, options }: Context): Plan {
  const where = { onHost: path, shown: safeText(path) };
  const given = options.logs.length > 0;
  return {
    // The output of a run stays the same file when it is renamed.
    key: given || !run ? `${source} ${path}` : `${source} of ${run.id}`,
    alsoKnownAs: `${source} ${path}`,
    source,
    body: followScript(path),
    parser: () => createLogParser({ host, source, path: where, clock: facts, reading: options.reading }),
    resume(parser) {
      (parser as LogParser).restart(facts, where);
      return followScript(path);
    },
    tick: { everyMs: tickMs, unanswered: true, line: (_, parser) => (parser as LogParser).tick(where) },
    explain: (_exit: Exit, stderr: string) => explain(where.shown, host, stderr),
    splitCarriageReturns: true,
  };
}

function planSeveral(logs: readonly WantedLog[], hasPatterns: boolean, context: Context): Plan {
  const { host, facts, run, options } = context;
  const name = options.logs.length > 0 || !run ? 'logs given' : `logs of ${run.id}`;
  const body = servantsScript(hasPatterns ? mostFiles : logs.length);
  const freeSource = (taken: ReadonlySet<string>) =>
    Array.from({ length: mostFiles }, (_, i) => sourceOf(i)).find((source) => !taken.has(source));
  const sentence = (path: string, why: string) =>
    explain(path, host, why)?.reason ?? `${path} on ${host} cannot be read; looking again`;
  const parser = () =>
    createSeveralParser({ host, clock: facts, logs, freeSource, explain: sentence, reading: options.reading });
  return {
    key: [name, ...logs.map(({ id, path }) => id ?? path)].join('\n'),
    alsoKnownAs: name,
    source: logs[0]?.source ?? '',
    sources: logs.map(({ source }) => source),
    body,
    parser,
    resume(parser) {
      (parser as SeveralParser).restart(facts, logs);
      return body;
    },
    tick: { everyMs: severalTickMs, unanswered: true, line: (_, parser) => (parser as SeveralParser).tick(logs) },
    splitCarriageReturns: true,
  };
}

function explain(path: string, host: string, stderr: string): Explanation | undefined {
  const why = /^traintop: (\w+)$/m.exec(stderr)?.[1];
  const said: Readonly<Record<string, string>> = {
    missing: `there is no ${path} on ${host} (yet); looking again`,
    denied: `${path} on ${host} may not be read by this user; use an account that may, or give another log with --log PATH; looking again`,
    folder: `${path} on ${host} is a folder; give a file in it with --log PATH`,
    special: `${path} on ${host} is not a plain file; give another with --log PATH`,
  };
  if (why !== undefined && said[why]) return { reason: said[why], final: false };
  if (/tail: not found|tail: command not found/.test(stderr))
    return { reason: `there is no tail on ${host}`, final: true };
  return undefined;
}
