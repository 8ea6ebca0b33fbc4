import type { Clock } from '../clock.ts';
import { attachScript, watchesScript } from '../collectors/attach-scripts.ts';
import { runJob } from '../collectors/stream.ts';
import type { Transport } from '../collectors/transport/transport.ts';
import { parseWatchFile, type WatchFile } from './watch-lock.ts';
import { wireOfChannel, wireOfStream, type Wire } from './wire.ts';

const lookMs = 20_000;

/** The watches on the host that live. Rejects with a sentence. */
export async function watchesThere(transport: Transport, clock: Clock): Promise<readonly WatchFile[]> {
  const { output, bodyCode, errorText } = await runJob({
    ...{ transport, clock, name: 'watches', body: watchesScript, timeoutMs: lookMs },
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
  channel.write(attachScript(watch));
  return wireOfChannel(channel);
}
