import type { SignalName } from '../../model/signals.ts';

/** What the answer's lines begin with. */
export const mark = '@signal ';

/**
 * The part that looks: `$s` is empty when there is no such process, else `$1` is its state, `${18}` its threads and `$at` the tick
 * in which it began. A name may hold blanks, brackets and line ends; what follows its last bracket does not. Builtins only: between a look
 * and the signal after it the shell starts nothing, and a PID is not given away again in so short a time.
 */
const lookPart = (pid: number) => `p=${pid}
look() { s=; { while IFS= read -r l || [ "$l" ]; do s="$s $l"; done </proc/$p/stat; } 2>/dev/null
set -- \${s##*) }; st=$1 n=\${18} at=\${20}; case $at in ''|*[!0-9]*) s=;; esac; }
say() { printf '${mark}%s\\n' "$*"; }
up() { read -r u _ </proc/uptime; }`;

/**
 * What the process does with signals, whether this user may send it one, and who it is. Who starts a process blocks all signals for a
 * moment (posix_spawn, vfork): blocked is only what is so at each of three looks.
 */
export function lookScript(pid: number): string {
  return `${lookPart(pid)}
look; [ "$s" ] || { say gone; exit 0; }
say start $at; say state $st
while read -r k v; do case $k in Name:|NSpid:|Uid:|SigPnd:|ShdPnd:|SigIgn:|SigCgt:) say "$k $v";; esac; done </proc/$p/status
for i in 1 2 3; do [ $i = 1 ] || sleep 0.05 2>/dev/null; grep -hs ^SigBlk: /proc/$p/task/*/status | sort -u; done |
while read -r k v; do say "$k $v"; done
printf '${mark}command '; tr '\\0\\n' '  ' 2>/dev/null </proc/$p/cmdline | head -c 2000; echo
{ while read -r k v; do [ "$k" = NSpid: ] && say "ours $v"; done; } </proc/self/status
kill -0 $p 2>/dev/null || say "refused $(kill -0 $p 2>&1)"
say end`;
}

/**
 * Sends one signal, once, if the process is still the one that was looked at, and tells how it is from then on. It sends no other: who
 * wants more asks for it. The client ends the watch.
 */
export function sendScript(init: { readonly pid: number; readonly startTicks: string; readonly signal: SignalName }) {
  const { pid, startTicks, signal } = init;
  if (!/^\d+$/.test(startTicks)) throw new Error(`no start time: ${startTicks}`);
  return `${lookPart(pid)}
{ ticks >/dev/null; kill 0; } &
nap() { sleep $1 2>/dev/null || sleep 1; }
up; look; [ "$s" ] || { say gone; exit 0; }
[ "$at" = ${startTicks} ] || { say other; exit 0; }
kill -${signal.slice('SIG'.length)} $p 2>/dev/null || { say "refused $(kill -0 $p 2>&1)"; exit 0; }
say sent $u; was=$st i=0
while i=$((i + 1)); do if [ $i -lt 150 ]; then nap 0.2; else nap 1; fi; look; up
[ "$s" ] && [ "$at" = ${startTicks} ] || { say ended $u; exit 0; }
# The first thread of a program may be over while others run on.
[ "$st" = Z ] && [ "$n" -le 1 ] && { say zombie $u; exit 0; }
[ "$st" = "$was" ] || { was=$st; say state $st; }; done`;
}
