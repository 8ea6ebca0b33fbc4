import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe } from 'vitest';

/** Where tools are looked for: PATH, where Debian keeps sshd, and what scripts/provide.sh installs for the project. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', resolve('.cache/py-spy/bin')];

/** The path of a tool, or undefined where it is missing. */
export function toolPath(tool: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, tool)).find(isExecutable);
}

/**
 * A suite that needs tools of the machine. Where one is missing the suite is skipped by name, loudly; CI fails on any skip.
 */
export function describeWith(tools: readonly string[], name: string, fn: () => void): void {
  const missing = tools.filter((tool) => toolPath(tool) === undefined);
  if (missing.length === 0) return void describe(name, fn);
  console.warn(`SKIPPED "${name}": ${missing.join(', ')} missing on this machine (npm run provide says how to get it)`);
  describe.skip(`${name} [needs ${missing.join(', ')}]`, fn);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
