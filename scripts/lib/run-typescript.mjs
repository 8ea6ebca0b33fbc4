import { mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BANNER, inkPlugins } from './bundle.mjs';

/**
 * Imports a TypeScript file of the project, since Node 20 strips no types: bundled into .cache, packages with native parts left where they are.
 *
 * @param {string} path from the project's root
 * @returns {Promise<any>} its exports
 */
export async function importTypeScript(path) {
  const outfile = await bundleTypeScript(path);
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile);
  }
}

/**
 * The same file for a process that is to load nothing else. Who asks for it removes it.
 *
 * @param {string} path from the project's root
 * @returns {Promise<string>} its path
 */
export async function bundleTypeScript(path) {
  const folder = resolve('.cache/typescript');
  const outfile = join(folder, `${basename(path)}.${process.pid}.mjs`);
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    external: ['esbuild', 'ssh2', '@lydell/node-pty', 'vitest'],
    banner: { js: BANNER },
    plugins: inkPlugins(),
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    logLevel: 'warning',
  });
  return outfile;
}
