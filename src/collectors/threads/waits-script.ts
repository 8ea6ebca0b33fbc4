import { fileCallNumbers } from '../../model/waits/calls.ts';
import { statFunction } from './awk.ts';

/**
 * The clocked reader of what threads wait in. Each line from the client is a tick and carries the PIDs, as for the reader of their times
 * (proc-script.ts). A thread whose schedstat has not changed has not run: it still waits where it did, so it is looked at once and never
 * again until it runs; after a minute only every fourth tick asks whether it did, and one of each 20 s where ticks are further apart. Of
 * those that ran, the ones that ran most are looked at, and those in D. `root` stands before /proc, for tests on trees of files.
 *
 *     H x86_64 syscall wchan stack schedstat          once: the machine, and which files a thread has here
 *     T 12345.67                                      a tick: /proc/uptime, seconds
 *     ~ 12304 12304 12306                             a process and its threads that ran since the last tick
 *     12304 12306 S 3 812 17 202 0x7f 0x189 0x0 futex_do_wait 0-47      a look
 *     F 12304 12306 5 /dev/nvidiactl                  what its call's first argument is
 *     S 12304 12306 rpc_wait_bit_killable nfs_read    in the kernel, innermost first (of a thread in D)
 *     - 12304 12444                                   this thread is gone
 *     N                                               once: schedstat counts nothing
 *     .
 *
 * A look is PID TID STATE CORE VOLUNTARY INVOLUNTARY CALL ARGUMENT1 ARGUMENT2 ARGUMENT3 WCHAN CPUS. CALL is a number, `run` (it ran just
 * then), `none` (it waits outside of a call) or `-`; what is not read or cannot be is `-`. Switches and CPUs are read of threads that run.
 *
 * /proc/PID/task/TID/syscall asks for the right to trace and does not trace: the thread is not held (Linux 6.18, fs/proc/base.c). It waits
 * for a thread that is just being put to sleep, never for one that waits. Where schedstat is not there or counts nothing, the switches of status are the proof, at
 * every fourth tick: they cost four times as much.
 */
