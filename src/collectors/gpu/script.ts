import type { Column } from './fields.ts';

/** How often the processes are asked for; pmon would cost 10 % of a core, this costs 0.4 %. */
export const appsEveryMs = 10_000;

/**
 * The stream of all GPUs, and beside it the slow one of processes in the same channel. nvidia-smi 580 writes each row at once,
 * into pipes too, and its errors on standard output.
 *
 * One lost GPU fails the query of all. So when the stream ends by itself every index is asked alone, and those that answer
 * are streamed. Lines: GPU rows as they are, `app ROW`, `app end` (no more of them), `rows N` (rows a round from here on),
 * `lost INDEX WHY`. An index that is not there is answered by `No devices were found`, code 6.
 */
export function gpuScript(columns: readonly Column[], everyMs: number): string {
  return `
nl='
'
query() { nvidia-smi --query-gpu=${columns.map((column) => column.name).join(',')} --format=csv,noheader,nounits "$@"; }
apps() {
nvidia-smi --query-compute-apps=gpu_uuid,pid,used_gpu_memory,process_name --format=csv,noheader,nounits "$@" -lms ${appsEveryMs} |
while IFS= read -r l; do printf 'app %s\\n' "$l"; done; echo 'app end'; }
apps 2>/dev/null &
apps=$!
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
[ -z "$lost" ] || printf '%s\\n' "$lost"
echo "rows $n"
query -i \${good#,} -lms ${everyMs}
echo 'the stream of nvidia-smi ended' >&2
exit 1`;
}
