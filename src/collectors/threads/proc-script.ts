import { statFunction } from './awk.ts';

/**
 * The clocked reader. Each line from the client is a tick and carries the PIDs to read (`12304 12410`), so nothing sleeps on
 * the host and neither new PIDs nor another interval restart it. The shell lists the threads without a fork (`cd` and a
 * glob); one awk reads schedstat of each and stat only of those that ran since the last tick, and says which are gone.
 *
 * One frame a tick, in one write; a thread that did not run has no line:
 *
 *     T 12345.67                                                            /proc/uptime, seconds
 *     12304 12306 173523 R 1 2058 3 20624532919 4688994812 (pt_data_worker_)
 *     12307 S 0 2058 3 173523 812                                           a thread that was named before
 *     - 12304 12444                                                         this thread is gone
 *     .
 *
 * A row is PID TID STARTTICKS STATE CORE UTIME STIME RUN_NS DELAY_NS (COMM): ticks and the core from stat, the two times from
 * schedstat. While start and name stay, a row is TID STATE CORE UTIME STIME RUN_US DELAY_US: the times in microseconds since the
 * row before, half the bytes. Where schedstat cannot be read, or counts nothing (a kernel without SCHED_INFO prints `0 0 0`), both
 * are `-` and stat is read at every tick and compared. Every 64th tick a thread is read whatever it did: another thread may have
 * named it.
 */
export function procScript(awk: string): string {
  return String.raw`
ticks | while read -r pids; do
read -r up _ </proc/uptime; echo "T $up"
for p in $pids; do cd "/proc/$p/task" 2>/dev/null && echo "$p" *; done; echo .
done | ${awk} '${statFunction}
$1 == "T" { tick++; seen = 0; out = $0 "\n"; next }
$1 == "." {
  if (seen < known) for (id in at) if (at[id] != tick) { out = out "- " id "\n"; delete at[id]; delete last[id]; delete is[id]; known-- }
  print out "."; fflush(); next
}
{ for (k = 2; k <= NF; k++) {
  id = $1 " " $k; dir = "/proc/" $1 "/task/" $k; file = dir "/schedstat"; old = id in at
  if ((getline now < file) < 1 || now ~ /^0 /) now = ""
  close(file)
  again = (tick + k) % 64 == 0
  if (now != "" && old && now == last[id] && !again) { at[id] = tick; seen++; continue }
  if (!readStat(dir "/stat")) continue
  row = field[1] " " field[37] " " field[12] " " field[13]
  ticking = now == ""; if (ticking) now = row
  if (!old || now != last[id] || again) {
    count = split(now, part, " ")
    if (old && is[id] == field[20] name && split(last[id], was, " ") == count && (ticking || part[1] >= was[1] && part[2] >= was[2]))
      out = out $k " " row " " (ticking ? "- -" : int((part[1] - was[1]) / 1000) " " int((part[2] - was[2]) / 1000)) "\n"
    else out = out id " " field[20] " " row " " (ticking ? "- -" : part[1] " " part[2]) " " name "\n"
  }
  if (!old) known++
  is[id] = field[20] name; last[id] = now; at[id] = tick; seen++
} }'`;
}
