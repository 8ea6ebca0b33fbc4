/** What the answer's own lines begin with. */
export const mark = '@box ';

/** Of all processes together. */
const mostThreads = 600;

/**
 * What the kernel and the driver know of a run that stands, without touching it: of each thread its state, where it sleeps and (for root) the
 * functions of the kernel that it is in; what the kernel's log says of GPUs and memory; `nvidia-smi -q`. All by reading, and nothing waits for long:
 * /proc of a process that hangs answers, except its command line; nvidia-smi may wait for ever for a GPU that fell off its bus, and is not waited for.
 *
 *     @box process 12304                                      its threads follow
 *     t 12306 S 812 17 futex_do_wait pt_nccl_watchdg          TID, state, switches given and taken, wchan, name
 *     s futex_do_wait __futex_wait do_futex                   its functions in the kernel, innermost first
 *     @box log dmesg                                          lines of the kernel's log follow; `@box refused WHY` where it may not be read
 *     @box smi                                                nvidia-smi's lines follow, then `@box code N`, `@box late` or `@box none`
 *     @box end
 */
export function boxScript(pids: readonly number[], smiSeconds = 20): string {
  return `say() { printf '${mark}%s\\n' "$*"; }
n=0; for p in ${pids.join(' ')}; do say process $p; cd "/proc/$p/task" 2>/dev/null || continue
m=; set +f; for t in "$p" *; do set -f; [ "$t" = "$m" ] && continue; m=$p; [ $n -lt ${mostThreads} ] || break
c= st= v=- i=- w=-; { while IFS=: read -r k l; do set -- $l; case $k in Name) c=$*;; State) st=$1;;
voluntary_ctxt_switches) v=$1;; nonvoluntary_ctxt_switches) i=$1;; esac; done <"$t/status"; } 2>/dev/null || continue
{ read -r w <"$t/wchan"; } 2>/dev/null; n=$((n + 1)); printf 't %s %s %s %s %s %s\\n' "$t" "\${st:-?}" "$v" "$i" "\${w:--}" "$c"
f=; { while read -r _ l; do f="$f \${l%%+0x*}"; done <"$t/stack"; } 2>/dev/null; [ "$f" ] && printf 's%s\\n' "$f"
done; done; set +f; [ $n -lt ${mostThreads} ] || say more; cd /
say log dmesg; if k=$(dmesg 2>&1); then printf '%s\\n' "$k" |
grep -E 'NVRM|Xid|nvidia|[Oo]ut of memory|oom[-_]kill|Killed process|blocked for more than|I/O error|not responding' | tail -n 120
else say refused "$(printf '%s\\n' "$k" | tail -n 1)"; fi
say smi; if command -v nvidia-smi >/dev/null; then nvidia-smi -q 2>&1 & q=$! i=0
while kill -0 $q 2>/dev/null && [ $i -lt ${smiSeconds * 2} ]; do i=$((i + 1)); sleep 0.5 2>/dev/null || { sleep 1; i=$((i + 1)); }; done
if kill -0 $q 2>/dev/null; then kill -KILL $q; echo; say late; else wait $q; say code $?; fi
else say none; fi
say end`;
}
