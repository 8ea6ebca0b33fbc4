import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What it takes: only root may make a root of its own. */
export const rootTools =
  process.getuid?.() === 0 ? ['busybox', 'dash', 'unshare', 'chroot', 'mount', 'mknod', 'ldd'] : ['root'];

/** A folder to change root into: programs in /bin with their libraries, /dev/null, an empty /proc. */
export function makeRoot(programs: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'traintop-root-'));
  for (const folder of ['bin', 'dev', 'proc']) mkdirSync(join(root, folder));
  execFileSync('mknod', ['-m', '666', join(root, 'dev/null'), 'c', '1', '3']);
  for (const [name, path] of Object.entries(programs)) {
    copyFileSync(path, join(root, 'bin', name));
    // ldd fails on a static program.
    const libraries = spawnSync('ldd', [path], { encoding: 'utf8' }).stdout.match(/\/\S+\.so\S*/g) ?? [];
    for (const library of libraries) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      copyFileSync(library, join(root, library));
    }
  }
  return root;
}

/** A wrapper that runs its command in there, with the processes of this machine; the mount is gone with its namespace. */
export const insideRoot = (root: string) =>
  `unshare -m sh -c 'mount --bind /proc ${root}/proc && exec chroot ${root} "$@"' --`;
