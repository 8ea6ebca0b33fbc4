import { captureDefaults } from '../../model/capture-plan.ts';
import type { CaptureRequest } from '../../model/samples.ts';
import type { Context } from '../collector.ts';
import { rightsScript } from './permission.ts';
import { findPySpy, marks } from './script.ts';

/** One run of py-spy on one process. */
export interface SpyJob extends Omit<CaptureRequest, 'pids' | 'auto'> {
  readonly pid: number;
}

/** Whether py-spy stops the process while it reads it. */
export function holdsProcess({ what, blocking = false }: Pick<SpyJob, 'what' | 'blocking'>): boolean {
  return what === 'native' || blocking;
}

/** The client's line that ends a capture early; what there is is kept. */
export const cancelLine = 'cancel';

/**
 * Runs py-spy so that neither a cut link nor a killed monitor can harm the run or leave something behind. py-spy is killed well by
 * SIGINT only: by another signal a record is lost, and a process that it holds just then may stay stopped (py-spy issues 390, 565). The
 * envelope ends its group by SIGTERM; so py-spy lives in a session of its own under a guard, which learns from the end of its input
 * that nobody is there any more: SIGINT, two seconds, SIGKILL, then SIGCONT if the process was left stopped, and no file stays. One that
 * py-spy did not hold was stopped by somebody else (a scheduler suspends jobs so), and stays so.
 *
 * py-spy 0.4.2 writes its progress on standard output and panics when that is closed (Rust's println!): it goes to a file, which the
 * guard reads on. What it prints goes packed where the host can: a dump of 400 threads is 530 KB, 15 KB packed, and the collectors share
 * the link. What it sampled is written only at its end. A shell starts `&` with SIGINT ignored: a dump never hears it, and has the two seconds; a
 * record does when it begins to sample, so it is sent again and again. A signal to the guard itself ends its `wait` too soon, with a status that
 * is not py-spy's: it is asked for again, and 127 says that it was given already. A shell just forked may lose what a trap of its parent would
 * catch (3 to 5 of 1000 SIGTERM in dash 0.5.12 and busybox 1.35, more on a busy host): its own shells are ended by SIGKILL. A folder
 * without room is none: py-spy panics there, and cannot say why. One that somebody removes meanwhile ends the capture; a failed redirection of
 * `:` would end a POSIX shell, and leave the rest alone: hence `true`.
 */
export function guardScript(context: Context, job: SpyJob): string {
  const { pid } = job;
  return `${findPySpy(context, pid)}
[ -n "$t" ] || exit 0
printf '${marks.version}%s\\n' "$("$t" --version 2>&1 | head -n 1)"
command -v setsid >/dev/null || { echo '${marks.noSetsid}'; exit 0; }
{ read -r k _ </proc/self/stat; echo $k; ticks; } | { read -r k; setsid sh -c '
trap "" PIPE HUP; t=$1 p= r=; export RUST_BACKTRACE=0; umask 077; exec 5<&0
for d in "\${TMPDIR:-/tmp}" /dev/shm /var/tmp; do d=$(mktemp -d "$d/traintop.XXXXXX" 2>/dev/null) || continue
head -c 262144 /dev/zero 2>/dev/null >"$d/log" && break; rm -rf "$d"; d=; done
[ "$d" ] || { echo "${marks.noFolder}"; exit 0; }
end() { { kill -KILL $1; wait $1; } 2>/dev/null; }
nap() { sleep 0.1 2>/dev/null || sleep 1; }
look() { s=; { while read -r k v; do [ "$k" = State: ] && s=\${v%% *}; done </proc/${pid}/status; } 2>/dev/null; }
over() { [ -e "$d/over" ] || [ ! -d "$d" ]; }
finish() { true >"$d/over"; [ "$p" ] || return; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
kill -INT $p || return; nap; done; kill -KILL $p; }
spy() { "$t" "$@" </dev/null 5<&- >"$d/log" 2>"$d/err" & p=$!; echo $p >"$d/pid"; over && finish 2>/dev/null
while wait $p; r=$?; [ $r -gt 128 ] && kill -0 $p 2>/dev/null; do :; done
[ $r -le 128 ] || { wait $p; x=$?; [ $x = 127 ] || r=$x; } 2>/dev/null; true >"$d/pid"; p=; }
z=; [ "$(echo x | gzip -c1 2>/dev/null | base64 2>/dev/null)" ] && z=1
tell() { if [ $z ]; then echo "${marks.packed}"; gzip -c1 <"$1" 2>/dev/null | base64; else echo "${marks.output}"; cat "$1" 2>/dev/null; fi
printf "\\n${marks.error}%s\\n" $r; cat "$d/err"; echo; }
dump() { for y in 1 2 3; do spy dump --json --nonblocking --pid ${pid}; [ $r = 0 ] || over && break
case $(cat "$d/err") in ${torn}) nap;; *) break;; esac; done; tell "$d/log"; }
look; was=$s
trap "finish 2>/dev/null" TERM INT
{ while read -r l; do [ "$l" = ${cancelLine} ] && break; done; true >"$d/over"; read -r p <"$d/pid" || kill $$; finish; } <&5 2>/dev/null & w=$!
true >"$d/pid"
${steps(job)}
end $w; nap; look
if [ "$s" = T ] && [ "$was" != T ]; then
${leftStopped(job)}; fi
echo "${marks.state}$s"; over && echo "${marks.over}"
[ "$r" = 0 ] || { printf "${marks.executable}%s\\n" "$(readlink /proc/${pid}/exe 2>/dev/null)"
${rightsScript(pid)}; }
rm -rf "$d"' guard "$t" 3<&-; kill -KILL $k; }`;
}

