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
