import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../support/remove-folder.ts';
import { startTerminal, type Terminal, type TerminalOptions } from '../support/terminal.ts';

/** A home of the test's own: neither the user's ~/.ssh nor their captures are touched. */
export interface Home {
  readonly folder: string;
  /** HOME, XDG_DATA_HOME, XDG_STATE_HOME, and a marker that everything started below carries. */
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
  /** Where captures are saved. */
  readonly captures: string;
  /** A path in it. */
  file(name: string): string;
  remove(): void;
}

const homes = new Set<Home>();

/** Makes a home; `removeHomes` takes all of them away. */
export function makeHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-e2e-'));
  mkdirSync(join(folder, '.ssh'), { mode: 0o700 });
  const marker = folder.split('-').at(-1) ?? '';
  const home: Home = {
    folder,
    marker,
    env: {
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_STATE_HOME: join(folder, 'state'),
      TRAINTOP_E2E: marker,
      SSH_AUTH_SOCK: '',
    },
    captures: join(folder, 'data/traintop/captures'),
    file: (name) => join(folder, name),
    remove: () => removeFolder(folder),
  };
  homes.add(home);
  return home;
}

/** For `afterAll`. */
export function removeHomes(): void {
  homes.forEach((home) => home.remove());
  homes.clear();
}

/** Starts `bin/traintop.js` in a terminal. */
export function traintop(home: Home, args: readonly string[], more: Omit<TerminalOptions, 'args'> = {}): Terminal {
  return startTerminal({ ...more, args, env: { ...home.env, ...more.env } });
}

/** The rows of a panel, its frame included, found by its title: `GPUs`, `Threads`. Empty when it is not on the screen. */
export function panel(screen: string, title: string): readonly string[] {
  const rows = screen.split('\n').map((row) => [...row]);
  const top = rows.findIndex((row) => topOf(row, title) >= 0);
  const left = topOf(rows[top] ?? [], title);
  if (top < 0) return [];
  const end = rows.findIndex((row, i) => i > top && row[left] === '╰');
  const width = (rows[top] ?? []).indexOf('╮', left) - left + 1;
  return rows.slice(top, end + 1).map((row) => row.slice(left, left + width).join(''));
}

function topOf(row: readonly string[], title: string): number {
  const text = row.join('');
  const at = new RegExp(`╭─ [⁰-⁹¹²³]?${title} `).exec(text)?.index;
  return at === undefined ? -1 : [...text.slice(0, at)].length;
}

/** The text of the cells drawn in inverse below the header and above the footer: the cursor's row. */
export function cursorRow(terminal: Terminal): string {
  const { buffer, rows } = terminal.xterm;
  for (let y = 2; y < rows - 1; y++) {
    const line = buffer.active.getLine(buffer.active.baseY + y);
    let text = '';
    for (let x = 0; x < terminal.xterm.cols; x++) {
      const cell = line?.getCell(x);
      if (cell?.isInverse()) text += cell.getChars() || ' ';
    }
    if (text.trim() !== '') return text;
  }
  return '';
}

/** What a program may send to a terminal: colours, cursor moves, erasing, and the modes that it sets and takes back. */
const known = /\x1b\[(?:[0-9;]*m|\d*(?:;\d*)?[A-H]|[02]?[JK]|\?(?:25|1049|2026|2004|1004)[hl])|\r|\n/g;

/** Control characters and sequences in what was written that no screen needs; none is what there should be. */
export function oddBytes(raw: string): readonly string[] {
  const rest = raw.replace(known, '\0\0');
  // Two NULs stand for what was taken out, so that its neighbours do not become a sequence.
  return [...rest.matchAll(/\x1b.{0,12}|(?:\0\0)+|[\x00-\x1f\x7f-\x9f]/gs)]
    .map(([text]) => text)
    .filter((text) => !/^(?:\0\0)+$/.test(text))
    .map((text) => JSON.stringify(text));
}

/** A process of this machine whose environment has the home's marker: whoever reads more of it later may find it ended. */
export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
  /** `NAME=value` of each variable it was started with. */
  readonly environment: readonly string[];
}

export function markedProcesses(marker: string): readonly MarkedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      // The command first: `env X=1 sh` that becomes `sh` in between then has its old name and not an old environment.
      const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
      const environment = read(`/proc/${name}/environ`).split('\0');
      return environment.includes(`TRAINTOP_E2E=${marker}`) ? [{ pid: Number(name), command, environment }] : [];
    });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it ended, or belongs to somebody else
  }
}
