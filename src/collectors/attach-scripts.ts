import { quote } from './quote.ts';

/** The name of the file in which a watch tells of itself. */
export const watchFileName = 'watch.json';

/**
 * Looks for watches on a host, in the places of attach/places.ts: of each the file, behind what its lock says of it. A process is the one that wrote the
 * lock if it began then; without /proc a process of that number will do.
 */
export const watchesScript = `u=$(id -u)
for b in "\${XDG_STATE_HOME:-$HOME/.local/state}/traintop/watches" "\${XDG_RUNTIME_DIR:-/run/user/$u}/traintop/watches" "/tmp/traintop-$u/watches"; do
  for f in "$b"/*/${watchFileName}; do
    [ -f "$f" ] && [ -O "$f" ] || continue
    l=$(head -c 1000 "\${f%/*}/.lock" 2>/dev/null) || continue
    p=$(printf %s "$l" | sed -n 's/.*"pid":\\([0-9][0-9]*\\).*/\\1/p')
    s=$(printf %s "$l" | sed -n 's/.*"started":"\\([0-9][0-9]*\\)".*/\\1/p')
    kill -0 "$p" 2>/dev/null || continue
    n=$(sed 's/.*) //' "/proc/$p/stat" 2>/dev/null | cut -d ' ' -f 20)
    [ -z "$s" ] || [ -z "$n" ] || [ "$s" = "$n" ] || continue
    printf '@watch %s\\n' "$(head -c 60000 "$f")"
  done
done
`;

/** Joins the channel to a watch there, by the program that it runs. It stands alone, without an envelope: what comes behind it is the watch's. */
export function attachScript({ node, program, name }: AttachWords): string {
  const args = `attach --stdio --watch ${quote(name)}`;
  return `# traintop:attach
[ -f ${quote(program)} ] && [ -x ${quote(node)} ] && exec ${quote(node)} ${quote(program)} ${args}
command -v traintop >/dev/null && exec traintop ${args}
echo "sshd forwards no sockets there (AllowStreamLocalForwarding), and traintop is not on PATH" >&2
exit 127
`;
}

interface AttachWords {
  readonly node: string;
  readonly program: string;
  readonly name: string;
}
