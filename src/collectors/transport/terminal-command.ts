import type { TerminalOptions } from './transport.ts';

/**
 * The command line of a user's shell behind a wrapper: plain words, because quoting would pass through every layer. `env` makes
 * TERM cross them. The wrapper is the user's own text, as the shell takes it; what its tools need to give a terminal is added.
 */
export function terminalCommand({ wrap, shell, env, check, mark }: Init): string {
  if (check) return `${withTerminal(wrap)} env LC_ALL=C tty`;
  const words = shell !== undefined && plainPath.test(shell) ? `${shell} -l` : 'sh';
  const marked = mark === undefined ? '' : `TRAINTOP_SHELL=${mark} `;
  return `${withTerminal(wrap)} env TERM=${termOf(env)} ${marked}${words}`;
}

interface Init extends Omit<TerminalOptions, 'size'> {
  readonly wrap: string;
}

const plainPath = /^\/[\w./+-]+$/;

/** The terminal's type, one that is a plain word. */
export function termOf({ TERM }: NodeJS.ProcessEnv): string {
  return TERM !== undefined && /^[\w.+-]+$/.test(TERM) ? TERM : 'xterm-256color';
}

/**
 * A wrapper for scripts (`docker exec -i`) as one for a terminal. pct, lxc and incus look at their own standard input; sudo, nsenter,
 * env, setpriv, unshare and chroot pass it on. Exported for its tests.
 */
export function withTerminal(wrap: string): string {
  const words = split(wrap);
  const texts = words.map(({ text }) => text);
  return words.map(({ space, text }, at) => space + (changed(texts, at) ?? text)).join('');
}

/**
 * Words with what is before them. Quotes are taken for space: what stands in them may be words too (`ssh HOST 'docker exec -i X'`), and
 * nothing but flags is added.
 */
function split(line: string): readonly { readonly space: string; readonly text: string }[] {
  return [...line.matchAll(/([\s'"]*)([^\s'"]*)/g)].map(([, space = '', text = '']) => ({ space, text }));
}

function changed(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? '';
  const before = words.slice(0, at);
  if (toolOf(word) === 'srun') return words.includes('--pty', at) ? undefined : `${word} --pty`;
  if (toolOf(word) === 'ssh') return firstWord(words, at) === undefined ? undefined : `${word} -t`;
  if (word === '-T' && before.some(isCompose)) return '';
  if (word === '-T' && before.some((word) => /^(?:ssh|lxc|incus)$/.test(toolOf(word)))) return '-t';
  if (!/^(?:exec|run)$/.test(word) || before.some(isCompose)) return undefined;
  const engine = before.findLastIndex((word) => engines.test(toolOf(word)));
  if (engine < 0 || subcommand(words, engine) !== at) return undefined;
  // kubectl takes options behind the pod's name too.
  const options = /^(?:kubectl|oc)$/.test(toolOf(words[engine] ?? ''))
    ? allOptions(words, at)
    : optionsAfter(words, at);
  return options.some((option) => /^(?:-[a-z]*t[a-z]*|--tty|--tty=true)$/.test(option)) ? undefined : `${word} -t`;
}

const engines = /^(?:docker|podman|nerdctl|kubectl|oc|crictl)$/;
/** It gives a terminal by itself. */
const isCompose = (word: string) => /compose$/.test(word);

/** The name of a program, whatever folder it is in. */
function toolOf(word: string): string {
  return word.split('/').at(-1) ?? '';
}

/** Of ssh, docker, podman and kubectl: options whose value is a word of its own. */
const takesValue =
  /^(?:-[bcDEeFHIiJLlmnOopQRSsuWw]|--(?:container|namespace|context|kubeconfig|cluster|user|server|env|env-file|workdir|host|config|connection|url|detach-keys|name))$/;

function optionsAfter(words: readonly string[], at: number): readonly string[] {
  return words.slice(at + 1, firstWord(words, at)).filter((word) => word.startsWith('-'));
}

function allOptions(words: readonly string[], at: number): readonly string[] {
  const end = words.indexOf('--', at);
  return words.slice(at + 1, end < 0 ? undefined : end).filter((word) => word.startsWith('-'));
}

/** Where the first word behind a program's options is: ssh's host, docker's container. */
function firstWord(words: readonly string[], at: number): number | undefined {
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--' || word === '') return undefined;
    if (!word.startsWith('-')) return i;
    // docker's -i has no value, ssh's has.
    if (takesValue.test(word) && !(word === '-i' && toolOf(words[at] ?? '') !== 'ssh')) i++;
  }
  return undefined;
}

function subcommand(words: readonly string[], engine: number): number | undefined {
  const at = firstWord(words, engine);
  return at !== undefined && words[at] === 'container' ? firstWord(words, at) : at;
}
