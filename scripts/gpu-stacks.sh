#!/bin/sh
# Shows on a real GPU what captures say. Two steps, since a GPU machine may have neither Node nor a network:
#
#   sh scripts/gpu-stacks.sh pack FOLDER
#       here: puts the built program, this Node, py-spy and what draws a terminal into FOLDER (npm run build && npm run provide first)
#   sh scripts/gpu-stacks.sh run FOLDER PROGRAM OUT [SITUATION...]
#       there: starts `python3 -u PROGRAM SITUATION SECONDS` for each situation (torchrun for ddp_* and nccl_*, two ranks), takes a capture of
#       every kind from the shell, and pictures of the screen with the same by keys; all of it comes as OUT/stacks.tgz
#
# PYTHON names the Python that has torch, SECONDS_EACH how long each program may run (180 s; it is ended when all is taken), RECORD_SECONDS the records (10 s).
set -u

pack() {
  folder=$1
  mkdir -p "$folder/node_modules/@lydell"
  node -e '
    import("./scripts/lib/run-typescript.mjs").then(async ({ bundleTypeScript }) => {
      const file = await bundleTypeScript("scripts/lib/look.ts");
      const fs = await import("node:fs");
      fs.renameSync(file, process.argv[1] + "/look-bundle.mjs");
      fs.writeFileSync(process.argv[1] + "/look.mjs", "import { look } from \"./look-bundle.mjs\"; process.exitCode = await look(process.argv.slice(2));\n");
    });' "$folder" || exit 1
  cp -R dist bin package.json "$folder/" || exit 1
  cp -R node_modules/@lydell/node-pty* "$folder/node_modules/@lydell/" || exit 1
  xz -T0 -c "$(node -p process.execPath)" >"$folder/node.xz" || exit 1
  cp .cache/py-spy/bin/py-spy "$folder/py-spy" || exit 1
  du -sh "$folder"
}

run() {
  folder=$(cd "$1" && pwd) program=$2 out=$3
  shift 3
  [ $# -gt 0 ] || set -- compute_bound launch_bound gil_bound alloc_churn input_starved_sleep loader_workers
  work=$(mktemp -d) || exit 1
  export XDG_STATE_HOME="$work/state" XDG_DATA_HOME="$work/data" LC_ALL=C.UTF-8 TZ=UTC
  xz -dc "$folder/node.xz" >"$work/node" && chmod +x "$work/node" "$folder/py-spy" || exit 1
  export PATH="$work:$PATH"
  results=$work/stacks
  mkdir -p "$results"
  { nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; "$folder/py-spy" --version; "$(python)" --version; node --version; } | tee "$results/machine.txt"
  for situation; do situation "$situation"; done
  tar czf "$out/stacks.tgz" -C "$work" stacks
  ls -l "$out"
  left=$(pgrep -fa 'py-spy (dump|record)' || true)
  echo "left of py-spy: ${left:-nothing}"
  rm -rf "$work"
}

python() { echo "${PYTHON:-python3}"; }

situation() {
  name=$1 to=$results/$1 seconds=${SECONDS_EACH:-180}
  mkdir -p "$to"
  echo "=== $name"
  case $name in
  ddp_* | nccl_*) "$(python)" -m torch.distributed.run --nproc-per-node 2 "$program" "$name" "$seconds" >"$to/train.log" 2>&1 & ;;
  *) "$(python)" -u "$program" "$name" "$seconds" >"$to/train.log" 2>&1 & ;;
  esac
  pid=$!
  # Until CUDA is up and steps are made.
  tries=0
  while [ "$(grep -c step "$to/train.log")" -lt 2 ] && [ $tries -lt 60 ] && kill -0 $pid 2>/dev/null; do sleep 1; tries=$((tries + 1)); done
  case $name in nccl_*) sleep 15 ;; esac
  for kind in dump native many record gil; do take $kind --json; done
  for kind in dump native; do take $kind --markdown; done
  take gil
  screen threads 'wait:1'
  screen browser 'S,wait:2'
  screen dump 'd,wait:4'
  screen native 'D,wait:1,enter,wait:6'
  screen flame 'm,wait:1,enter,wait:14,S,wait:1,enter,wait:1,f,wait:2'
  cp -R "$XDG_DATA_HOME/traintop/captures" "$to/captures" 2>/dev/null
  rm -rf "$XDG_DATA_HOME/traintop/captures"
  grep -h '^State' "/proc/$pid/status" | tee "$to/state-after.txt"
  kill $pid 2>/dev/null
  wait $pid 2>/dev/null
}

# take KIND [--json|--markdown]: what it printed, what it said and how it ended.
take() {
  kind=$1 form=${2:-text}
  case $kind in record | gil) more="--seconds ${RECORD_SECONDS:-10}" ;; many) more='--rounds 5' ;; *) more= ;; esac
  case $name in ddp_* | nccl_*) more="$more --all-ranks" ;; esac
  file=$to/$kind.$(echo "$form" | tr -d -)
  # shellcheck disable=SC2086 # options
  traintop stacks local $kind $(which_run) $more $([ "$form" = text ] || echo "$form") >"$file" 2>"$file.err"
  echo "$name $kind $form: exit $?, $(wc -c <"$file") bytes; $(head -c 200 "$file.err" | tr '\n' ' ')"
}

which_run() { echo "--pid $pid --py-spy $folder/py-spy"; }

traintop() { node --max-semi-space-size=4 "$folder/bin/traintop.js" "$@"; }

# screen NAME KEYS: the screen as text and as a picture, after the keys.
screen() {
  (
    cd "$folder" || exit
    # shellcheck disable=SC2046 # options
    node look.mjs local $(which_run) --no-record --cols 140 --rows 45 --wait 'Threads' --seconds 6 --keys "$2" -o "$to/screen-$1.svg" >"$to/screen-$1.txt" 2>&1
  )
  echo "$name screen $1: $(grep -c . "$to/screen-$1.txt") rows"
}

case ${1:-} in
pack) [ $# = 2 ] && { pack "$2"; exit; } ;;
run) [ $# -ge 4 ] && { shift; run "$@"; exit; } ;;
esac
sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
exit 2
