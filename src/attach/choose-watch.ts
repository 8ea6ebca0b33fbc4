import type { WatchFile } from './watch-lock.ts';

/** The watch that is meant. Throws an Error with a sentence where none or several are. `where`: `this machine`, `gpu7`. */
export function chooseWatch(
  watches: readonly WatchFile[],
  wish: { readonly where: string; readonly name?: string },
): WatchFile {
  const { where, name } = wish;
  const meant = name === undefined ? watches : named(watches, name);
  const [only] = meant;
  if (only && meant.length === 1) return only;
  if (watches.length === 0) throw new Error(`No watch runs on ${where}: traintop --headless [TARGET] begins one.`);
  const list = (meant.length > 0 ? meant : watches).map(lineOf).join('\n');
  if (meant.length === 0) throw new Error(`No watch on ${where} is called ${name}. There are:\n${list}`);
  throw new Error(`${meant.length} watches run on ${where}; choose one with --watch NAME:\n${list}`);
}

/** Of that name; else those whose name, or target, begins so. */
function named(watches: readonly WatchFile[], name: string): readonly WatchFile[] {
  const exact = watches.filter((each) => each.name === name);
  return exact.length > 0 ? exact : watches.filter((each) => each.name.startsWith(name));
}

function lineOf({ name, target, wrap, pid, startedAt, demo }: WatchFile): string {
  const since = new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
  const through = wrap === undefined ? '' : ` through ${wrap}`;
  return `  ${name}  ${target}${through}${demo ? ' (simulated)' : ''}, PID ${pid}, since ${since} UTC`;
}
