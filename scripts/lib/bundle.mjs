import { readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { fastInk } from './fast-ink-plugin.mjs';
import { inkTableForEsbuild } from './ink-table-plugin.mjs';
import { licencesOf } from './licences.mjs';
import { rawForEsbuild } from './raw-plugin.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** CommonJS parts in a bundle call require() and read __filename; an ES module has neither. */
export const BANNER = [
  `import { createRequire as __createRequire } from 'node:module';`,
  `import { fileURLToPath as __toPath } from 'node:url';`,
  `import { dirname as __toFolder } from 'node:path';`,
  `const require = __createRequire(import.meta.url);`,
  `const __filename = __toPath(import.meta.url);`,
  `const __dirname = __toFolder(__filename);`,
].join('\n');

/**
 * Bundles an entry into a folder: main.js, and chunks/ for what the program imports lazily, so that `--version` loads
 * neither React nor ssh2. package.json's `dependencies` stay outside (npm installs them); everything else goes in, so an installed
 * traintop runs no install script (ssh2 and cpu-features have some: npm 11 warns of them, and they look for a compiler), needs no
 * Ink, whose `engines` would make npm warn on Node 20, and starts 30 ms sooner than with zod and commander read file by file.
 * Beside it LICENCES.txt: the licences of what went in.
 *
 * @param {{ entry?: string, outdir?: string }} [options]
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function bundle({ entry = join(ROOT, 'src/main.ts'), outdir = join(ROOT, 'dist') } = {}) {
  const manifest = createRequire(import.meta.url)('../../package.json');
  const { metafile } = await build({
    entryPoints: { main: entry },
    outdir,
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    banner: { js: BANNER },
    define: { 'process.env.NODE_ENV': '"production"' },
    // Lines and names stay, so that a stack trace in a bug report can be read: minifying all saved 3 ms of 240 at the start.
    minifySyntax: true,
    legalComments: 'none',
    // ssh2 asks for its native parts in a try: without them it takes Node's own crypto, and WebAssembly for chacha20-poly1305.
    external: [...Object.keys(manifest.dependencies ?? {}), 'cpu-features', '*.node'],
    plugins: inkPlugins(),
    metafile: true,
    logLevel: 'warning',
  });
  const licences = join(outdir, 'LICENCES.txt');
  await writeFile(licences, await licencesOf({ inputs: Object.keys(metafile.inputs), root: ROOT }));
  await removeOthers(outdir, [...Object.keys(metafile.outputs), licences]);
  return metafile;
}

/**
 * Takes out what an earlier build left. Afterwards, not before, so that a program that starts meanwhile finds one that is whole.
 *
 * @param {string} folder
 * @param {readonly string[]} kept
 */
async function removeOthers(folder, kept) {
  const wanted = new Set(kept.map((path) => resolve(ROOT, path)));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => resolve(entry.parentPath, entry.name));
  await Promise.all(files.filter((path) => !wanted.has(path)).map((path) => rm(path, { force: true })));
}

/** What any bundle of ours needs. @returns {import('esbuild').Plugin[]} */
export function inkPlugins() {
  return [inkTableForEsbuild(), fastInk(), rawForEsbuild(), emptyModule(/^\.\/devtools\.js$/)];
}

/**
 * Ink imports React's devtools only when DEV=true, but the import, of packages that are not here, is in its source all the same.
 *
 * @param {RegExp} filter
 * @returns {import('esbuild').Plugin}
 */
function emptyModule(filter) {
  return {
    name: 'empty',
    setup(builder) {
      builder.onResolve({ filter }, ({ path }) => ({ path, namespace: 'empty' }));
      builder.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
    },
  };
}
