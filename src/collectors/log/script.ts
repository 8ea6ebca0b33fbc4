import { randomBytes } from 'node:crypto';
import { quote } from '../quote.ts';

const nonce = randomBytes(4).toString('hex');

/** The word that begins the script's own lines; everything else is the file's. */
export const mark = `@traintop-log-${nonce}`;

/**
 * A path to `/` that spells the nonce: tail names itself by the path with which it was called, so that its notices cannot be
 * mistaken for the log's text. GNU tail says `PATH/tail: 'standard input': file truncated` where it happened, among the bytes.
 */
const root = `/${[...nonce].map((digit) => `${'./'.repeat((parseInt(digit, 16) % 4) + 1)}/`).join('')}`;

/** What tail (GNU 9.1) says in the middle of the bytes; the first group is the text before it. */
export const notice = new RegExp(`^([^]*?)${root.replaceAll('.', '\\.')}[^\\s:]*: (.*)$`);

/**
 * Follows one file, whatever becomes of its name: a servant that looks, reads and follows as it is told. The parser (parser.ts)
 * decides; each command is one line:
 *
 *     l INODE END LENGTH     look: what stands at the path, and beside it; the LENGTH bytes before END of the file INODE
 *     r INODE FROM REF       read that file from FROM to its end
 *     f INODE FROM REF       read it, and follow it
 *     t OFFSET               a tick: all up to OFFSET has come; is everything as it was?
 *     s                      stop following
 *     p PATH                 the file has another path now
 *     e                      end, saying why the path cannot be read
 *
 * REF is `=` (the file that is open), `@` (the path) or a path. The answers, each after the mark and in the order of the bytes:
 *
 *     hello                          ready for commands
 *     path|open|file INODE SIZE MTIME [PATH]    one file; `path` alone: none there
 *     found INODE SIZE MTIME PATH    the file INODE under any name
 *     text INODE HEX...              the bytes asked for; absent when they cannot be read, or the file was renamed meanwhile
 *     more                           there are more files beside it than are looked at
 *     looked SECONDS                 all was said; the host's clock
 *     at INODE SIZE FROM MTIME       the bytes from FROM on follow
 *     other                          another file stands there, one that is shorter than FROM, or it cannot be opened
 *     end                            the end of what was read
 *     stop WHY POSITION              no longer followed: tail had read up to POSITION. `moved`: another file has content at the path, and
 *                                    this one is quiet; `busy`: or it is not; `changed`: its first line is another; `behind`: tail has read
 *                                    less than has come, because it began anew; `gone`: tail died; `away`: for some ticks nothing stands at
 *                                    the path; `asked`
 *     idle                           a tick while nothing is followed
 *
 * What stands before `end` or `stop` on its line is the file's: a line without an end.
 *
 * The file is open on descriptor 5, which tail shares: /proc/self/fdinfo/5 says how far it has read, `-ef` whether the path still
 * leads there, and a deleted file is read to its end. Both are the shell's own (dash 0.5.12, bash 5.2, busybox 1.35): a tick starts no process.
 * GNU tail seeks to `-c +N`; busybox tail would read all before it, so dd moves the descriptor first. busybox has no -s of parts of seconds.
 */
export function followScript(path: string): string {
  const home = path.startsWith('~/');
  return `set -f; p=${home ? '"$userHome"/' : ''}${quote(home ? path.slice(2) : path)}
nl='
'
absolute() { case $p in /*) ;; *) p=./$p;; esac; }
absolute
T=$(command -v tail) || { echo 'tail: not found' >&2; exit 127; }
case $T in /*) T=${root}$T;; *) T=tail;; esac
case $("$T" --version 2>/dev/null </dev/null) in *GNU*) gnu='-s .25';; *) gnu=;; esac
M='${mark}'
say() { printf '%s %s\\n' "$M" "$*"; }
${looking}
${opening}
${following}
${ticking}
${watching}
ticks | { exec 3<&-
t= F= P= first= away=0; say hello
while IFS= read -r line; do
set -- $line
case $1 in
t) tick "$2";;
l) look "$2" "$3" "$4";;
r) halt; if open "$2" "\${line#* * * }" "$3"; then at "$3"; (pump); say end; else say other; fi;;
f) halt; if open "$2" "\${line#* * * }" "$3"; then at "$3"; pump -f & t=$! began= quiet=0 late=0 gone=0 first= try=1 lastP= lastE=; else say other; fi;;
s) stop asked;;
p) p=\${line#* }; absolute;;
e) why >&2; exit 3;;
esac; done; }`;
}

