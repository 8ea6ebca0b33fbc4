import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startTerminal, type Terminal } from '../../test/support/terminal.ts';
import { screenToSvg } from './svg.ts';

const HELP = `node scripts/look.mjs [ARGS of traintop] [options]
  --cols N, --rows N    size of the terminal (120x40)
  --seconds N           how long it runs before the first key (3)
  --wait TEXT           waits until the screen shows the regular expression before that
  --keys a,b,...        keys by name (down,enter,ctrl-c: test/support/keys.ts) or character; text:abc types, wait:2 waits 2 s
  --env NAME=VALUE      repeatable
  --shell COMMAND       runs this instead of bin/traintop.js
  -o FILE.png           the picture (.cache/look.png); FILE.svg is written beside it, or alone when it ends in .svg
The screen's text goes to standard output.`;

/** The command line of scripts/look.mjs; resolves with its exit code. */
export async function look(argv: readonly string[]): Promise<number> {
  const { own, args } = split(argv);
  if (argv.includes('--help') && own['shell'] === undefined) {
    console.log(HELP);
    return 0;
  }
  const terminal = startTerminal({
    ...(own['shell'] === undefined ? { args } : { command: ['sh', '-c', own['shell'].join(' ')] }),
    cols: Number(last(own, 'cols', '120')),
    rows: Number(last(own, 'rows', '40')),
    env: Object.fromEntries((own['env'] ?? []).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
  });
  try {
    if (own['wait'] !== undefined) await terminal.waitFor(new RegExp(last(own, 'wait', '')), 30_000);
    await pass(Number(last(own, 'seconds', '3')) * 1000);
    for (const step of last(own, 'keys', '').split(',').filter(Boolean)) await take(terminal, step);
    picture(terminal, last(own, 'o', '.cache/look.png'));
    console.log(terminal.screen());
  } finally {
    terminal.kill('SIGTERM');
    await Promise.race([terminal.exit, pass(3000, undefined, { ref: false })]);
    await terminal.close();
  }
  return 0;
}

const OWN = /^(?:--(cols|rows|seconds|wait|keys|env|shell)|-(o))$/;

function split(argv: readonly string[]): { own: Record<string, string[]>; args: string[] } {
  const own: Record<string, string[]> = {};
  const args: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    const match = OWN.exec(word);
    if (match === null) args.push(word);
    else (own[match[1] ?? match[2] ?? ''] ??= []).push(argv[++index] ?? '');
  }
  return { own, args };
}

function last(own: Record<string, string[]>, name: string, otherwise: string): string {
  return own[name]?.at(-1) ?? otherwise;
}

async function take(terminal: Terminal, step: string): Promise<void> {
  const [, verb, rest = ''] = /^(text|wait):(.*)$/s.exec(step) ?? [];
  if (verb === 'wait') return pass(Number(rest) * 1000);
  if (verb === 'text') terminal.type(rest);
  else terminal.press(step);
  // A person's pace: what a key does is on the screen before the next one.
  await pass(250);
}

function picture(terminal: Terminal, path: string): void {
  const svg = path.replace(/\.(png|svg)$/, '') + '.svg';
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(svg, screenToSvg(terminal.xterm));
  if (path.endsWith('.svg')) return;
  try {
    execFileSync('rsvg-convert', ['--zoom', '1.5', '-o', path, svg]);
  } catch (error) {
    console.error(`no ${path}: ${String(error)} (rsvg-convert is in Debian's librsvg2-bin)`);
  }
}
