import type { Column, GpuColumns } from './fields.ts';

/** How often the processes are asked for; pmon would cost 10 % of a core, this costs 0.4 %. */
export const appsEveryMs = 10_000;

/** How often what hardly changes is asked for: beside a busy run such a query took up to 26 ms of CPU a GPU. */
const slowEveryMs = 300_000;

/** SM activity and occupancy, tensor cores, DRAM, PCIe, NVLink. */
const gpmMetrics = '2,3,5,10,20,21,60,61';

/** The first two have no counters: GPM tells what was between two looks. */
const roundsInBurst = 3;

/** In ms; readings are absent where they would tell no more than the frames. */
export interface GpuPaces {
  readonly everyMs: number;
  readonly readingsEveryMs?: number | undefined;
  /** From one burst of the GPU's own counters to the next. */
  readonly countersEveryMs: number;
}

/**
 * The stream of all GPUs, and beside it in the same channel the slow ones of processes and of what hardly changes. nvidia-smi 580 writes each row at once,
 * into pipes too, and its errors on standard output.
 *
 * One lost GPU fails the query of all. So when the stream ends by itself every index is asked alone, and those that answer
 * are streamed. Lines: GPU rows as they are, `app ROW`, `slow ROW`, `app end`, `slow end` (no more of them), rows of index and
 * utilization.gpu alone (as they are too: a relay would cost half as much again), `gpm LINE`, `rows N` (rows a round from here on), `lost INDEX WHY`. An index
 * that is not there is answered by `No devices were found`, code 6.
 *
 * GPM's counters come in bursts of three rounds, a second apart, since a dmon that stays looks at the GPUs every second whatever its pace (gpm.ts). dmon
 * cannot print them alone: `-s u` is what stands before them. Only the third round has any; where the first burst has none (before Hopper, and before
 * driver 550) there is no other. A pause would outlive the GPU that fails all, so those that sleep are ended when the good ones are asked.
 */
export function gpuScript({ fast, slow }: GpuColumns, { everyMs, readingsEveryMs, countersEveryMs }: GpuPaces): string {
  const named = (columns: readonly Column[]) => columns.map((column) => column.name).join(',');
  return `
nl='
'
query() { nvidia-smi --query-gpu=${named(fast)} --format=csv,noheader,nounits "$@"; }
apps() {
nvidia-smi --query-compute-apps=gpu_uuid,pid,used_gpu_memory,process_name --format=csv,noheader,nounits "$@" -lms ${appsEveryMs} |
while IFS= read -r l; do printf 'app %s\\n' "$l"; done; echo 'app end'; }
apps 2>/dev/null &
apps=$!
slow() {
[ -n '${named(slow)}' ] || return
nvidia-smi --query-gpu=${named(slow)} --format=csv,noheader,nounits "$@" -lms ${slowEveryMs} |
while IFS= read -r l; do printf 'slow %s\\n' "$l"; done; echo 'slow end'; }
slow 2>/dev/null &
slow=$!
use() { ${
    readingsEveryMs === undefined
      ? ':'
      : `exec nvidia-smi --query-gpu=index,utilization.gpu --format=csv,noheader,nounits "$@" -lms ${readingsEveryMs}`
  }; }
use 2>/dev/null &
use=$!
gpm() {
told=
while r=$(nvidia-smi dmon -s u -d 1 -c ${roundsInBurst} --gpm-metrics=${gpmMetrics} "$@")
[ -n "$told" ] || printf '%s\\n' "$r" | grep -E '^ *[0-9]+ ' | grep -qvE '( +-){${gpmMetrics.split(',').length}} *$'
do told=1; printf '%s\\n' "$r" | sed 's/^/gpm /'; sleep ${Math.round(countersEveryMs / 1000) - roundsInBurst}; done; }
gpm 2>/dev/null &
gpm=$!
query -lms ${everyMs}
i=0 n=0 good= lost=
while [ $i -lt 32 ]; do
if r=$(query -i $i 2>&1); then good=$good,$i n=$((n + 1))
else
code=$?
case $code:$r in 12[67]:*|*'Failed to init'*|*'communicate with'*|*'not a valid'*|*'No devices'*) break;; esac
lost="$lost\${lost:+$nl}lost $i \${r%%"$nl"*}"
fi
i=$((i + 1))
done
[ $n -gt 0 ] || { printf '%s\\n' "\${lost:-$r}" >&2; exit 1; }
kill -0 $apps 2>/dev/null || apps -i \${good#,} 2>/dev/null &
kill -0 $slow 2>/dev/null || slow -i \${good#,} 2>/dev/null &
kill -0 $use 2>/dev/null || use -i \${good#,} 2>/dev/null &
me=$(exec sh -c 'echo $PPID')
grep -q "^PPid:.$me$" /proc/$gpm/status 2>/dev/null && kill $gpm
gpm -i \${good#,} 2>/dev/null &
[ -z "$lost" ] || printf '%s\\n' "$lost"
echo "rows $n"
query -i \${good#,} -lms ${everyMs}
echo 'the stream of nvidia-smi ended' >&2
exit 1`;
}
