/**
 * The slow looks beside the frames: room on file systems, and the kernel's log. `start NUMBER HOW PID PATH...` begins one in the background, so that a
 * file system that hangs (NFS whose server is gone, FUSE) holds up nothing: its df keeps none of the channel's pipes, at most four looks are under way,
 * and where the ticks end those are ended, else awk would wait for them and the channel for awk. HOW is `dmesg`, `journalctl` or `-`. PID is of the
 * run: where it has another root, the paths are those that it sees.
 *
 * The answer goes to awk in one write, each line behind a `=`, and on from there in one more: `look NUMBER`, `df I k|i LINE` for the I-th path as df
 * -kP and -iP say, `odd` where df gave not one line a path, `kernel LINE`, the CPU time of its programs as `times` prints it, `.`.
 */
export const lookFunctions = String.raw`
nl='
' busy=
room() {
o=$1; shift; r=$(df -"$o"P "$@"); m=$#; set -- $r; [ $# -gt 0 ] && shift
[ $# = "$m" ] || { out="$out$nl=odd"; return; }
for w in $who; do out="$out$nl=df $w $o $1"; shift; done; }
kernel() {
p='NVRM: Xid|ut of memory: Kill(ed)? process'
case $1 in
dmesg) if command -v dmesg >/dev/null; then dmesg 2>&1 | grep -E "$p|^dmesg: " | tail -n 20; else echo 'dmesg: not found'; fi;;
journalctl) r=$(command -v journalctl >/dev/null && journalctl -kq --no-pager -o short-monotonic -n 400)
if [ "$r" ]; then printf '%s\n' "$r" | grep -E "$p" | tail -n 20; else echo 'journalctl: nothing'; fi;;
esac; }
look() {
out="=look $1" how=$2 pid=$3 at= who= i=0; shift 3; n=$#
[ "$pid" ] && [ -e "/proc/$pid/root/." ] && ! [ "/proc/$pid/root/." -ef /. ] && at=/proc/$pid/root
while [ $i -lt $n ]; do i=$((i+1)); [ -e "$at$1" ] && { set -- "$@" "$at$1"; who="$who$nl$i"; }; shift; done
set -f; IFS=$nl
[ $# -gt 0 ] && { room k "$@"; room i "$@"; }
for l in $(kernel "$how"); do out="$out$nl=kernel $l"; done
printf '%s\n' "$out"; times; echo =.; }
start() {
left= m=0
for j in $busy; do s=; { read -r _ _ s _ </proc/$j/stat; } 2>/dev/null
case $s in ''|[ZX]) wait $j 2>/dev/null;; *) left="$left $j" m=$((m+1));; esac; done
busy=$left; [ $m -lt 4 ] || return
look "$@" 2>/dev/null 3<&- &
busy="$busy $!"; }`;
