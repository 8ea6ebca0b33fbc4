#!/bin/sh
# What a query of nvidia-smi costs the host, field by field: run on a host with a GPU, beside a run or alone.
#
#   sh scripts/gpu-fields.sh [FIELD...]
#
# Prints ms of CPU (user and system, from schedstat) that one query of all GPUs takes, of each field alone and of all together. Without
# arguments the fields are those that traintop asks for (src/collectors/gpu/fields.ts).
set -u
[ $# -gt 0 ] || set -- timestamp index uuid utilization.gpu utilization.memory memory.used memory.total power.draw enforced.power.limit \
  temperature.gpu temperature.memory clocks.current.sm clocks.current.memory clocks.max.sm fan.speed pstate clocks_event_reasons.active \
  ecc.errors.uncorrected.volatile.total pcie.link.gen.gpucurrent pcie.link.width.current mig.mode.current persistence_mode \
  gpu_recovery_action name

ran_ns() { cut -d ' ' -f 1 "/proc/$1/schedstat"; }

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

cost "$(echo "$@" | tr ' ' ,)"
for field; do cost "$field"; done
