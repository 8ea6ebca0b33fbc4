import { mark, looking, opening, watching } from './script.ts';

/** Bytes of one file that are read in one turn: a file that floods must not keep the others waiting. */
const mostInTurn = 1_048_576;
/** Bytes that the shell itself reads, one by one: a dd costs as much as some more of them. */
const mostByShell = 1000;
/** Looks that find nothing new, after which a file is quiet. */
const activePolls = 8;
/** The course leaves out what is too much (course.ts). */
const mostAtOnce = 2 ** 30;

/**
 * Follows several files over one channel: a servant a file, in a row. Each reads lines, keeps those that begin with its number and hands
 * the others on; what it was told it does when the line `.`, `:` or `;` comes by, and only then hands that on too. So one after the other
 * speaks, in whole frames, and when the last one has had its turn it says so: the client sends nothing before that.
 *
 *     K p PATH               the file of servant K
 *     K l|r|f|s|e ...        as in script.ts; `e` does not end the servant
 *     K t OFFSET             all up to OFFSET has come
 *     K h                    stop following, without a word
 *     K x PATTERN            which files does this pattern name now?
 *     .                      the end of what is told
 *     :                      the same, and a tick: whoever follows reads what is new, and looks whether everything is as it was
 *     ;                      the same, for those that had something new of late
 *
 * The answers are those of script.ts with the servant's number after the mark, and besides:
 *
 *     turn                   of all, without a number: more may be told
 *     K from OFFSET          the bytes from OFFSET on stand on the lines that follow
 *     K cut [OFFSET]         their end, on a line of its own: the line before it has no end in the file. When there is more, it comes again, whole;
 *                            from OFFSET on, if nothing else is told
 *     K why WORDS            why the path cannot be read
 *     K found DEVICE.INODE MTIME PATH, K globbed COUNT
 *
 * No tail runs: the file is open on descriptor 5, where the last read has ended, and whether there is more the shell's own `read` tells. It
 * has that then, where it is a line or two, and no NUL was lost on the way; what stands there of a line without an end (a progress bar) it
 * keeps. For more a dd is started, which seeks to the end of the last whole line that has come. That a file was cut its first line tells (at
 * every second turn of those that bring something), and where that is too long, now and then its size. What a servant says of a line or two is one write: each is a packet of sshd's.
 */
export function servantsScript(count: number): string {
  return `set -f; nl='
' cr=$(printf '\\r')
say() { printf '%s %s\\n' "$M" "$*"; }
absolute() { case $p in '~/'*) p=$userHome/\${p#??};; /*) ;; *) p=./$p;; esac; }
${looking}
${opening}
${reading}
${watching}
${serving}
D=; [ "$(printf abc | dd bs=4 iflag=skip_bytes,count_bytes skip=1 count=1 2>/dev/null)" != b ] || D=1
printf '${mark} hello\\n'
{ ticks | { exec 3<&-; ${servants(count)}; }; } 4>&1`;
}

function servants(count: number): string {
  return Array.from({ length: count }, (_, i) => `servant ${i + 1}${i + 1 === count ? ' last' : ''}`).join(' | ');
}

/** A descriptor that is at its end goes on from there when the file grows. No shell's `read` gives a NUL: the position tells that there was one. */
const reading = `position() { P=; while read -r l v; do case $l in pos:) P=$v; break;; esac; done </proc/self/fdinfo/5; } 2>/dev/null
halt() { t=; }
stop() { [ -n "$t" ] || return; t=; say stop $1 $P; }
again() { { command exec 5</proc/self/fd/5; } 2>/dev/null; }
emit() { again || return; say from $1
if [ -n "$D" ]; then dd bs=65536 iflag=skip_bytes,count_bytes skip=$1 count=$2 <&5 2>/dev/null
else dd bs=1 skip=$1 count=0 <&5 2>/dev/null; dd bs=65536 count=$(($2/65536)) <&5 2>/dev/null; fi
printf '\\n%s cut\\n' "$M"; u=; position; [ -n "$P" ] || P=$O; }
lines() { b= l= g=1; while [ -n "$g" ] && [ \${#b} -lt $m ]; do IFS= read -r l <&5 || g=; [ -z "$g" ] || b=$b$l$nl; done
k=$l; position; [ -n "$P" ] || P=$O; }
poll() { [ -n "$t" ] || { [ -z "$p" ] || say idle; return; }
lines
h=$((h-1)); if [ "$P" != "$R" ]; then h=${activePolls}; [ -n "$trust" ] && trust= || trust=y
if [ $((R-\${#u})) != $O ] && [ $((P-O)) -lt $m ] && again; then dd bs=1 skip=$O count=0 <&5 2>/dev/null; R=$O u=; lines; fi
if [ -z "$g" ] && [ $((R-\${#u})) = $O ] && [ $((R+\${#b}+\${#k})) = "$P" ]; then f=$O
b=$u$b; if [ "$b" = "$u" ]; then u=$b$k b=; else u=$k; fi
O=$((O+\${#b})); printf '%s from %s\\n%s%s\\n%s cut %s\\n' "$M" $f "$b" "$u" "$M" $O
else emit $O ${mostInTurn}; [ $((P-R)) -lt ${mostByShell} ] && m=${mostByShell} || m=1; fi; R=$P
elif trust=; [ -z "$first" ] && [ $P -gt 0 ] && s=$((s-1)) && [ $s -le 0 ]; then s=5; if facts /proc/self/fd/5 && [ $n -lt $P ]; then stop changed; return; fi; fi
watch $O; }
globbed() { g=$p p=$1; absolute; set --; if [ -f "$p" ]; then set -- "$p"; else set +f; IFS=; for f in $p; do
case $f in *"$nl"*) continue;; esac
[ ! -f "$f" ] || [ $# -ge 500 ] || set -- "$@" "$f"; done; unset IFS; set -f; fi; p=$g
[ $# -eq 0 ] || stat -Lc "$M found %d.%i %Y %n" -- "$@" 2>/dev/null; say globbed $#; }`;

const serving = `servant() { me=$1 last=$2 M="${mark} $1" p= t= F= q= O=0 P= R= u= m=${mostByShell} s=0 h=0 first= trust= away=0
while IFS= read -r line; do case $line in
.|:|\\;) while [ -n "$q" ]; do c=\${q%%"$nl"*} q=\${q#*"$nl"}; obey "$c" >&4; done
case $line in :) poll >&4;; \\;) [ $h -le 0 ] || poll >&4;; esac
if [ -n "$last" ]; then printf '${mark} turn\\n' >&4; else echo $line; fi;;
"$me "*) q=$q\${line#* }$nl;;
*) printf '%s\\n' "$line";;
esac; done; }
obey() { set -- $1; case $1 in
t) [ $O = "$2" ] || u=\${u##*"$cr"}; O=$2;;
l) look "$2" "$3" "$4";;
r) halt; if open "$2" "\${c#* * * }" "$3"; then at "$3"; emit $3 ${mostAtOnce}; say end; else say other; fi;;
f) halt; if open "$2" "\${c#* * * }" "$3"; then at "$3"; t=y O=$3 first= try=1 quiet=0 late=0 s=0 trust= lastP= lastE= P=$n
learn; emit $3 ${mostAtOnce}; R=$P h=${activePolls}; else say other; fi;;
s) position; stop asked;;
h) halt;;
p) p=\${c#* }; absolute;;
e) say why "$(why 2>&1)";;
x) globbed "\${c#* }";;
esac; }`;
