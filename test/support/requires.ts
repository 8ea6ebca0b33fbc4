import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

const provided = join(import.meta.dirname, '../../.cache');
/** Where tools lie beside PATH: sshd (which is not on a user's PATH), and what scripts/provide.sh provides. */
const extraFolders = ['/usr/sbin', '/sbin', join(provided, 'py-spy/bin'), join(provided, 'newer-python')];

/**
 * A `describe` that is skipped when one of the tools is missing, saying so in its name and on standard error. The tool `root` is there
 * when root runs the suite.
 */
export function describeWith(tools: readonly string[], name: string, fn: () => void): void {
  const missing = tools.filter((tool) => (tool === root ? process.getuid?.() !== 0 : toolPath(tool) === undefined));
  if (missing.length === 0) {
    describe(name, fn);
    return;
  }
  process.stderr.write(`SKIPPED: ${name}: ${missing.join(', ')} not found (npm run provide says how to get it)\n`);
  describe.skip(`${name} (SKIPPED: ${missing.join(', ')} not found)`, fn);
}

const root = 'root';

/**
 * The Pythons that a suite of two versions runs on. The newer one comes from a mirror where the machine has none: its suites are left out,
 * and are no failure, where the mirror did not give it.
 */
export function pythonsToTry(): readonly string[] {
  if (toolPath(newer) !== undefined) return ['python3', newer];
  process.stderr.write('LEFT OUT: suites of a newer Python: there is none from 3.12 on (npm run provide says why)\n');
  return ['python3'];
}

const newer = 'newer-python3';

/** The path of a tool; undefined when it is not on this machine. */
export function toolPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...extraFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The path of a tool that the suite asked for with `describeWith`. */
export function requiredTool(name: string): string {
  const path = toolPath(name);
  if (path === undefined) throw new Error(`${name} is not on this machine: ask for it with describeWith`);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
