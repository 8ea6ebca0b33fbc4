import type { Clock } from '../clock.ts';
import { quote } from '../collectors/quote.ts';
import { runJob } from '../collectors/stream.ts';
import type { Transport } from '../collectors/transport/transport.ts';
import { parseWatchFile, watchFileName, type WatchFile } from './watch-lock.ts';
import { wireOfChannel, wireOfStream, type Wire } from './wire.ts';

/**
 * Looks for watches on a host, in the places of places.ts: of each the file, behind what its lock says of it. A process is the one that wrote the
 * lock if it began then; without /proc a process of that number will do.
 */
const script = `u=$(id -u)
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

const lookMs = 20_000;

/** The watches on the host that live. Rejects with a sentence. */
export async function watchesThere(transport: Transport, clock: Clock): Promise<readonly WatchFile[]> {
  const { output, bodyCode, errorText } = await runJob({
    ...{ transport, clock, name: 'watches', body: script, timeoutMs: lookMs },
  });
  if (bodyCode === undefined)
    throw new Error(
      `${transport.target} did not say which watches run there${errorText ? `: ${errorText.trim()}` : ''}.`,
    );
  const found = new Map<string, WatchFile>();
  for (const line of output.split('\n')) {
    const file = line.startsWith('@watch ') ? parseWatchFile(line.slice('@watch '.length)) : undefined;
    if (file && !found.has(file.name)) found.set(file.name, file);
  }
  return [...found.values()].sort((a, b) => a.startedAt - b.startedAt);
}

/**
 * The way to one of them: its socket, which sshd forwards; where it does not, and behind a wrapper, by \`traintop attach --stdio\` there, as the
 * watch itself was started. Rejects with a sentence.
 */
export async function openThere(transport: Transport, watch: WatchFile): Promise<Wire> {
  if (transport.wrap === undefined && transport.openSocket && watch.socket !== undefined) {
    try {
      return wireOfStream(await transport.openSocket(watch.socket));
    } catch {
      // AllowStreamLocalForwarding no, or an sshd that does not know of it.
    }
  }
  const channel = await transport.open();
  const program = [watch.node, watch.program].map(quote).join(' ');
  const args = `attach --stdio --watch ${quote(watch.name)}`;
  channel.write(`# traintop:attach
[ -f ${quote(watch.program)} ] && [ -x ${quote(watch.node)} ] && exec ${program} ${args}
command -v traintop >/dev/null && exec traintop ${args}
echo "sshd forwards no sockets there (AllowStreamLocalForwarding), and traintop is not on PATH" >&2
exit 127
`);
  return wireOfChannel(channel);
}
