/** A file that a pattern names, as the host told it. */
export interface FoundFile {
  /** DEVICE.INODE: two names of one file have the same. */
  readonly id: string;
  readonly changed: number;
  readonly path: string;
}

/** Whether a path names files by a pattern: the shell on the host matches it, as far as no file has that very name. */
export function isPattern(path: string): boolean {
  return /[*?]|\[[^\]]+\]/.test(path);
}

/** Asks the host which files patterns name, and gathers its answers. */
export function createSearch(patterns: readonly { readonly source: string; readonly path: string }[]) {
  let asked = [...patterns];
  let found: FoundFile[] = [];
  return {
    /** The lines for a servant. */
    lines() {
      asked = [...patterns];
      found = [];
      return patterns.map(({ path }) => `x ${path}`);
    },
    /** Takes `found DEVICE.INODE MTIME PATH`; gives a pattern and all its files when it hears `globbed`. */
    hear(words: string) {
      const [, id = '', changed, path = ''] = /^found (\S+) (\d+) ([^]*)$/.exec(words) ?? [];
      // A name that is no UTF-8 cannot be given back to the host.
      if (path !== '' && !path.includes('\ufffd')) found.push({ id, changed: Number(changed), path });
      if (!words.startsWith('globbed ')) return undefined;
      const pattern = asked.shift();
      const files = found;
      found = [];
      return pattern && { pattern, files };
    },
  };
}

/** What to follow of the files that a pattern names, the newest first: each once, and none that rotation left of another. */
export function filesToFollow(
  found: readonly FoundFile[],
  isFollowed: (file: FoundFile) => boolean,
): readonly FoundFile[] {
  const paths = new Set(found.map(({ path }) => path));
  const named = new Map<string, FoundFile>();
  for (const file of found) if (!named.has(file.id)) named.set(file.id, file);
  return [...named.values()]
    .filter((file) => !isRotated(file.path, paths) && !isFollowed(file))
    .sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1));
}

/** `train.log.1`, `train.log-20261129`, `train.log.2.gz` where `train.log` is there too. */
function isRotated(path: string, paths: ReadonlySet<string>): boolean {
  if (/\.(?:gz|xz|zst|bz2|lz4)$/.test(path)) return true;
  const before = /^(.+?)[.-]\d[\dT_.:-]*$/.exec(path)?.[1];
  return before !== undefined && paths.has(before);
}