export function waitsScript(awk: string, root = ''): string {
  return String.raw`
h=; for f in syscall wchan stack schedstat; do [ -e ${root}/proc/self/$f ] && h="$h $f"; done
m=$(uname -m); echo "H $m$h"
case $m in x86_64) f='${fileCallNumbers('x86_64').join(' ')}';; aarch64|arm64) f='${fileCallNumbers('aarch64').join(' ')}';; *) f=;; esac
ticks | while read -r pids; do
read -r up _ <${root}/proc/uptime; echo "T $up"
for p in $pids; do cd "${root}/proc/$p/task" 2>/dev/null && echo "$p" *; done; echo .
done | ${awk} -v files=" $f " '${statFunction}
function first(f,  l) { if ((getline l < f) < 1) l = ""; close(f); return l }
function folder(id,  w) { split(id, w, " "); return "${root}/proc/" w[1] "/task/" w[2] }
function status(dir,  f, l, w) {
  f = dir "/status"; switches = cpus = ""
  while ((getline l < f) > 0) if (l ~ /^(Cpus_allowed_list|voluntary_ctxt|nonvoluntary_ctxt)/) {
    split(l, w, /[ \t]+/); if (l ~ /^C/) cpus = w[2]; else switches = switches (switches == "" ? "" : " ") w[2]
  }
  close(f); if (switches !~ / /) switches = "- -"; if (cpus == "") cpus = "-"
}
function look(id, full,  dir, row, l, w, n, where) {
  dir = folder(id); if (!readStat(dir "/stat")) return
  row = field[1] " " field[37]
  if (full) status(dir); else { switches = "- -"; cpus = "-" }
  n = split(first(dir "/syscall"), w, " "); call[id] = ""
  if (n > 3) { l = w[1] " " w[2] " " w[3] " " w[4]; if (index(files, " " w[1] " ")) call[id] = w[2] }
  else l = (n == 0 ? "-" : w[1] == "running" ? "run" : "none") " - - -"
  where = first(dir "/wchan"); if (where !~ /^[A-Za-z0-9_.:]+$/) where = "-"
  out = out id " " row " " switches " " l " " where " " cpus "\n"
  looked[id] = 1; inD[id] = field[1] == "D"; if (inD[id]) stack(id, dir)
}
function stack(id, dir,  f, l, n, row) {
  f = dir "/stack"; row = ""; n = 0
  while (n < 8 && (getline l < f) > 0) { sub(/^\[<[^>]*>\] */, "", l); sub(/\+0x.*/, "", l); if (l ~ /^[A-Za-z0-9_.]+$/) { row = row " " l; n++ } }
  close(f); if (n) out = out "S " id row "\n"
}
# One process for all: ls names the link beside what it leads to.
function links(  cmd, l, n, w, from, to) {
  if (wanted == "") return
  cmd = "ls -l" wanted " 2>/dev/null"
  while ((cmd | getline l) > 0) {
    from = index(l, "${root}/proc/"); to = index(l, " -> "); if (!from || to < from) continue
    n = split(substr(l, from + length("${root}/proc/"), to - from - length("${root}/proc/")), w, "/")
    if (n == 5) out = out "F " w[1] " " w[3] " " w[5] " " substr(l, to + 4) "\n"
  }
  close(cmd); wanted = ""
}
function hex(text,  i, n) {
  n = 0; text = tolower(text); sub(/^0x/, "", text); if (length(text) > 5) return -1
  for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
  return n
}
$1 == "T" { tick++; up = $2; seen = n = 0; out = $0 "\n"; skip = noSched && tick % 4 != 1; next }
$1 == "." {
  if (skip) next
  if (seen < known) for (id in at) if (at[id] != tick) {
    out = out "- " id "\n"; known--; delete at[id]; delete last[id]; delete looked[id]; delete linked[id]; delete call[id]; delete inD[id]; delete quiet[id]; delete asked[id]
  }
  for (k = 1; k <= 12; k++) {
    most = 0; for (i = 1; i <= n; i++) if (amount[i] > most) { most = amount[i]; b = i }
    if (!most) break
    amount[b] = 0; look(active[b], 1); active[b] = ""
  }
  for (k = 0; k < n && k < 8; k++) {
    i = (k + tick * 8) % n + 1; id = active[i]; if (id == "") continue
    if (inD[id] || readStat(folder(id) "/stat") && field[1] == "D") look(id, 0)
  }
  links(); print out "."; fflush(); next
}
skip { next }
{ ran = ""; tasks = "${root}/proc/" $1 "/task/"
  for (k = 2; k <= NF; k++) {
    id = $1 " " $k
    if (quiet[id] > 12 && (tick + k) % 4 && up - asked[id] < 20) { at[id] = tick; seen++; continue }
    if ((getline now < (file = tasks $k "/schedstat")) < 1) now = ""
    close(file)
    if (now == "" || now ~ /^0 /) {
      status(tasks $k); if (switches ~ /-/) continue
      now = switches; if (!noSched) out = out "N\n"; noSched = 1
    }
    at[id] = tick; asked[id] = up; seen++
    if (!(id in last)) { known++; last[id] = now; linked[id] = 0; look(id, 0) }
    else if (now == last[id]) {
      quiet[id]++; if (!looked[id]) look(id, 0)
      if (call[id] != "" && !linked[id] && (fd = hex(call[id])) >= 0) { linked[id] = 1; wanted = wanted " " tasks $k "/fd/" fd }
    } else {
      split(now, part, " "); split(last[id], was, " "); active[++n] = id; amount[n] = part[1] - was[1] + (noSched ? part[2] - was[2] : 0)
      last[id] = now; looked[id] = linked[id] = quiet[id] = 0; ran = ran " " $k
    }
  }
  if (ran != "") out = out "~ " $1 ran "\n"
}'`;
}
