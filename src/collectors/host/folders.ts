import type { DisksSample } from '../../model/samples.ts';
import type { Context } from '../collector.ts';

/** A folder whose room is watched, and what it is to the run. */
export interface Folder {
  readonly path: string;
  readonly use: DisksSample['use'][number];
}

/** More rows tell no more: most are on the same file systems. Those of checkpoints are kept before those of logs. */
const mostFolders = 12;

/**
 * /dev/shm, /tmp, where the run works, where its logs and its checkpoints are. Of checkpoints the user says it, or else the command line of the run
 * (`--output_dir`), or the log (`Saving model checkpoint to /x/y`). Each path once, by its first use.
 */
export function foldersOf({ run, options }: Pick<Context, 'run' | 'options'>): readonly Folder[] {
  const own = run && (run.processes.find(({ pid }) => pid === run.rootPid) ?? run.processes[0]);
  const cwd = own?.cwd;
  const folder = (use: Folder['use'], path: string | undefined): readonly Folder[] => {
    const whole = path === undefined ? undefined : absolute(path, cwd);
    return whole === undefined ? [] : [{ path: whole, use }];
  };
  const logs = options.logs.length > 0 ? options.logs : (run?.outputs ?? []).flatMap(({ path }) => path ?? []);
  const told = options.checkpoints ?? [];
  const found = told.length > 0 ? [] : [...(own ? namedFolders(own.commandLine) : []), ...(options.savedTo ?? [])];
  const all = [
    ...folder('shm', '/dev/shm'),
    ...folder('tmp', '/tmp'),
    ...folder('run', cwd),
    ...[...told, ...found].flatMap((path) => folder('checkpoints', path)),
    ...logs.flatMap((path) => folder('log', folderOf(path))),
  ];
  return all.filter(({ path }, i) => all.findIndex((each) => each.path === path) === i).slice(0, mostFolders);
}

/** The folder that a path stands in: a checkpoint has another name each time. */
export function folderOf(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  const end = trimmed.lastIndexOf('/');
  return end < 0 ? '.' : end === 0 ? trimmed : trimmed.slice(0, end);
}

/** Undefined for what is no path of this host, or cannot be sent in a line. */
function absolute(path: string, cwd: string | undefined): string | undefined {
  if (path === '' || path.length > 1000 || /[\0\n\r]|^[a-z][\w+.-]*:\/\/|^~|[*?]/i.test(path)) return undefined;
  if (path.startsWith('/')) return path.replace(/(?<=.)\/+$/, '');
  if (!cwd?.startsWith('/')) return undefined;
  const rest = path.replace(/^(?:\.\/)*\.?$|^(?:\.\/)+|\/+$/g, '');
  return rest === '' ? cwd : `${cwd === '/' ? '' : cwd}/${rest}`;
}

/** As trainers name it: transformers and diffusers, Megatron, Lightning, fairseq, lm-foundry. */
const option =
  /^(?:-{1,2}|\+{1,2})?(?:[\w.]*\.)?(?:output[_-]?dir|save[_-]?(?:dir|folder|path)|(?:checkpoint|ckpt)s?[_-]?(?:dir|folder|path)|default_root_dir|save)$/i;

function namedFolders(commandLine: readonly string[]): readonly string[] {
  return commandLine
    .slice(0, 500)
    .flatMap((argument, i) => {
      const [, name = '', value] = /^([^=]*)=(.*)$/s.exec(argument) ?? [];
      if (value !== undefined) return option.test(name) ? [value] : [];
      const next = commandLine[i + 1];
      return argument.startsWith('--') && option.test(argument) && next !== undefined && !next.startsWith('-')
        ? [next]
        : [];
    })
    .slice(0, 4);
}
