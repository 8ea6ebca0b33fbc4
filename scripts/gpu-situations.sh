#!/bin/sh
# Records what diagnose is tested with (test/fixtures/diagnosis/recorded.tar.gz): on a Linux host with two NVIDIA GPUs of Hopper or later, a Python
# with torch, and py-spy.
#
#   sh scripts/gpu-situations.sh OUT one     22 situations of one GPU, two at a time, in about nine minutes
#   sh scripts/gpu-situations.sh OUT two     those of two GPUs, and healthy runs of 45 s, in about seven minutes
#
# Each becomes a folder of OUT: train.log, and what top, nvidia-smi (at 250 ms), nvidia-smi dmon, /proc/PID/task/*/stat and py-spy said meanwhile. The
# programs are of gpu-situations.py. PYSPY is py-spy's path where it is not on PATH. CUDA, NCCL and nvidia-smi are asked for nothing but reading.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 2 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 1
program=$here/gpu-situations.py pyspy=${PYSPY:-py-spy}
export LC_ALL=C TZ=UTC

# wait_lines LOG LINES HALF_SECONDS
wait_lines() {
  tries=0
  while [ $tries -lt "$3" ] && [ "$(wc -l <"$1" 2>/dev/null || echo 0)" -lt "$2" ]; do sleep 0.5; tries=$((tries + 1)); done
}

# look FOLDER PID,PID... NVIDIA_SMI_OPTIONS SECONDS STACKS: what is saved of a run.
look() {
  to=$1 pids=$2 gpu=$3 seconds=$4 stacks=$5
  echo "$pids" >"$to/pids"
  # shellcheck disable=SC2086 # options
  timeout $((seconds + 1)) nvidia-smi $gpu --query-gpu=timestamp,index,utilization.gpu,utilization.memory,power.draw,memory.used,clocks.sm,clocks_event_reasons.active --format=csv,noheader,nounits -lms 250 >"$to/smi250.csv" &
  smi=$!
  # shellcheck disable=SC2086
  nvidia-smi dmon $gpu -s pu --gpm-metrics=1,2,3,5,7,10,20,21 -d 1 -c $((seconds + 2)) >"$to/gpm.txt" &
  dmon=$!
  top -H -b -n "$seconds" -d 1 -w 512 -p "$pids" >"$to/top.txt" &
  top=$!
  round=0
  while [ $round -lt "$seconds" ]; do
    echo "== $(date +%s.%N)"
    for pid in $(echo "$pids" | tr , ' '); do cat /proc/"$pid"/task/*/stat 2>/dev/null; done
    round=$((round + 1))
    sleep 1
  done | gzip >"$to/stat.txt.gz"
  wait $smi $dmon $top
  cp "$to/log.live" "$to/train.log"
  [ "$stacks" = 1 ] || return
  mkdir -p "$to/stacks"
  for pid in $(echo "$pids" | tr , ' '); do
    for n in 1 2 3 4 5; do
      "$pyspy" dump --json --nonblocking --pid "$pid" >"$to/stacks/dump-$pid-$n.json"
      sleep 0.3
    done
    "$pyspy" record -r 20 --nonblocking -d 4 -t -i -f raw -o "$to/stacks/record-$pid.txt" --pid "$pid" >/dev/null 2>&1
    "$pyspy" record -r 100 --gil --nonblocking -d 4 -t -f raw -o "$to/stacks/gil-$pid.txt" --pid "$pid" >/dev/null 2>&1
  done
}

# one NAME GPU SECONDS
one() {
  to=$out/$1
  mkdir -p "$to"
  CUDA_VISIBLE_DEVICES=$2 timeout $((80 + $3)) python3 -u "$program" "$1" 600 >"$to/log.live" 2>&1 &
  parent=$!
  wait_lines "$to/log.live" 4 50
  sleep 1
  pid=$(pgrep -P $parent | head -1)
  workers=$(pgrep -P "$pid" | head -8 | tr '\n' ' ')
  case $1 in loader*) pids=$pid$(for each in $workers; do printf ',%s' "$each"; done) ;; *) pids=$pid ;; esac
  look "$to" "$pids" "-i $2" "$3" 1
  # shellcheck disable=SC2086
  kill -9 "$pid" $workers 2>/dev/null
  wait $parent 2>/dev/null
  rm -f "$to/log.live"
}

pair() {
  one "$1" 0 "${3:-10}" &
  first=$!
  one "$2" 1 "${3:-10}" &
  wait $first $!
}

# two NAME SECONDS STACKS LINES: of two ranks, or of two GPUs in one process.
two() {
  to=$out/$1
  mkdir -p "$to"
  case $1 in
  queue*) timeout 120 python3 -u "$program" "$1" 600 >"$to/log.live" 2>&1 & ;;
  *) timeout 120 torchrun --nproc-per-node 2 "$program" "$1" 600 >"$to/log.live" 2>&1 & ;;
  esac
  parent=$!
  wait_lines "$to/log.live" "$4" 80
  pids=$(pgrep -P $parent | head -1)
  case $1 in queue*) ;; *) pids=$(pgrep -P "$pids" | tr '\n' ',' | sed 's/,$//') ;; esac
  look "$to" "$pids" '' "$2" "$3"
  for pid in $(echo "$pids" | tr , ' '); do kill -9 "$pid" 2>/dev/null; done
  kill $parent 2>/dev/null
  wait $parent 2>/dev/null
  rm -f "$to/log.live"
}

case $2 in
one)
  pair compute-a launch-a; pair input_inline-a sync-a; pair input_sleep-a alloc-a; pair loader-a gil-a; pair bandwidth-a copy-a
  pair compute-b launch-b; pair input_inline-b sync-b; pair input_sleep-b alloc-b; pair loader-b gil-b; pair compute-c launch-c
  pair input_inline-c compute-mix
  ;;
two)
  two hang-a 30 0 12; two straggler-a 10 1 6; two queue-full 10 1 4; two queue-empty 10 1 4
  two straggler-b 10 1 6; two ddp-healthy 10 0 6; two hang-b 30 0 12; pair compute-ckpt compute-rare 45
  ;;
esac
