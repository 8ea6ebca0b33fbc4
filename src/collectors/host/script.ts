import type { HostFacts } from '../../model/facts.ts';
import { quote } from '../quote.ts';
import { awkProgram } from './awk.ts';
import { lookFunctions } from './look-script.ts';

/**
 * The clocked reader of the host. The client's line `SHELLPIDS|RUNPIDS` (PIDs parted by spaces) is the tick; what stands behind one more `|` is a slow look
 * that begins with it, its words quoted by the client. `root` stands before /proc and /sys, for tests on trees of files.
 *
 * The shell in the middle adds the list of all PIDs, which awk cannot make without a process: for a new set of shells, at the
 * next tick (a shell says its PID before it has started anything), and every 15th tick for what they started since. `set` and `printf` are built in: nothing is started for a tick.
 */
export function hostScript(facts: Pick<HostFacts, 'awk' | 'pageSize'>, root = ''): string {
  const awk = facts.awk === 'mawk' ? 'awk -W interactive' : 'awk';
  return `
root=${quote(root)}${lookFunctions}
ticks | { cd "$root/proc" || exit 1; n=0 last=none
while read -r l; do wish=
case $l in *\\|*\\|*) wish=\${l#*\\|*\\|} l=\${l%"|$wish"};; esac
case $l in *[!0-9\\ \\|]*|'') continue;; esac
if [ "\${l%%|*}" = "$last" ]; then n=$(((n + 1) % 15)); else n=14 last=\${l%%|*} l="$l|new"; fi
case $n$l in
0*|*new) set -- [0-9]*; case $l in *new) ;; *) l="$l|";; esac; printf '%s|%s\\n' "$l" "$*";;
*) printf '%s\\n' "$l";;
esac
[ "$wish" ] && eval "start $wish"
done; [ -z "$busy" ] || kill $busy 2>/dev/null; } | ${awk} -v root="$root" -v page=${facts.pageSize} '${awkProgram}'`;
}
