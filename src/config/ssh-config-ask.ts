import { accessSync, constants } from 'node:fs';
import { safeText } from '../model/text.ts';
import { runProgram } from './run-program.ts';
import type { ConfigValues } from './ssh-config-values.ts';
import { TargetError, type SshTarget } from './target.ts';

interface Question {
  readonly target: SshTarget;
  /** `ssh -F`; undefined = the usual files. */
  readonly configFile: string | undefined;
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
}

type Answer =
  | { readonly values: ConfigValues; readonly resolvedBy: string }
  /** Why ssh could not be asked. */
  | { readonly absent: string };

/** `Match exec` may take a while, and look-ups of CanonicalizeHostname too. */
const limitMs = 10_000;

/**
 * Asks ssh what its configuration says of a target. ssh runs the user's own `Match exec` for that, as it does at each log-in.
 * Rejects with a TargetError when ssh refuses the configuration, or does not answer.
 */
export async function askSsh({ target, configFile, signal }: Question): Promise<Answer> {
  if (configFile !== undefined) mustBeReadable(configFile);
  // -v: its version, on standard error. --: no name becomes an option.
  const args = ['-v', '-G'];
  if (configFile !== undefined) args.push('-F', configFile);
  if (target.user !== undefined) args.push('-l', target.user);
  if (target.port !== undefined) args.push('-p', String(target.port));
  const { code, fault, timedOut, stdout, stderr } = await runProgram({
    file: 'ssh',
    args: [...args, '--', target.host],
    limitMs,
    signal,
  });
  if (code === 0) return { values: parseAnswer(stdout), resolvedBy: `ssh -G (${versionOf(stderr)})` };
  if (fault === 'ENOENT') return { absent: 'there is no ssh' };
  if (fault !== undefined) return { absent: `ssh cannot be run (${fault})` };
  // Before OpenSSH 6.8.
  if (/(?:unknown|illegal|invalid) option -- '?G/.test(stderr)) return { absent: 'this ssh knows no -G' };
  // A container under a bare UID: "No user exists for uid 1234" (OpenSSH 9.2).
  if (/^No user exists for uid|^You don't exist/m.test(stderr)) return { absent: 'ssh does not know this user' };
  if (timedOut) {
    throw new TargetError(
      `\`ssh -G ${target.host}\` gave no answer within ${limitMs / 1000} s: ` +
        'look for a Match exec or a look-up of names in the SSH configuration that takes so long.',
    );
  }
  throw new TargetError(
    `ssh does not take the SSH configuration for ${target.host} (it says: ${complaint(stderr) || `code ${code}`}): ` +
      `correct that, \`ssh -G ${target.host}\` shows when it is right.`,
  );
}

function mustBeReadable(file: string) {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TargetError(`The SSH configuration ${file} cannot be read (${code}): check its path and permissions.`);
  }
}

/**
 * `keyword value` in each line. These OpenSSH 9.2 prints otherwise than it reads them: the list of default keys stands there as if
 * configured, lists of files have no quotes.
 */
function parseAnswer(text: string): ConfigValues {
  const values = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, key = '', value = ''] = /^(\S+) (.*)$/.exec(line.trimEnd()) ?? [];
    if (key === '') continue;
    const all = key.endsWith('knownhostsfile') ? splitFiles(value) : [value];
    const lower = key.toLowerCase();
    values.set(lower, [...(values.get(lower) ?? []), ...all]);
  }
  if (isDefault(values.get('identityfile') ?? [])) values.delete('identityfile');
  return values;
}

/** A part that begins like no path belongs to the name before it, which has a space. */
function splitFiles(value: string): string[] {
  const files: string[] = [];
  for (const part of value.split(' ')) {
    if (files.length === 0 || /^[/~]/.test(part)) files.push(part);
    else files.push(`${files.pop()} ${part}`);
  }
  return files;
}

/** The list differs between versions; nobody writes all of it. */
function isDefault(files: readonly string[]): boolean {
  const names = files.map((file) => /^~\/\.ssh\/id_(\w+)$/.exec(file)?.[1]);
  return ['rsa', 'ecdsa', 'ed25519'].every((name) => names.includes(name)) && !names.includes(undefined);
}

function versionOf(stderr: string): string {
  return /^OpenSSH_[^\s,]+/m.exec(stderr)?.[0] ?? 'of unknown version';
}

function complaint(stderr: string): string {
  const lines = stderr.split(/\r?\n/).map((line) => line.trim());
  return safeText(lines.find((line) => line !== '' && !/^debug\d: |^OpenSSH_|^Pseudo-terminal/.test(line)) ?? '');
}
