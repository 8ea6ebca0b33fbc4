import { statFunction } from './awk.ts';

/** The columns of procps top without a personal or system-wide rc file. */
const columns = 'PID USER PR NI VIRT RES SHR S %CPU %MEM TIME+ COMMAND';

/** What is said on standard error, before the columns, when top shows others. */
export const otherColumns = 'top shows the columns';

/** What top shall show, and what the awk behind it keeps. */
export interface TopScript {
  readonly awk: string;
  readonly intervalSeconds: number;
  readonly clockTicks: number;
  /** procps 4.0.0 to 4.0.3: the main thread's row must be repaired. */
  readonly leaderRowIsTotal: boolean;
  /** Only the threads of these processes; absent: of the whole host. */
  readonly pids?: readonly number[];
  /** Only this many, the busiest, and none that used no CPU. */
  readonly limit?: number;
}

/** `top -p` refuses more ("pid limit (20) exceeded"). */
const mostPids = 20;

/**
 * `top -H` piped through an awk that drops the first frame (its percentages are since the start of each thread) and gives
 * each frame in one write:
 *
 *     T 12345.67 333                                       /proc/uptime, threads that top saw
 *     12304 0.99 12304 root      20   0   68044   1520   1360 S  99.9   0.0   0:04.71 python (train)
 *     12304 = 12306 root      20   0   68044   1520   1360 R  85.0   0.0   0:02.19 pt_data_worker_
 *     .
 *
 * A row is top's own behind two words of ours. The first is its process (Tgid of /proc/TID/status; top shows none), `-` when
 * it is gone. The second is its CPU: `=` as top says, a percentage measured between the last two frames from
 * /proc/PID/task/PID/stat where top shows the whole process on the main thread's row, `-` when there is nothing to compare
 * yet (a process of one thread has nothing to repair).
 */
export function topScript({ awk, intervalSeconds, clockTicks, leaderRowIsTotal, pids, limit }: TopScript): string {
  const some = pids !== undefined && pids.length <= mostPids ? ` -p ${pids.join(',')}` : '';
  const only = pids && !some ? pids.join(' ') : '';
  const sole = pids?.length === 1 ? pids[0] : '';
  return String.raw`
top -H -b -d ${intervalSeconds} -w 300${some} | ${awk} -v hz=${clockTicks} -v repair=${Number(leaderRowIsTotal)} -v limit=${limit ?? 0} -v only="${only}" -v sole="${sole}" '
${statFunction}
function processOf(tid,  file, line, part) {
  if (sole) return sole
  if (!(tid in owner) || at[tid] < frame - 1) {
    owner[tid] = "-"; file = "/proc/" tid "/status"
    while ((getline line < file) > 0) if (line ~ /^Tgid:/) { split(line, part, " "); owner[tid] = part[2]; break }
    close(file)
  }
  at[tid] = frame
  return owner[tid]
}
function measured(tid,  used, value) {
  if (!readStat("/proc/" tid "/task/" tid "/stat")) return "-"
  value = field[18] == 1 ? "=" : "-"
  used = field[12] + field[13]
  if (started[tid] == field[20] && up > since[tid]) value = sprintf("%.2f", (used - ticks[tid]) / hz / (up - since[tid]) * 100)
  started[tid] = field[20]; since[tid] = up; ticks[tid] = used
  return value
}
function finish(  tid) {
  if (!rows) return
  if (frame > 1) { print "T " up " " total out "\n."; fflush() }
  rows = 0
  if (frame % 64) return
  for (tid in at) if (at[tid] < frame) { delete at[tid]; delete owner[tid] }
  for (tid in since) if (since[tid] < up) { delete started[tid]; delete since[tid]; delete ticks[tid] }
}
BEGIN { count = split(only, part, " "); for (k = 1; k <= count; k++) wanted[part[k]] = 1 }
/^top - / { finish(); frame++; out = ""; kept = left = 0; getline line < "/proc/uptime"; close("/proc/uptime"); split(line, part, " "); up = part[1]; next }
$1 == "Threads:" { total = left = $2; next }
$1 == "PID" {
  $1 = $1
  if ($0 != "${columns}") { print "${otherColumns} " $0 >"/dev/stderr"; exit 3 }
  rows = 1; if (left == 0) finish(); next
}
!rows || !NF { next }
{ left--
  if (!limit || ($9 > 0 && kept < limit)) {
    process = processOf($1); cpu = "="
    if (repair && process == $1) cpu = measured($1)
    if ((!only || process in wanted) && !(limit && cpu != "=" && cpu != "-" && cpu < 0.05)) { kept++; out = out "\n" process " " cpu " " $0 }
  }
  if (left == 0) finish()
}'`;
}
