import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';

const RAW = /\?raw$/;
const root = resolve(import.meta.dirname, '../..');

/**
 * `import text from './style.css?raw'`: the file as text, as Vite gives it in tests. What a report is made of is in the bundle so.
 *
 * @returns {import('esbuild').Plugin}
 */
export function rawForEsbuild() {
  return {
    name: 'raw',
    setup(builder) {
      builder.onResolve({ filter: RAW }, ({ path, importer }) => {
        const name = path.replace(RAW, '');
        const file = name.startsWith('.') ? resolve(dirname(importer), name) : createRequire(importer).resolve(name);
        // As esbuild names what it reads, so that its licence is found.
        return { path: relative(root, file), namespace: 'raw' };
      });
      builder.onLoad({ filter: /.*/, namespace: 'raw' }, async ({ path }) => ({
        contents: await readFile(resolve(root, path), 'utf8'),
        loader: 'text',
        watchFiles: [resolve(root, path)],
      }));
    },
  };
}
