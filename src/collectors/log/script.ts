import { randomBytes } from 'node:crypto';
import { quote } from '../quote.ts';

/** At the first look: this much of the end of the file. */
const attachBytes = 256 * 1024;
/** After a break: at most this much of what was missed. */
const resumeBytes = 4 * 1024 * 1024;

/** Where a reader stands in a file. */
export interface Position {
  readonly inode: string;
  readonly offset: number;
}

/** The word that begins the script's own lines; everything else is the file's. */
export const mark = `@traintop-log-${randomBytes(4).toString('hex')}`;

/**
 * Follows one file. The answer:
 *
 *     @traintop-log at INODE SIZE FROM [replaced|truncated|skipped]   first: bytes from FROM on follow; the file has SIZE now
 *     ...the file's bytes...
 *     @traintop-log truncated                                         tail found the file shorter and reads on from its beginning
 *     @traintop-log replaced                                          another file stands there, read from its beginning
 *     @traintop-log end                                               what stood before it without a line end is no whole line
 *
 * It ends when the file is missing, a folder or not readable, with that word on standard error. FROM is one byte before what is
 * wanted, unless that is the beginning, so that the first line is always a rest: whole lines begin after it.
 *
 * `ls -n` tells inode and size everywhere, in one process and without reading the file (busybox wc reads it). tail prints its notices
 * on standard error (GNU 9.1: `file truncated`, `has become inaccessible`, `has been replaced;  following new file`; busybox 1.35:
 * `has been renamed or deleted`, `has been replaced`, nothing for a truncation, which it sees only while
 * the file is shorter than what was read).
 */
export function followScript(path: string, position?: Position): string {
  const home = path.startsWith('~/');
  return `set -f; p=${home ? '"$userHome"/' : ''}${quote(home ? path.slice(2) : path)}
case $p in /*) ;; *) p=./$p;; esac
why() { [ -d "$p" ] && echo 'traintop: folder' && return; [ -e "$p" ] || { ls -Ld "$p" 2>&1 | grep -qi denied && echo 'traintop: denied' && return; echo 'traintop: missing' && return; }
[ -f "$p" ] || { echo 'traintop: special'; return; }; echo 'traintop: denied'; }
[ -f "$p" ] && [ -r "$p" ] || { why >&2; exit 3; }
set -- $(ls -Lnid "$p" 2>/dev/null); i=$1 n=$6 note=
case $n in ''|*[!0-9]*) echo 'traintop: missing' >&2; exit 3;; esac
o=${position ? position.offset : `$((n>${attachBytes}?n-${attachBytes}:0))`}
${position ? resume(position) : ''}
[ $o -gt 0 ] && o=$((o-1))
printf '${mark} at %s %s %s %s\\n' "$i" "$n" "$o" "$note"
exec 4>&1
sh -c 'echo "$$" >&2; exec tail -c "$0" -F "$1"' "+$((o+1))" "$p" 2>&1 >&4 4>&- | {
read -r t
while read -r l; do case $l in
*inaccessible*|*'renamed or deleted'*|*'No such file'*) kill "$t"; echo 'traintop: missing' >&2; break;;
*ermission*denied*) kill "$t"; echo 'traintop: denied' >&2; break;;
*truncated*) printf '\\n${mark} truncated\\n';;
*replaced*|*'new file'*) printf '\\n${mark} replaced\\n';;
*) printf '%s\\n' "$l" >&2;;
esac; done; printf '\\n${mark} end\\n'; exit 3; }`;
}

function resume({ inode }: Position): string {
  const same = inode === '' ? '' : `[ "$i" = ${quote(inode)} ] || { o=0 note=replaced; }\n`;
  return `${same}[ $o -gt $n ] && { o=0 note=truncated; }
[ $((n-o)) -gt ${resumeBytes} ] && { o=$((n-${resumeBytes})) note=skipped; }`;
}
