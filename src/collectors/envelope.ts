/** Seconds without a sign of life from the client after which everything on the host ends by itself, or up to a third later. */
export const leaseSeconds = 30;

/** The line that renews the lease; sent every third of it. */
export const leaseLine = '+\n';

/** The line that ends the lease, for wrappers that do not pass on the end of input (kubectl exec may not). */
export const endLine = '-\n';

/**
 * The same for a script that may not have begun. Its shell reads ahead (dash, busybox: blocks of 8 KiB), and `ticks` never sees what it took with the
 * script: the blanks are for that, and `read` drops the others. A shell that waits for the script once more takes both lines for commands.
 */
export const earlyEndLine = `${' '.repeat(2 * 8192)}${endLine}exit\n`;

interface Script {
  /** Names the collector in the script's first line. */
  readonly name: string;
  /** POSIX sh. It may call `ticks`, which prints the client's lines; its standard input is /dev/null. */
  readonly body: string;
  /** Marks the first and the last line of the answer, so that banners and log-in texts are told apart from it. */
  readonly nonce: string;
  /** The body calls `ticks` itself. Else the lease is watched beside it. */
  readonly talks: boolean;
  /** How long the lease is, in whole seconds; default leaseSeconds. */
  readonly lease?: number;
  /** It is sent for the second time, to a shell that leads a group of its own now. */
  readonly again?: boolean;
}

/**
 * Wraps a body so that it can be fed to `sh -s` and leaves nothing behind: end of input ends it at once, a silent cut when
 * the lease runs out. It is one compound command, so that a shell that reads ahead (dash reads blocks) has it whole before
 * the first tick, and the client sends ticks only after the first marked line.
 *
 * The answer: whatever a log-in shell prints, `@traintop NONCE SHELLPID`, the body's output, `@end NONCE CODE`. A stream that
 * ends without the last line was cut, whatever code a wrapper made of it (kubectl exec exits 0 on some cuts).
 *
 * `kill 0` reaches the process group, which must be ours alone. sshd, docker, podman, slurmd and local.ts make one a channel;
 * lxc-attach and nsenter leave the shell in theirs, and `lxc exec` in that of the daemon (LXD 5.0.2), which would be ended too. So
 * a shell that leads no group says `@again NONCE 0` and becomes one that does; it has read everything that was sent, and the
 * client sends the script once more. Whoever finds the shell itself gone (killed by hand or by the OOM killer) ends the group
 * in its place.
 *
 * Nothing is taken from the environment, which may not have crossed the wrapper: PATH has the usual folders at its end, and
 * those that hold nvidia-smi in images of GKE and under WSL.
 *
 * Two races decide the order. A child just forked by a shell with traps (dash 0.5.12) has its parent's until it runs, and
 * takes a kill for nothing: so the traps for ends come after the forks, the shell forks nothing later on, and kills twice.
 * A signal can come just before a `wait` and be missed: so the shell waits for the body itself.
 */
export function envelope({ name, body, nonce, talks, lease = leaseSeconds, again = false }: Script): string {
  const step = Math.max(1, Math.round(lease / 3));
  const steps = Math.ceil(lease / step) + 1;
  return `# traintop:${name}
{ PATH=\${PATH:+$PATH:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/nvidia/bin:/usr/lib/wsl/lib; export PATH
${again ? '' : leadGroup(nonce)}exec 3<&0 </dev/null
userHome=$HOME; LC_ALL=C HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent TERM=dumb
export LC_ALL HOME XDG_CONFIG_HOME TERM; unset COLUMNS LINES
shell=$$ left=${steps}
stop() { trap '' TERM HUP INT; { kill 0; sleep 0; kill 0; } 2>/dev/null; exit 1; }
trap left=${steps} USR1; trap 'left=$((left-1)); [ $left -gt 0 ] || stop' ALRM
tell() { kill "$@" $shell 2>/dev/null || kill -KILL 0; }
ticks() { while read -r l; do case $l in +) tell -USR1;; -) break;; *) printf '%s\\n' "$l";; esac; done <&3; }
printf '\\n@traintop ${nonce} %s\\n' $$
{ while sleep ${step}; do tell -ALRM; done; } >/dev/null 2>&1 3<&- &
${talks ? '' : '{ ticks; kill 0; } >/dev/null 2>&1 &'}
{ ( ${body}
)${talks ? '' : ' 3<&-'}; printf '\\n@end ${nonce} %s\\n' $?; tell -0; } &
body=$!; exec 3<&-; trap stop TERM HUP INT
while wait $body; [ $? -gt 128 ] && kill -0 $body; do :; done 2>/dev/null
stop; }
`;
}

/** What a host without setsid says; it ends the script. */
export const noSetsid = 'traintop: no setsid';

function leadGroup(nonce: string): string {
  return `{ read -r _ _ _ _ group _ </proc/self/stat; } 2>/dev/null
[ "$group" = $$ ] || {
command -v setsid >/dev/null || { echo '${noSetsid}' >&2; exit 127; }
printf '\\n@again ${nonce} 0\\n'; exec setsid sh -s; }
`;
}
