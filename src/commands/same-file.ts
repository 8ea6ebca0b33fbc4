import { stat } from 'node:fs/promises';

/** The first of these paths under which the file `output` stands too, whatever it is called there. None that is not there does. */
export async function sameFile(output: string, paths: readonly string[]): Promise<string | undefined> {
  const about = (path: string) => stat(path).catch(() => undefined);
  const there = await about(output);
  if (!there) return undefined;
  for (const path of paths) {
    const found = await about(path);
    if (found?.ino === there.ino && found.dev === there.dev) return path;
  }
  return undefined;
}
