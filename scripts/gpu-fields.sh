#!/bin/sh
# What nvidia-smi costs the host: run on a host with a GPU, beside a run or alone.
#
#   sh scripts/gpu-fields.sh [FIELD...]     one query, field by field: ms of CPU that one query of all GPUs takes, of each field alone and of all
#                                           together. Without arguments the fields are those that traintop asks for (src/collectors/gpu/fields.ts).
#   sh scripts/gpu-fields.sh --streams      the streams beside it, in about 4 minutes: the use of the GPUs four times a second, and the GPU's own counters
#                                           (dmon --gpm-metrics) at several paces and selections, and in a burst as traintop asks for them; whether their lines
#                                           come at once through a pipe.
#
# CPU is user and system, of all threads, from schedstat.
set -u

ran_ns() { cat /proc/"$1"/task/*/schedstat 2>/dev/null | awk '{ ns += $1 } END { printf "%.0f", ns }'; }

# cost FIELDS: of 20 queries, a tenth of a second apart, after the start.
cost() {
  nvidia-smi --query-gpu="$1" --format=csv,noheader,nounits -lms 100 >/dev/null &
  pid=$!
  sleep 0.6
  from=$(ran_ns $pid)
  sleep 2
  to=$(ran_ns $pid)
  kill $pid
  wait $pid 2>/dev/null
  echo "$1 $from $to" | awk '{ name = $1; if (name ~ /,/) name = "all"; printf "%-40s %.3f ms\n", name, ($3 - $2) / 20 / 1e6 }'
}

# spent NAME PID WARM SECONDS ROUNDS: what a process takes of the CPU after WARM seconds, a round and a second, and what memory is its own.
spent() {
  sleep "$3"
  from=$(ran_ns "$2")
  sleep "$4"
  to=$(ran_ns "$2")
  pss=$(awk '/^Pss:/ { print int($2 / 1024) }' "/proc/$2/smaps_rollup" 2>/dev/null)
  [ "$to" -gt 0 ] || { echo "$1 ended by itself"; return; }
  echo "$from $to" | awk -v name="$1" -v s="$4" -v rounds="$5" -v pss="${pss:-?}" '{ ms = ($2 - $1) / 1e6
    printf "%-58s %7.3f ms a round %7.3f %% of a core, Pss %s MiB\n", name, ms / rounds, ms / s / 10, pss }'
}

# watch WARM SECONDS ROUNDS ARGUMENT...: the same of nvidia-smi with these arguments.
watch() {
  warm=$1 seconds=$2 rounds=$3
  shift 3
  nvidia-smi "$@" >/dev/null 2>&1 &
  pid=$!
  spent "$*" $pid "$warm" "$seconds" "$rounds"
  kill $pid 2>/dev/null
  wait $pid 2>/dev/null
}

# relay COMMAND...: what a program between the lean stream and the channel takes for its lines.
relay() {
  mkfifo "$tmp/fifo"
  nvidia-smi $lean >"$tmp/fifo" &
  source=$!
  "$@" <"$tmp/fifo" >/dev/null &
  pid=$!
  spent "  through $*" $pid 1 5 20
  kill $source $pid 2>/dev/null
  wait $source $pid 2>/dev/null
  rm "$tmp/fifo"
}

# arrivals SECONDS COMMAND...: each line with the second it came at; then how many reads the same took (a line a read = unbuffered).
arrivals() {
  seconds=$1
  shift
  echo "== $* (first 150 characters of a line, after the seconds since the start)"
  start=$(date +%s.%N)
  timeout "$seconds" "$@" 2>&1 | while IFS= read -r line; do printf '%s|%s\n' "$(date +%s.%N)" "$line"; done |
    awk -F '|' -v start="$start" '{ printf "%6.2f %s\n", $1 - start, substr($2, 1, 150) }'
  timeout "$seconds" "$@" 2>/dev/null | dd bs=64k of=/dev/null 2>&1 | head -1
}

streams() {
  tmp=$(mktemp -d)
  trap 'rm -rf "$tmp"' EXIT
  lean='--query-gpu=index,utilization.gpu --format=csv,noheader,nounits -lms 250'
  gpm=2,3,5,10,20,21,60,61
  nvidia-smi --query-gpu=index,name,driver_version,utilization.gpu --format=csv,noheader
  command -v stdbuf sed awk busybox

  echo '-- the use of the GPUs, 20 rounds in 5 s'
  watch 1 5 20 $lean
  watch 1 5 5 --query-gpu=index,utilization.gpu --format=csv,noheader,nounits -lms 1000
  relay cat
  relay sed -u 's/^/use /'
  relay awk '{ print "use " $0; fflush() }'
  relay sh -c 'while IFS= read -r l; do printf "use %s\n" "$l"; done'
  arrivals 2 nvidia-smi $lean

  echo '-- dmon, a round a second'
  watch 3 6 6 dmon -d 1 -s p
  watch 3 6 6 dmon -d 1 --gpm-metrics=$gpm
  for s in p u c m t e v; do watch 3 6 6 dmon -d 1 -s $s --gpm-metrics=$gpm; done
  watch 3 6 6 dmon -d 1 -s '' --gpm-metrics=$gpm
  watch 3 6 6 dmon -d 1 -s p --gpm-metrics=2,3,5,10
  watch 3 6 6 dmon -d 1 -s p --gpm-metrics=2
  echo '-- dmon, a round in ten seconds'
  watch 5 20 2 dmon -d 10 -s p --gpm-metrics=$gpm
  watch 5 20 2 dmon -d 10 -s m --gpm-metrics=$gpm

  echo '-- three bursts of three rounds, from their start to their end: user and system'
  for s in u m; do
    echo "-s $s"
    (
      for _ in 1 2 3; do nvidia-smi dmon -s $s -d 1 -c 3 --gpm-metrics=$gpm >/dev/null; done
      times >"$tmp/times" # in a pipe it would tell of another shell
    )
    tail -1 "$tmp/times"
  done

  arrivals 6 nvidia-smi dmon -d 1 -s p --gpm-metrics=$gpm
  command -v stdbuf >/dev/null && arrivals 5 stdbuf -oL nvidia-smi dmon -d 1 -s m --gpm-metrics=$gpm
  arrivals 3 nvidia-smi dmon -d 1 -s '' --gpm-metrics=$gpm
  arrivals 16 nvidia-smi dmon -d 5 -s p --gpm-metrics=$gpm
}

if [ "${1-}" = --streams ]; then
  streams
  exit
fi
[ $# -gt 0 ] || set -- timestamp index uuid utilization.gpu utilization.memory memory.used memory.total power.draw enforced.power.limit \
  temperature.gpu temperature.memory clocks.current.sm clocks.current.memory clocks.max.sm fan.speed pstate clocks_event_reasons.active \
  ecc.errors.uncorrected.volatile.total pcie.link.gen.gpucurrent pcie.link.width.current mig.mode.current persistence_mode \
  gpu_recovery_action name
cost "$(echo "$@" | tr ' ' ,)"
for field; do cost "$field"; done
