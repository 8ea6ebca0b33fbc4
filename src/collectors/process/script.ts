import type { HostFacts } from '../../model/facts.ts';

/** What differs between hosts, and for tests. */
interface Init {
  readonly awk: NonNullable<HostFacts['awk']>;
  /** What stands before a GPU's number in the name of its device. */
  readonly devicePrefix: string;
}

/** Files of one process that are told as its logs: workers have all that their parent has open. */
const mostLogs = 48;

/** Variables that may leave the host: an environment holds secrets. */
const variables =
  'RANK|LOCAL_RANK|WORLD_SIZE|MASTER_ADDR|MASTER_PORT|SLURM_PROCID|SLURM_LOCALID|SLURM_NTASKS|' +
  'OMPI_COMM_WORLD_RANK|OMPI_COMM_WORLD_LOCAL_RANK|OMPI_COMM_WORLD_SIZE';

/**
 * The host's side of `processes`. The client's lines are requests, each answer ends with a line `.`:
 *
 *     scan [later]       s PID PPID STATE STARTTICKS UTIME STIME THREADS COMM     every process; later = after one second
 *     names PID...|all   an `ls -ln` line of PID/exe; PID/cmdline:ARGUMENT for each argument (a newline in it is \001)
 *     describe PID...    an `ls -ln` line of PID/cwd; PID/environ:NAME=VALUE
 *     fds PID...         f PID N TARGET for its output, and for what it writes that is named as a log or, when it is opened for appending
 *                        (O_APPEND is 02000), as text; g PID N for each GPU device N that it has open
 *     links PID/NAME...  k PID/NAME TARGET, with \001 for newlines: exact where ls shows `?`
 *     users UID...       u UID NAME
 *     inner PID          PID/status:NSpid: and the numbers of each process that has this one in a namespace of its own, or on the host
 *     follow PID...      no answer: what `watch` reads from now on
 *     watch              w PID PPID STATE STARTTICKS THREADS RSSPAGES READ WRITTEN COMM for what is followed (- = not given);
 *                        n PID PPID STARTTICKS COMM for each process that was not there at the last watch or scan
 *
 * Kernel threads are left out by PF_KTHREAD (bit 21 of the flags): in a container PID 2 is a process like any other.
 * One awk lives as long as the source and reads /proc by getline: `watch` starts no process. New processes are found by the
 * list of /proc alone, which costs a tenth of reading every stat. ls -q (busybox needs none) and tr see to it that no name
 * or argument can forge a line.
 */
export function processScript({ awk, devicePrefix }: Init): string {
  return `cd /proc || exit 1
q=q; ls -q / >/dev/null 2>&1 || q=
z=; [ "$(printf 'a\\0b\\0' | grep -acz '' 2>/dev/null)" = 2 ] && z=1
each() { for i in $p; do printf '%s/%s ' $i "$1"; done; }
# NUL-separated files $2... as lines FILE:ENTRY, only entries that match $1.
entries() {
m=$1; shift
if [ $z ]; then grep -aszHE "$m" "$@" | tr '\\0\\n' '\\n\\001'
else for i; do { tr '\\0\\n' '\\n\\001' <$i; echo; } | grep -E "$m" | sed "s|^|$i:|"; done
fi | cut -b 1-4096; }
{ ticks | while read -r v p; do
case $p in *[!0-9a-z/\\ ]*) p=; esac
case $v in
scan|watch) [ "$p" ] && sleep 1; printf '%s\\n' [0-9]* $v; continue;;
follow) printf '%s\\n' "follow $p"; continue;;
esac
[ "$p" ] && case $v in
names) [ "$p" = all ] && p=$(echo [0-9]*)
ls -ln$q $(each exe); entries '' $(each cmdline);;
describe) ls -ln$q $(each cwd); entries '^(${variables})=' $(each environ);;
fds) ls -ln$q $(each fd) self/exe | awk -v dev='${devicePrefix}' '
function named(t,   f, l, a, w) {
  if (t ~ /\\.(log|out|err)(\\.[0-9]+)?$/) return 1
  if (t !~ /\\.(txt|jsonl)$/) return 0
  if (t in appended) return appended[t]
  f = pid "/fdinfo/" n
  while ((getline l < f) > 0) if (split(l, a) == 2 && a[1] == "flags:") w = a[2]
  close(f)
  return w != "" && (appended[t] = substr(w, length(w) - 3, 1) % 4 > 1)
}
/^[0-9]+\\/fd:$/ { pid = $0 + 0; next }
(i = index($0, " -> ")) {
  t = substr($0, i + 4); k = split(substr($0, 1, i - 1), a, " "); n = a[k]
  if (n == 1 || n == 2 || (a[1] ~ /^l-w/ && named(t) && ++logs[pid] <= ${mostLogs})) print "f", pid, n, t
  if (index(t, dev) != 1) next
  d = substr(t, length(dev) + 1)
  if (d ~ /^[0-9]+$/ && !seen[pid, d]++) print "g", pid, d
}';;
links) for i in $p; do printf 'k %s ' $i; readlink $i | tr '\\n' '\\001'; echo; done;;
inner) grep -E "^NSpid:.*[[:space:]]$p\$" [0-9]*/status;;
users) { getent passwd $p; cat /etc/passwd; } | awk -F: -v want=" $p " '
index(want, " " $3 " ") && !seen[$3]++ { print "u", $3, $1 }';;
esac >&4 2>/dev/null </dev/null
echo . >&4
done | ${awk === 'mawk' ? 'awk -W interactive' : 'awk'} '
function stat(pid,   f, l, s) {
  f = pid "/stat"; s = ""
  while ((getline l < f) > 0) s = s == "" ? l : s " " l
  close(f)
  if (!match(s, /.*\\)/)) return 0
  comm = substr(s, 1, RLENGTH - 1); comm = substr(comm, index(comm, "(") + 1)
  return split(substr(s, RLENGTH + 2), F, " ") > 21
}
function io(pid,   f, l, a) {
  f = pid "/io"; got["read_bytes"] = got["write_bytes"] = "-"
  while ((getline l < f) > 0) if (split(l, a, ": ") == 2) got[a[1]] = a[2]
  close(f)
}
/^[0-9]+$/ { list[++n] = $1; next }
$1 == "follow" { m = NF - 1; for (i = 1; i <= m; i++) followed[i] = $(i + 1); next }
{
  round++
  for (i = 1; i <= n; i++) {
    pid = list[i]; fresh = !(pid in known); known[pid] = round
    if (($1 == "watch" && !fresh) || !stat(pid) || int(F[7] / 2097152) % 2) continue
    if ($1 == "scan") print "s", pid, F[2], F[1], F[20], F[12], F[13], F[18], comm
    else print "n", pid, F[2], F[20], comm
  }
  for (pid in known) if (known[pid] != round) delete known[pid]
  n = 0
  for (i = 1; i <= m && $1 == "watch"; i++) if (stat(pid = followed[i])) {
    io(pid)
    print "w", pid, F[2], F[1], F[20], F[18], F[22], got["read_bytes"], got["write_bytes"], comm
  }
  print "."; fflush()
}'; } 4>&1`;
}
