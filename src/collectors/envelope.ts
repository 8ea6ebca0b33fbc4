/** Seconds without a sign of life from the client after which everything on the host ends by itself. */
export const leaseSeconds = 30;

/** The line that renews the lease; sent every third of it. */
export const leaseLine = '+\n';

interface Script {
  /** Names the collector in the script's first line. */
  readonly name: string;
  /** POSIX sh. It may call `ticks`, which prints the client's lines; its standard input is /dev/null. */
  readonly body: string;
  /** Marks the first and the last line of the answer, so that banners and log-in texts are told apart from it. */
  readonly nonce: string;
  /** The body calls `ticks` itself. Else the lease is watched beside it. */
  readonly talks: boolean;
}

/**
 * Wraps a body so that it can be fed to `sh -s` and leaves nothing behind: end of input ends it at once, a silent cut when
 * the lease runs out. It is one compound command, so that a shell that reads ahead (dash reads blocks) has it whole before
 * the first tick, and the client sends ticks only after the first marked line.
 *
 * The answer: whatever a log-in shell prints, `@traintop NONCE SHELLPID`, the body's output, `@end NONCE CODE`. A stream that
 * ends without the last line was cut, whatever code a wrapper made of it (kubectl exec exits 0 on some cuts).
 *
 * `kill 0` reaches the process group, which is ours alone: sshd, container engines and local.ts make one a channel.
 */
export function envelope({ name, body, nonce, talks }: Script): string {
  return `# traintop:${name}
{ exec 3<&0 </dev/null
userHome=$HOME; LC_ALL=C HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent TERM=dumb
export LC_ALL HOME XDG_CONFIG_HOME TERM; unset COLUMNS LINES
shell=$$ fin=
stop() { trap '' TERM HUP INT; kill 0 2>/dev/null; exit 1; }
trap : USR1; trap fin=1 USR2; trap stop TERM HUP INT
ticks() { while read -r l; do case $l in +) kill -USR1 $shell;; *) printf '%s\\n' "$l";; esac; done <&3; }
printf '\\n@traintop ${nonce} %s\\n' $$
{ ( ${body}
)${talks ? '' : ' 3<&-'}; printf '\\n@end ${nonce} %s\\n' $?; kill -USR2 $shell; } &
${talks ? '' : '{ ticks >/dev/null; kill $shell; } 2>/dev/null &'}
exec 3<&-
while [ -z "$fin" ]; do sleep ${leaseSeconds} & z=$!; wait $z && break; kill $z 2>/dev/null; done
stop; }
`;
}
