import { homeFolder, noHome } from '../../config/home.ts';

/** A path as people write it: `~` for their home. */
export function homePath(path: string): string {
  const home = homeFolder();
  return home !== noHome && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
