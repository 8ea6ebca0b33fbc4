import { homedir } from 'node:os';

/** A path as people write it: `~` for their home. */
export function homePath(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
