import { Terminal } from '@xterm/headless';
import type { replayDemo, ReplayOptions } from '../../bench/replay.tsx';
import { screenToSvg } from './svg.ts';

/** What of a replay's screen stands after its last second, as `look` sees it: a picture unless said otherwise. */
export async function screenOf(
  replay: typeof replayDemo,
  options: Omit<ReplayOptions, 'onBytes' | 'onEnd'>,
  look: (terminal: Terminal) => string = screenToSvg,
): Promise<string> {
  const { columns: cols, rows } = options;
  // A real terminal's driver makes CR LF of LF.
  const terminal = new Terminal({ cols, rows, allowProposedApi: true, convertEol: true });
  let seen = '';
  await replay({
    ...options,
    onBytes: (bytes) => terminal.write(bytes),
    async onEnd() {
      await new Promise<void>((done) => terminal.write('', done));
      seen = look(terminal);
    },
  });
  terminal.dispose();
  return seen;
}
