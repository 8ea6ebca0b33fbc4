import { statFunction } from './awk.ts';

/** Looks at a thread that found it asleep, after which it is asked less often. */
const looksAsleep = 12;
/** Ticks between two questions to such a thread, and seconds after which the next tick asks it anyway. */
const asleepTicks = 4;
const asleepSeconds = 5;

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
 *
 * Opening a file is most of what this costs, and most threads of a run sleep. One that has slept for long is asked at every fourth
 * tick only, unless its process (whose stat has the sum of all) used more than those that were asked: more by two ticks, since it
 * is counted in ticks, and half of one for each that was just running, whose schedstat lags. So who wakes and works more than
 * that is seen at once (beside 100 that run that is half a second), and who does less at the fourth tick, or the first after five seconds.
 */
export function procScript(awk: string, clockTicks: number): string {
  return String.raw`
ticks | while read -r pids; do
read -r up _ </proc/uptime; echo "T $up"
for p in $pids; do cd "/proc/$p/task" 2>/dev/null && echo "$p" *; done; echo .
done | ${awk} '${statFunction}
function look(k,  id, dir, file, now, old, again, row, ticking, used, count) {
  id = $1 " " $k; dir = "/proc/" $1 "/task/" $k; file = dir "/schedstat"; old = id in at
  if ((getline now < file) < 1 || now ~ /^0 /) now = ""
  close(file)
  again = (tick + k) % 64 == 0
  if (now != "" && old && now == last[id] && !again) { at[id] = tick; asked[id] = up; asleep[id]++; seen++; return }
  if (!readStat(dir "/stat")) return
  row = field[1] " " field[37] " " field[12] " " field[13]
  ticking = now == ""; if (ticking) now = row
  if (!old || now != last[id] || again) {
    count = split(now, part, " ")
    if (old && is[id] == field[20] name && split(last[id], was, " ") == count && (ticking || part[1] >= was[1] && part[2] >= was[2]))
      out = out $k " " row " " (ticking ? "- -" : int((part[1] - was[1]) / 1000) " " int((part[2] - was[2]) / 1000)) "\n"
    else out = out id " " field[20] " " row " " (ticking ? "- -" : part[1] " " part[2]) " " name "\n"
  }
  if (!old) known++
  asleep[id] = old && !ticking && now == last[id] ? asleep[id] + 1 : 0
  used = now - last[id]; sum[$1] += used < 0 ? now : used; running += field[1] == "R"
  is[id] = field[20] name; last[id] = now; at[id] = tick; asked[id] = up; seen++
}
function forget(id,  pid) {
  out = out "- " id "\n"; delete at[id]; delete last[id]; delete is[id]; delete asked[id]; delete asleep[id]; known--
  split(id, part, " "); pid = part[1]; if (pid == part[2]) { delete before[pid]; delete sum[pid] }
}
$1 == "T" { tick++; up = $2; seen = 0; out = $0 "\n"; next }
$1 == "." {
  if (seen < known) for (id in at) if (at[id] != tick) forget(id)
  print out "."; fflush(); next
}
{ left = running = 0
  for (k = 2; k <= NF; k++) {
    id = $1 " " $k
    if (id in at && asleep[id] > ${looksAsleep} && (tick + k) % ${asleepTicks} && up - asked[id] < ${asleepSeconds}) later[++left] = k
    else look(k)
  }
  if (!left) next
  total = readStat("/proc/" $1 "/stat") ? field[12] + field[13] : ""
  if (total == "" || !($1 in before) || tick % 64 == 0 || total - before[$1] > sum[$1] * ${clockTicks} / 1e9 + 2 + running / 2) {
    for (i = 1; i <= left; i++) look(later[i])
    before[$1] = total; sum[$1] = 0
  } else {
    for (i = 1; i <= left; i++) at[$1 " " $later[i]] = tick
    seen += left
  }
}'`;
}
