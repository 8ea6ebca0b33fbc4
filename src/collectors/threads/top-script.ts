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
  /** Not the threads of these processes. */
  readonly without?: readonly number[];
  /** Only this many, the busiest, and none that used no CPU. */
  readonly limit?: number;
}

/** `top -p` refuses more than 20 ("pid limit (20) exceeded"), and one is PID 1. */
const mostPids = 19;

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
 *
 * top (procps 4.0.2) ends its last row only when the next frame begins. So the busiest, which come sorted, are given at the
 * first row that did nothing; and a run's threads come sorted by TID with PID 1 in the end, whom nobody waits for.
 */
export function topScript(options: TopScript): string {
  const { awk, intervalSeconds, clockTicks, leaderRowIsTotal, pids, without, limit } = options;
  const some = pids && pids.length <= mostPids ? ` -p ${[1, ...pids.filter((pid) => pid !== 1)].join(',')}` : '';
  return String.raw`
top -H -b -d ${intervalSeconds}${pids ? ' -o PID' : ''} -w 300${some} | ${awk} -v hz=${clockTicks} -v repair=${Number(leaderRowIsTotal)} -v limit=${limit ?? 0} -v only="${pids?.join(' ') ?? ''}" -v without="${without?.join(' ') ?? ''}" '
${statFunction}
function processOf(tid,  file, line, part) {
  if (!(tid in owner) || at[tid] < frame - 1) {
    owner[tid] = count == 1 ? only : "-"; file = "/proc/" tid "/status"
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
  if (!open) return
  if (frame > 1) { print "T " up " " total out "\n."; fflush() }
  open = 0
  if (frame % 64) return
  for (tid in at) if (at[tid] < frame) { delete at[tid]; delete owner[tid] }
  for (tid in since) if (since[tid] < up) { delete started[tid]; delete since[tid]; delete ticks[tid] }
}
function keep(tid,  process, cpu) {
  process = processOf(tid); cpu = "="
  if (process in left_out) return
  if (repair && process == tid) cpu = measured(tid)
  if (only && !(process in wanted) || limit && cpu ~ /[0-9]/ && cpu < 0.05) return
  kept++; out = out "\n" process " " cpu " " $0
}
BEGIN { count = split(only, part, " "); for (k = 1; k <= count; k++) wanted[part[k]] = 1; n = split(without, part, " "); for (k = 1; k <= n; k++) left_out[part[k]] = 1 }
/^top - / {
  finish(); frame++; out = ""; body = kept = left = 0; lowest = last
  getline line < "/proc/uptime"; close("/proc/uptime"); split(line, part, " "); up = part[1]; next
}
$1 == "Threads:" { total = left = $2; next }
$1 == "PID" {
  $1 = $1
  if ($0 != "${columns}") { print "${otherColumns} " $0 >"/dev/stderr"; exit 3 }
  body = open = 1; if (left == 0) finish(); next
}
!body || !NF { next }
{
  left--; last = $1
  if (!open) next
  if (limit && $9 == 0) { finish(); next }
  keep($1)
  if (left == 0 || limit && kept == limit || left == 1 && only && lowest == 1 && !(1 in wanted)) finish()
}'`;
}