/** What becomes of a process that ran before, and is stopped now. */
function leftStopped(job: SpyJob): string {
  const told = `echo "${marks.stopped}"`;
  if (!holdsProcess(job)) return told;
  return `if over; then kill -CONT ${job.pid} && echo "${marks.resumed}"; look; else ${told}; fi`;
}

/** What py-spy says when the process, which runs on, changed what was just being read: the next try may see it whole. */
const torn = ['os error 14', 'Failed to copy', 'Failed to get stack'].map((words) => `*"${words}"*`).join('|');

const up = `up() { read -r u _ </proc/uptime; echo "${marks.uptime}$u"; }`;

/** What the guard does between its beginning and its end. Without a single quote: it stands in a quoted text. */
function steps(job: SpyJob): string {
  const { what, pid, seconds, rate, rounds, everySeconds, blocking = false } = { ...captureDefaults, ...job };
  switch (what) {
    case 'dump':
      return 'dump';
    case 'native':
      return `spy dump --json --native --pid ${pid}
if [ $r = 0 ] || over; then tell "$d/log"; else echo "${marks.plain}"; cat "$d/err"; dump; fi`;
    case 'many':
      // A cancel is heard within a second, however long the pause is.
      return `pause() { s=0; while [ $s -lt $1 ] && ! over; do sleep 1; s=$((s + 1)); done; }
${up}; n=0; while [ $n -lt ${rounds} ]; do [ $n = 0 ] || pause ${Math.ceil(everySeconds)}
over && break; n=$((n + 1)); up; dump; look
case $s in ""|Z|X) echo "${marks.progress}process exited"; break;; esac; done`;
    default:
      // Both readers of the log have one offset: what was told is not told again. The last word is: the reader may end inside of it. A shell
      // reads byte by byte: a log that no py-spy writes is not read.
      return `${up}
true >"$d/log"; command exec 6<"$d/log"; short() { [ "$(wc -c <"$d/log")" -lt 1048576 ]; }
say() { short && while read -r l <&6; do [ "$l" ] && printf "${marks.progress}%s\\n" "$l"; done; }
{ while sleep 1 >/dev/null && kill -0 $$; do say; done; } 2>/dev/null & q=$!
up; spy record --pid ${pid} --output "$d/out" --format raw --threads ${what === 'gil' ? '--gil' : '--idle'} ${
        blocking ? '' : '--nonblocking '
      }--rate ${rate} --duration ${seconds}
up; end $q; say
short && while read -r l; do case $l in *Samples:*|*"process exited"*) printf "${marks.progress}%s\\n" "$l";; esac; done <"$d/log"
[ "$r" != 0 ] || [ -e "$d/out" ] || echo "${marks.noFile}"; tell "$d/out"`;
  }
}
