import type { Context } from '../collector.ts';
import { quote } from '../quote.ts';
import { rightMark } from './permission.ts';

/** What the answer's lines begin with; py-spy's own lines follow a mark untouched. */
export const marks = {
  /** `@py-spy tool PATH`: the one that ran. None: there is no py-spy. */
  tool: '@py-spy tool ',
  /** `@py-spy skipped PATH`: another user's, which root does not run by itself. */
  skipped: '@py-spy skipped ',
  /** `@py-spy looked PATH`: none that may be run there. */
  looked: '@py-spy looked ',
  /** `@py-spy path FOLDERS`: PATH there, where it was not found either. */
  path: '@py-spy path ',
  /** `@py-spy right NAME VALUE`: what decides whether the process may be read (permission.ts). */
  right: rightMark,
  /** `@py-spy version TEXT` */
  version: '@py-spy version ',
  /** `@py-spy executable PATH`: what the process runs, when its dump failed. */
  executable: '@py-spy executable ',
  /** `@py-spy output`: py-spy's standard output follows. */
  output: '@py-spy output',
  /** `@py-spy packed`: the same by gzip and base64. */
  packed: '@py-spy packed',
  /** `@py-spy error CODE`: its standard error follows. */
  error: '@py-spy error ',
  /** `@py-spy progress TEXT`: what a record says while it goes on. */
  progress: '@py-spy progress ',
  /** `@py-spy plain`: native frames could not be had; its errors follow, then a plain dump. */
  plain: '@py-spy plain',
  /** `@py-spy over`: the capture was ended early. */
  over: '@py-spy over',
  /** `@py-spy state R`: the process's, after it. */
  state: '@py-spy state ',
  /** `@py-spy stopped`: it was left stopped, and nobody has changed that. */
  stopped: '@py-spy stopped',
  /** `@py-spy resumed`: it was left stopped and was sent SIGCONT. */
  resumed: '@py-spy resumed',
  /** `@py-spy uptime SECONDS`: the host's, before and after a record, and before each of many dumps. */
  uptime: '@py-spy uptime ',
  /** `@py-spy no file`: it ended well, and has not written what it should have. */
  noFile: '@py-spy no file',
  /** `@py-spy no folder`: no temporary folder can be made there. */
  noFolder: '@py-spy no folder',
  /** `@py-spy no setsid` */
  noSetsid: '@py-spy no setsid',
} as const;

/**
 * The part that looks for py-spy: `$t` is the one that would run, empty when there is none. As root only one that root owns, with all
 * folders above it, is run unasked: the run's own environment may belong to another user, whose program would run as root. PATH may have
 * relative folders.
 */
export function findPySpy(context: Context, pid: number): string {
  const chosen = context.options.pySpyCopy ?? context.options.pySpy;
  // The user's own choice is the only one: another that works would hide that it does not.
  const candidates =
    chosen === undefined
      ? `${pySpyCandidates(context, pid).map(quote).join(' ')} "\${v:+$v/bin/py-spy}" "$(command -v py-spy)" "$userHome/.local/bin/py-spy" /usr/local/bin/py-spy /opt/conda/bin/py-spy`
      : quote(chosen);
  return `v=$(tr '\\0' '\\n' 2>/dev/null </proc/${pid}/environ | sed -n 's/^VIRTUAL_ENV=//p' | head -n 1) t=
root=; ${chosen === undefined ? '[ "$(id -u)" != 0 ] || root=1' : ''}
safe() { p=$1; while [ "$root" ] && [ "$p" ]; do [ -O "$p" ] || return 1; p=\${p%/*}; done; }
for c in ${candidates}; do
case $c in '') continue;; /*) ;; *) c=$PWD/$c;; esac
[ -f "$c" ] && [ -x "$c" ] || { printf '${marks.looked}%s\\n' "$c"; continue; }
safe "$c" && { t=$c; break; }
printf '${marks.skipped}%s\\n' "$c"; done
if [ "$t" ]; then printf '${marks.tool}%s\\n' "$t"; else printf '${marks.path}%s\\n' "$PATH"; fi`;
}

/** Where the run's own py-spy may lie: beside the interpreter that runs the process, and where the probe found one. */
export function pySpyCandidates({ facts, run }: Pick<Context, 'facts' | 'run'>, pid: number): readonly string[] {
  const found = run?.processes.find((p) => p.pid === pid);
  const programs = [found?.commandLine[0], found?.executable].flatMap((program) => {
    if (!program?.includes('/')) return [];
    if (program.startsWith('/')) return [program];
    return found?.cwd === undefined ? [] : [`${found.cwd}/${program}`];
  });
  const beside = programs.map((program) => `${program.slice(0, program.lastIndexOf('/'))}/py-spy`);
  return [...new Set([...beside, facts.pySpy].filter((path) => path !== undefined))];
}
