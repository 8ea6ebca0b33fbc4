/**
 * Runs under mawk, gawk and busybox awk. Every file is read by getline and closed; one that is not there gives no line. The
 * answer to a tick goes out in one write, ended by a line `.`. Numbers that may pass 2^31 stay text: mawk before 1.3.4
 * prints them as 1.23e+10.
 *
 *     up SECONDS                                  /proc/uptime
 *     load 1MIN 5MIN 15MIN
 *     cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...      ticks of all cores
 *     cores N                                     online
 *     mem MemTotal|MemAvailable|SwapTotal|SwapFree KB
 *     psi cpu|memory|io PERCENT                   some avg10
 *     disk NAME SECTORSREAD SECTORSWRITTEN MSBUSY whole disks
 *     quota MICROSECONDS PERIOD                   the tightest of the cgroup and those above it
 *     cpuset LIST                                 as 0-3,8
 *     memlimit BYTES USED INACTIVEFILE            only where it is below the host's memory
 *     io PID READBYTES WRITTENBYTES               storage, of the run's processes
 *     cost PID PPID STARTTICKS TICKS KB           a process of ours that is new or has changed; TICKS with its waited-for children.
 *                                                 After the first ones asked 7 s apart: this reading would else cost more than the others together
 *     gone PID                                    it is ours no more
 *
 * What a slow look found comes between two frames, each line behind a `=` (look-script.ts), of the kernel's log only what is new.
 */
