import { readFile } from 'node:fs/promises';

const INK_TABLE = /[\\/]ink-table[\\/]dist[\\/]index\.js$/;

/**
 * ink-table 3.1.0 is CommonJS and asks for Ink with `require('ink')`. Ink (since 4) is an ES module with a top-level await, which
 * neither Node nor esbuild lets anybody `require`. So its source is wrapped into an ES module that imports the same Ink and
 * React as everybody else and hands them over when ink-table asks.
 *
 * @param {string} source the text of ink-table/dist/index.js
 */
export function inkTableAsModule(source) {
  return [
    `import * as ink from 'ink';`,
    `import react from 'react';`,
    `import objectHash from 'object-hash';`,
    `const parts = { ink, react, 'object-hash': objectHash };`,
    `const made = {};`,
    `(function (exports, require) {`,
    source.replace(/^\/\/# sourceMappingURL=.*$/m, ''),
    `}).call({}, made, (name) => parts[name]);`,
    `export default made.default;`,
  ].join('\n');
}

/** The wrapping for the bundle. @returns {import('esbuild').Plugin} */
export function inkTableForEsbuild() {
  return {
    name: 'ink-table',
    setup(build) {
      build.onLoad({ filter: INK_TABLE }, async ({ path }) => ({
        contents: inkTableAsModule(await readFile(path, 'utf8')),
        loader: 'js',
      }));
    },
  };
}

/** The wrapping for tests; ink-table must be in `server.deps.inline` for Vite to see it. @returns {import('vite').Plugin} */
export function inkTableForVite() {
  return {
    name: 'ink-table',
    enforce: 'pre',
    transform: (source, id) =>
      INK_TABLE.test(id.replace(/\?.*/, '')) ? { code: inkTableAsModule(source), map: null } : null,
  };
}
