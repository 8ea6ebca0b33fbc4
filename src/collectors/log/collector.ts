import type { RunOutput } from '../../model/run.ts';
import { safeText } from '../../model/text.ts';
import type { Collector, Context, Explanation, Off, Plan } from '../collector.ts';
import type { Exit } from '../transport/transport.ts';
import { createLogParser, type LogParser } from './parser.ts';
import { followScript } from './script.ts';

/** One channel a file, of the eight that a connection has. */
const mostFiles = 2;
/** How often the host looks whether the path still leads to the file. */
const tickMs = 2000;

/** Follows the run's log: the files given by --log, else the files behind its standard output and error. */
export const logCollector: Collector = {
  id: 'log',
  plans(context) {
    const paths = logPaths(context);
    if (paths.length === 0) return [{ source: 'log', off: whyNone(context) }];
    const sources = paths.slice(0, mostFiles).map((path, i) => plan(path, i === 0 ? 'log' : `log:${i + 1}`, context));
    const left = paths.slice(mostFiles);
    const rest: readonly Off[] =
      left.length === 0
        ? []
        : [
            {
              source: `log:${mostFiles + 1}`,
              off: `only ${mostFiles} logs are followed at once: ${left.join(', ')} is left out`,
            },
          ];
    return [...sources, ...rest];
  },
};

/** The files that are followed, without repetition. */
function logPaths({ options, run }: Pick<Context, 'options' | 'run'>): readonly string[] {
  const found = (run?.outputs ?? []).flatMap((o) => (o.kind === 'file' && o.path !== undefined ? [o.path] : []));
  return [...new Set(options.logs.length > 0 ? options.logs : found)];
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
    parser: () => createLogParser({ host, source, path: where, clock: facts }),
    resume(parser) {
      (parser as LogParser).restart(facts, where);
      return followScript(path);
    },
    tick: { everyMs: tickMs, unanswered: true, line: (_, parser) => (parser as LogParser).tick(where) },
    explain: (_exit: Exit, stderr: string) => explain(where.shown, host, stderr),
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