export const awkProgram = String.raw`
function first(f,  l) { if ((getline l < f) <= 0) l = ""; close(f); return l }
function add(l) { out = out l "\n" }

function general(  f, l, n, w) {
  split(first(root "/proc/uptime"), w, " "); up = w[1]; if (up != "") add("up " up)
  split(first(root "/proc/loadavg"), w, " "); if (w[3] != "") add("load " w[1] " " w[2] " " w[3])
  f = root "/proc/stat"; n = 0
  while ((getline l < f) > 0) { if (l !~ /^cpu/) break; if (l ~ /^cpu /) add(l); else n++ }
  close(f); if (n) add("cores " n)
  f = root "/proc/meminfo"; n = 0
  while (n < 4 && (getline l < f) > 0)
    if (l ~ /^(MemTotal|MemAvailable|SwapTotal|SwapFree):/) {
      split(l, w, /[: ]+/); add("mem " w[1] " " w[2]); n++
      if (w[1] == "MemTotal") total = w[2] + 0
    }
  close(f)
  psi("cpu"); psi("memory"); psi("io")
  f = root "/proc/diskstats"
  while ((getline l < f) > 0) {
    split(l, w, " ")
    if (w[3] ~ /^([shv]d[a-z]+|xvd[a-z]+|nvme[0-9]+n[0-9]+|mmcblk[0-9]+|dasd[a-z]+|rbd[0-9]+|pmem[0-9]+)$/)
      add("disk " w[3] " " w[6] " " w[10] " " w[13])
  }
  close(f)
}
function psi(what,  w) {
  split(first(root "/proc/pressure/" what), w, " ")
  if (w[1] == "some" && w[2] ~ /^avg10=/) add("psi " what " " substr(w[2], 7))
}

# The cgroup of the first process of the run, else our own. A container without a namespace of its own for cgroups shows a
# path that is not in its mount: the walk upwards ends at the root of the mount, which is then its own.
function groups(who,  f, l, i, ctl, path, n, k, lines) {
  quota = period = limit = limited = ""; cpus = ""
  f = root "/proc/" who "/cgroup"; n = 0
  while ((getline l < f) > 0) lines[++n] = l
  close(f)
  for (k = 1; k <= n; k++) {
    l = lines[k]; l = substr(l, index(l, ":") + 1)
    i = index(l, ":"); ctl = "," substr(l, 1, i - 1) ","; path = substr(l, i + 1)
    if (path ~ /\.\./ || path !~ /^\//) path = "/"
    if (ctl == ",,") walk("v2", "", path)
    if (ctl ~ /,cpu,/) { walk("cpu", "/cpu", path); walk("cpu", "/cpu,cpuacct", path) }
    if (ctl ~ /,memory,/) walk("memory", "/memory", path)
    if (ctl ~ /,cpuset,/) walk("cpuset", "/cpuset", path)
  }
}
function walk(kind, mount, path,  dir) {
  for (;;) {
    dir = root "/sys/fs/cgroup" mount (path == "/" ? "" : path)
    if (kind == "v2") { quotas(first(dir "/cpu.max")); memory(first(dir "/memory.max"), dir, 2); set(first(dir "/cpuset.cpus.effective")) }
    if (kind == "cpu") quotas(first(dir "/cpu.cfs_quota_us") " " first(dir "/cpu.cfs_period_us"))
    if (kind == "memory") memory(first(dir "/memory.limit_in_bytes"), dir, 1)
    if (kind == "cpuset") { set(first(dir "/cpuset.effective_cpus")); set(first(dir "/cpuset.cpus")) }
    if (path == "/") return
    sub(/\/[^\/]*$/, "", path); if (path == "") path = "/"
  }
}
function quotas(l,  w) {
  if (split(l, w, " ") < 2 || w[1] + 0 <= 0 || w[2] + 0 <= 0) return
  if (quota == "" || w[1] / w[2] < quota / period) { quota = w[1]; period = w[2] }
}
function memory(l, dir, version) {
  if (l + 0 <= 0 || l / 1024 >= total || (limit != "" && l + 0 >= limit + 0)) return
  limit = l; limited = dir; ver = version
}
function set(l) { if (cpus == "") cpus = l }
function report(  f, l, w, idle, used) {
  if (quota != "") add("quota " quota " " period)
  if (cpus != "") add("cpuset " cpus)
  if (limit == "") return
  idle = ""; f = limited "/memory.stat"
  while (idle == "" && (getline l < f) > 0) { split(l, w, " "); if (w[1] == (ver == 2 ? "inactive_file" : "total_inactive_file")) idle = w[2] }
  close(f)
  used = first(limited (ver == 2 ? "/memory.current" : "/memory.usage_in_bytes"))
  add("memlimit " limit (used == "" ? "" : " " used (idle == "" ? "" : " " idle)))
}

function io(pids,  n, p, i, f, l, w, r, wr) {
  n = split(pids, p, " ")
  for (i = 1; i <= n; i++) {
    r = wr = ""; f = root "/proc/" p[i] "/io"
    while ((getline l < f) > 0) { split(l, w, " "); if (w[1] == "read_bytes:") r = w[2]; if (w[1] == "write_bytes:") wr = w[2] }
    close(f); if (r != "" && wr != "") add("io " p[i] " " r " " wr)
  }
}

# Fields of /proc/PID/stat from the third on (s[1] is the state), because the name before may hold anything.
function stat(pid,  l) {
  l = first(root "/proc/" pid "/stat")
  if (!match(l, /^.*\) /)) return 0
  comm = substr(l, index(l, "(") + 1); sub(/\) .*$/, "", comm)
  split(substr(l, RLENGTH + 1), s, " ")
  return 1
}
function join(pid,  f, l, w) {
  mine[pid] = s[20]
  if (pid in pss && !stale) return
  f = root "/proc/" pid "/smaps_rollup"
  while ((getline l < f) > 0) if (l ~ /^Pss:/) { split(l, w, " "); pss[pid] = w[2]; break }
  close(f)
}
# /proc/PID/task/PID/children is not in every kernel: ours are those of the process groups and sessions of our shells.
function scan(shells, list, fresh,  n, p, i, k, q) {
  if (fresh) {
    lists = stale = 0; for (k in mine) old[k] = 1
    split("", mine); split("", seen); split("", group); split("", session)
    n = split(shells, p, " ")
    for (i = 1; i <= n; i++) if (stat(p[i])) { if (s[3] > 0) group[s[3]] = 1; if (s[4] > 0) session[s[4]] = 1 }
    for (i = 1; i <= n; i++) upwards(p[i])
  }
  n = split(list, p, " "); stale = ++lists % 4 == 3
  for (i = 1; i <= n; i++) {
    if (p[i] in mine) { if (stale && stat(p[i])) join(p[i]); continue }
    if (p[i] in seen || !stat(p[i])) continue
    # PID 1 of a container often reaps nothing: zombies of ours would pile up.
    if (s[1] != "Z" && (s[3] in group || s[4] in session)) join(p[i])
  }
  split("", seen); for (i = 1; i <= n; i++) seen[p[i]] = 1
  for (k in old) if (!(k in mine)) leave(k)
  split("", old)
}
# The sshd of the connection, not the one that listens: since OpenSSH 9.8 the former is called sshd-session; before, it is the
# one whose parent is an sshd too.
function upwards(pid,  depth, q, name, above) {
  if (!stat(pid)) return
  for (depth = 0; depth < 8; depth++) {
    q = s[2]; if (q <= 1 || !stat(q)) return
    name = comm; above = s[2]
    if (name ~ /^sshd/) {
      if (name ~ /^sshd-session/ || (stat(above) && comm ~ /^sshd/)) { stat(q); join(q) } else return
    } else if (!(s[3] in group) && !(s[4] in session)) return
    stat(q)
  }
}
function leave(pid) { add("gone " pid); delete mine[pid]; delete said[pid]; delete pss[pid] }
function cost(  k, l) {
  for (k in mine) {
    if (!stat(k) || s[20] != mine[k]) { leave(k); continue }
    l = "cost " k " " s[2] " " s[20] " " (s[12] + s[13] + s[14] + s[15]) " " (k in pss ? pss[k] : s[22] * page / 1024)
    if (l != said[k]) { add(l); said[k] = l }
  }
}

# The stamp of a line is of the time of day of no clock: it grows, whatever is set.
function slow(  s) {
  if (/^=kernel / && match($0, /\[ *[0-9]+\.[0-9]+\]/)) {
    s = substr($0, RSTART + 1, RLENGTH - 2) + 0
    if (s <= told) return
    newest = s
  }
  held = held $0 "\n"
  if ($0 == "=.") { printf "%s", held; fflush(); held = ""; told = newest }
}

BEGIN { FS = "|" }
/^=/ || /^[0-9]+m[0-9.]+s / { slow(); next }
{
  out = ""; general()
  split($2, run, " ")
  who = run[1] != "" && first(root "/proc/" run[1] "/cgroup") != "" ? run[1] : "self"
  if (who != grouped || NF > 2) { groups(who); grouped = who }
  report(); io($2)
  if (NF > 3) scan($1, $4, $3 == "new")
  if (NF > 3 || round++ < 5 || up == "" || up - costed >= 7) { cost(); costed = up }
  printf "%s.\n", out; fflush()
}`;
