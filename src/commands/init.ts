import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageFault } from '../config/check-options.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import { writeNew } from '../config/write-new.ts';
import { nameInFolder } from '../recording/format.ts';
import { systemdUnit } from './systemd-unit.ts';

/** Prints a unit file, or writes it to a file that is not there yet. `words`: the target and the options, as they were given. */
export async function initSystemd(options: Options, words: readonly string[], output?: string): Promise<number> {
  const { kind } = parseTarget(options.target);
  if (kind === 'recording')
    throw new UsageFault(`${options.target} is a recording: there is nothing to keep watch over.`);
  const name = output?.split('/').at(-1) ?? `traintop-${nameInFolder(options.target).replaceAll('@', '-')}.service`;
  const unit = unitOf({ words, target: options.target, name });
  if (output === undefined) {
    await new Promise((resolve) => process.stdout.write(unit, resolve));
    return 0;
  }
  try {
    await writeNew(output, unit);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageFault(
      code === 'EEXIST'
        ? `${output} is there already: remove it, or give -o another name.`
        : `${output} could not be written (${message}).`,
    );
  }
  process.stdout.write(`Written to ${output}; its first lines say how to enable it.\n`);
  return 0;
}

function unitOf(init: { readonly words: readonly string[]; readonly target: string; readonly name: string }): string {
  try {
    return systemdUnit({ ...init, node: process.execPath, program: programPath(), variables: foldersOf(process.env) });
  } catch (error) {
    throw new UsageFault(
      `No unit file can say this command line: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** A unit is started without the variables of a shell. What is no absolute path is none by the specification. */
function foldersOf(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = ['XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value?.startsWith('/') ? [[name, value]] : [];
    }),
  );
}

/** As it lies: a link of npm's may be moved by an update, and a relative path is nothing to systemd. */
function programPath(): string {
  const path = resolve(process.argv[1] ?? '');
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Options that hold a path, which systemd would look for elsewhere. */
const paths = new Set(['identity', 'sshConfig', 'config', 'record', 'reportOnExit', 'pySpy', 'onAlarm']);

/** Without a slash these are looked for by name: on the host, or in the PATH. */
const programs = new Set(['pySpy', 'onAlarm']);

/**
 * The options that were given, as words: commander has read them, so that each is known and is whole. A file that lies here is named by its whole
 * path.
 */
export function wordsOf(target: string | undefined, given: readonly GivenOption[]): readonly string[] {
  const words = given.flatMap(({ name, flag, value }) => {
    const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    return values.flatMap((each) => {
      if (typeof each === 'boolean') return [flag];
      const text = String(each);
      const isHere =
        paths.has(name) && (!programs.has(name) || text.includes('/')) && !text.startsWith('~') && text !== 'none';
      return [`${flag}=${isHere ? resolve(text) : text}`];
    });
  });
  return [...words, ...(target === undefined ? [] : [target])];
}

/** An option of the command line. */
export interface GivenOption {
  readonly name: string;
  /** `--name`. */
  readonly flag: string;
  readonly value: unknown;
}