/** Says and looks, with `M` before each answer. Facts of files: inode, size and time of the last change (absent without stat). Looking takes a while, and names may lead elsewhere then. */
export const looking = `facts() { set -- $(stat -Lc '%i %s %Y' "$1" 2>/dev/null || ls -Lnid "$1" 2>/dev/null)
i=$1 n=$2 y=$3; [ $# -le 3 ] || { n=$6 y=; }; case $i$n in ''|*[!0-9]*) return 1;; esac; }
why() { [ -d "$p" ] && echo 'traintop: folder' && return; [ -e "$p" ] || { ls -Ld "$p" 2>&1 | grep -qi denied && echo 'traintop: denied' && return; echo 'traintop: missing' && return; }
[ -f "$p" ] || { echo 'traintop: special'; return; }; [ -r "$p" ] || { echo 'traintop: denied'; return; }; echo 'traintop: missing'; }
look() { I=$1 E=$2 N=$3 A= k= c= j=0 d=\${p%/*} b=\${p##*/}
if [ -f "$p" ] && [ -r "$p" ] && facts "$p"; then say path $i $n $y; [ "$i" != "$I" ] || A=$p; else say path; fi
if [ -n "$F" ] && facts /proc/self/fd/5; then say open $i $n $y; A=/proc/self/fd/5; fi
if [ -h "$p" ]; then k=$(readlink "$p"); case $k in /*) ;; *) k=$d/$k;; esac; c=\${k##*/}; c=\${c%%[0-9]*} k=\${k%/*}; fi
set --; set +f
for f in "$d/$b"[.-]* \${c:+"$k/$c"*}; do
case $f in *"$nl"*) continue;; esac
[ -f "$f" ] && [ ! -h "$f" ] && [ ! "$f" -ef "$p" ] || continue
j=$((j+1)); [ $j -le 60 ] || { say more; break; }
set -- "$@" "$f"; done
set -f
if [ -z "$A" ] && [ "$I" != 0 ]; then for f in "$d/" \${k:+"$k/"}; do
f=$(find "$f" -maxdepth 1 -type f -inum "$I" 2>/dev/null | head -n 1); [ -n "$f" ] && A=$f && stat -c "$M found %i %s %Y %n" -- "$f" 2>/dev/null && break; done; fi
[ $# -eq 0 ] || stat -c "$M file %i %s %Y %n" -- "$@" 2>/dev/null
if [ -n "$A" ] && [ $N -gt 0 ]; then k=$(od -An -v -tx1 -j $((E-N)) -N $N "$A" 2>/dev/null)
[ -z "$k" ] || ! facts "$A" || [ $i != "$I" ] || say text $I $k; fi
say looked $(date +%s); }`;

/**
 * `command`: a failing `exec` alone would end the shell. A file opened by /proc/self/fd is open anew, at its beginning. One that is shorter
 * than it was when it was looked at was truncated since, or has the inode of a file that was removed. tail moves the descriptor only once
 * it runs, seconds later on a busy host: until then it stands at FROM, and not at the beginning of a file that was cut.
 */
export const opening = `open() { case $2 in =) f=/proc/self/fd/5;; @) f=$p;; *) f=$2;; esac
[ -f "$f" ] && [ -r "$f" ] && { command exec 5<"$f"; } 2>/dev/null && F=1 && facts /proc/self/fd/5 && [ "$i" = "$1" ] && [ "$n" -ge "$3" ]; }
at() { o=$1; say at $i $n $o $y; }`;

const following = `pump() { if [ -n "$gnu" ]; then exec "$T" $gnu "$@" -c +$((o+1)) <&5 2>&1; fi
dd bs=1 skip=$o count=0 <&5 2>/dev/null; exec "$T" "$@" -c +1 <&5 2>&1; }
position() { P=; while read -r l v; do [ "$l" != pos: ] || P=$v; done </proc/self/fdinfo/5
[ -z "$P" ] || [ -n "$began" ] || if [ $P -ge $o ]; then began=1; else P=$o; fi; } 2>/dev/null
halt() { [ -z "$t" ] || { kill $t; wait $t; } 2>/dev/null; t=; }
stop() { [ -n "$t" ] || return; halt; position; say stop $1 $P; }`;

const ticking = `tick() { [ -n "$t" ] || { say idle; return; }
[ $1 -le $o ] || began=1
position
if [ ! /proc/$t/fd/0 -ef /proc/self/fd/5 ]; then gone=$((gone+1)); [ $gone -lt 2 ] || { stop gone; return; }; else gone=0; fi
watch $1; }`;

/** A change of the first line tells a file that was truncated and has grown again. Short first lines only: dash reads byte by byte. With `trust` it is not looked at. */
export const watching = `watch() { [ -e "$p" ] && away=0 || away=$((away+1))
[ $away -ne 3 ] || { away=4; stop away; return; }
[ -n "$P" ] || P=$1
[ $1 -le $P ] || { stop behind; return; }
if [ -n "$first" ]; then [ -n "$trust" ] || { l=; IFS= read -r l </proc/self/fd/5; [ "$l" = "$first" ] || { stop changed; return; }; }
elif [ $P -ge $try ]; then learn; fi
if [ "$p" -ef /proc/self/fd/5 ] || [ ! -s "$p" ] || [ ! -f "$p" ] || [ ! -r "$p" ]; then quiet=0 late=0
else [ "$P" = "$lastP" ] || late=$((late+1)); if [ "$P/$1" = "$lastP/$lastE" ]; then quiet=$((quiet+1)); else quiet=0; fi
if [ $quiet -ge 1 ]; then stop moved; elif [ $late -ge 6 ]; then stop busy; fi; fi
lastP=$P lastE=$1; }
learn() { try=$((P < 4096 ? P*2 : 1<<60))
[ $(dd bs=300 count=1 2>/dev/null </proc/self/fd/5 | wc -l) -eq 0 ] || IFS= read -r first </proc/self/fd/5; }`;
