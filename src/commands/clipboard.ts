import { spawn } from 'node:child_process';

interface Where {
  readonly env: NodeJS.ProcessEnv;
  /** The user's terminal. */
  readonly output: Pick<NodeJS.WriteStream, 'write'>;
}

/** Terminals drop longer ones (xterm and tmux take some 100 KB); what is copied here is a path. */
const longest = 8192;
const patienceMs = 2000;

/**
 * Puts a text on the clipboard; gives how, as the end of "Copied …". In tmux its own buffer takes it, and with `-w` (tmux 3.2) tmux tells
 * the terminal: with the default `set-clipboard external` it drops the OSC 52 of a program, and what is wrapped to pass through as well.
 * Elsewhere OSC 52 goes to the terminal, which does not answer whether it took it. Rejects with a sentence.
 */
export async function copyText(text: string, { env, output }: Where): Promise<string> {
  if (Buffer.byteLength(text) > longest) throw new Error('It is too long for the clipboard.');
  if (env.TMUX) {
    if (await toTmux(['load-buffer', '-w', '-'], text)) return 'to the clipboard and the buffer of tmux';
    if (await toTmux(['load-buffer', '-'], text)) return 'to the buffer of tmux (prefix ])';
  }
  output.write(osc52(text, env));
  return 'to the clipboard, where the terminal takes OSC 52';
}

/** screen and an old tmux hand on only what is wrapped in a device control string. */
function osc52(text: string, { TMUX, STY }: NodeJS.ProcessEnv): string {
  const sequence = `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;
  if (TMUX) return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
  return STY ? `\x1bP${sequence}\x1b\\` : sequence;
}

function toTmux(args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const tmux = spawn('tmux', args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: patienceMs });
    tmux.on('error', () => resolve(false));
    tmux.on('close', (code) => resolve(code === 0));
    tmux.stdin.on('error', () => {});
    tmux.stdin.end(text);
  });
}
