import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPLACEMENTS = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src', 'ui', 'ink');
const INK = join(dirname(createRequire(import.meta.url).resolve('ink')));

/**
 * Puts faster parts in the place of three of Ink's (src/ui/ink/ says what is wrong with those). The tests that import Ink without a
 * bundle run on its own parts; test/ui/ink/output.test.ts holds that both draw the same.
 *
 * @returns {import('esbuild').Plugin}
 */
export function fastInk() {
  return {
    name: 'fast-ink',
    setup(build) {
      build.onResolve({ filter: /^ink\/build\/output\.js$/ }, () => ({ path: join(INK, 'output.js') }));
      build.onResolve({ filter: /^(\.\/output\.js|\.\/measure-text\.js|widest-line)$/ }, ({ path, importer }) => {
        if (dirname(importer) !== INK) return undefined;
        return { path: join(REPLACEMENTS, `${path.replace(/^\.\/|\.js$/g, '')}.ts`) };
      });
    },
  };
}
