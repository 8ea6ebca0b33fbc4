import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The licence texts of the packages that went into a bundle: MIT, ISC and BSD all ask that the notice travels with the code.
 *
 * @param {{ inputs: readonly string[], root: string }} options inputs as esbuild's metafile names them
 */
export async function licencesOf({ inputs, root }) {
  const folders = new Set(inputs.flatMap((input) => packageFolder(input) ?? []));
  const parts = await Promise.all([...folders].sort().map((folder) => notice(join(root, folder))));
  return `traintop's bundle holds code of these packages.\n\n${parts.join('\n\n')}\n`;
}

/** @param {string} input */
function packageFolder(input) {
  // What a plugin read has its namespace before it.
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replace(/^\w+:/, ''))?.[0];
}

/** @param {string} folder */
async function notice(folder) {
  const { name, version, license, licenses } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
  return `## ${name} ${version} (${license ?? licenses?.[0]?.type})${text}`;
}
