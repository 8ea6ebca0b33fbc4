#!/bin/sh
# Shows on a real GPU that evidence is taken by itself: runs that step and then hang, watched by `traintop --headless`. Two steps, as gpu-stacks.sh:
#
#   sh scripts/gpu-black-box.sh pack FOLDER
#       here: puts the built program, this Node and py-spy into FOLDER (npm run build && npm run provide first), with this script and its runs
#   sh FOLDER/gpu-black-box.sh run FOLDER OUT [gloo] [spin]
#       there: for each of them starts the run, watches it until the box is done, and prints when it stopped, when the box began and was done, and what is
#       in it; all of it comes as OUT/black-box.tgz
#
# PYTHON names the Python that has torch, STEPS how many steps are made (40, half a second each), WAIT how long the box is waited for (150 s).
set -u

pack() {
  folder=$1
  mkdir -p "$folder" || exit 1
  cp -R dist bin package.json scripts/gpu-black-box.sh scripts/gpu-black-box.py "$folder/" || exit 1
  xz -T0 -c "$(node -p process.execPath)" >"$folder/node.xz" || exit 1
  cp .cache/py-spy/bin/py-spy "$folder/py-spy" || exit 1
  du -sh "$folder"
}

run() {
  folder=$(cd "$1" && pwd) out=$2
  shift 2
  [ $# -gt 0 ] || set -- gloo spin
  work=$(mktemp -d) || exit 1
  mkdir -p "$out" "$work/black-box"
  xz -dc "$folder/node.xz" >"$work/node" && chmod +x "$work/node" "$folder/py-spy" || exit 1
  export PATH="$work:$PATH" LC_ALL=C.UTF-8 TZ=UTC
  { nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; "${PYTHON:-python3}" --version; node --version; } | tee "$work/black-box/machine.txt"
  for which; do one "$which"; done
  tar czf "$out/black-box.tgz" -C "$work" black-box
  left=$(pgrep -fa 'py-spy (dump|record)|nvidia-smi -q$' || true)
  echo "left on the host: ${left:-nothing}"
  rm -rf "$work"
}

one() {
  which=$1 to=$work/black-box/$1 steps=${STEPS:-40}
  mkdir -p "$to"
  echo "=== $which"
  program=$folder/gpu-black-box.py
  case $which in
  gloo) set -- -m torch.distributed.run --standalone --nproc-per-node 2 "$program" gloo "$steps" ;;
  *) set -- -u "$program" spin "$steps" ;;
  esac
  setsid "${PYTHON:-python3}" "$@" >"$to/train.log" 2>&1 &
  pid=$!
  export XDG_STATE_HOME="$to/state" XDG_DATA_HOME="$to/data" XDG_CONFIG_HOME="$to/config"
  # Until steps are made: then it is a run.
  tries=0
  while [ "$(grep -c step "$to/train.log")" -lt 2 ] && [ $tries -lt 90 ] && kill -0 $pid 2>/dev/null; do sleep 1; tries=$((tries + 1)); done
  node "$folder/bin/traintop.js" --headless local --pid $pid --log "$to/train.log" --py-spy "$folder/py-spy" --record "$to/recording" >"$to/watch.txt" 2>&1 &
  watch=$!
  tries=0
  while ! grep -qs '"endedAt"' "$to"/data/traintop/black-boxes/*/box.json && [ $tries -lt "${WAIT:-150}" ]; do sleep 1; tries=$((tries + 1)); done
  sleep 2
  nvidia-smi --query-gpu=utilization.gpu,utilization.memory,power.draw --format=csv,noheader
  kill -TERM $watch
  wait $watch
  echo "the watch ended with $?"
  # It leads a group of its own.
  kill -s KILL -- "-$pid"
  wait $pid 2>/dev/null
  told "$to"
}

# When it stopped, when the box began and was done, what is in it.
told() {
  node -e '
    const fs = require("node:fs"), path = require("node:path");
    const to = process.argv[1], parent = path.join(to, "data/traintop/black-boxes");
    const last = fs.readFileSync(path.join(to, "train.log"), "utf8").split("\n").filter((line) => /step \d/.test(line)).at(-1) ?? "";
    console.log("last line of the log:", last);
    for (const name of fs.existsSync(parent) ? fs.readdirSync(parent) : []) {
      const box = JSON.parse(fs.readFileSync(path.join(parent, name, "box.json"), "utf8"));
      const day = new Date(box.startedAt).toISOString().slice(0, 10);
      const stopped = Date.parse(`${day}T${/\d\d:\d\d:\d\d/.exec(last)?.[0] ?? "00:00:00"}Z`);
      const after = (at) => (at === undefined ? "never" : `${((at - stopped) / 1000).toFixed(1)} s after the last step`);
      console.log(`${box.state}: ${box.reason}\nbegun ${after(box.startedAt)}, done ${after(box.endedAt)}`);
      for (const note of box.notes ?? []) console.log("note:", note);
      for (const part of box.parts) console.log(`${part.name}: ${part.failure ?? "there"}`);
      for (const file of fs.readdirSync(path.join(parent, name))) console.log(`${file} ${fs.statSync(path.join(parent, name, file)).size} bytes`);
      console.log(fs.readFileSync(path.join(parent, name, "kernel-stacks.txt"), "utf8").split("\n").slice(0, 25).join("\n"));
    }
    const captures = path.join(to, "data/traintop/captures");
    for (const name of fs.existsSync(captures) ? fs.readdirSync(captures) : []) {
      const text = fs.readFileSync(path.join(captures, name, "stacks.txt"), "utf8").split("\n");
      const seen = ["all_reduce", "wait_for_the_cache", "wait_for_the_kernel", "cuStreamSynchronize", "cudaStreamSynchronize", "gloo::"];
      console.log(name, seen.filter((word) => text.some((line) => line.includes(word))).join(" "));
    }' "$1"
  tail -n 5 "$1/watch.txt"
}

case ${1:-} in
pack) [ $# = 2 ] && { pack "$2"; exit; } ;;
run) [ $# -ge 3 ] && { shift; run "$@"; exit; } ;;
esac
sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
exit 2
