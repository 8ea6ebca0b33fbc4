import { readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import SSHConfig, { glob, LineType, type Line, type Section } from 'ssh-config';
import type { ConfigValues } from './ssh-config-values.ts';
import { TargetError, type SshTarget } from './target.ts';

interface Init {
  readonly target: SshTarget;
  readonly home: string;
  readonly configFile: string | undefined;
}

/** OpenSSH's own limit (readconf.c, READCONF_MAX_DEPTH). */
const deepestInclude = 16;

/**
 * What the configuration files say for a target: lower-case keyword to values. A file that is not there is empty, unless
 * the user named it. Throws a TargetError that names a file which cannot be read.
 */
export function readSshConfig({ target, home, configFile }: Init): ConfigValues {
  const files =
    configFile === undefined ? [join(home, '.ssh/config'), '/etc/ssh/ssh_config'] : [configFile].filter(notNone);
  const config = new SSHConfig();
  for (const file of files) {
    const text = readText(file, configFile !== undefined);
    if (text !== undefined) config.push(...load({ file, text, home, host: target.host, depth: 0 }));
  }
  const computed = config.compute(
    { Host: target.host, ...(target.user !== undefined && { User: target.user }) },
    // matchExec: ssh-config 5.3.0 runs `Match exec` through a shell unless told not to.
    { ignoreCase: true, matchExec: false },
  );
  return new Map(Object.entries(computed).map(([key, value]) => [key, [value].flat().map(withoutComment)]));
}

function notNone(file: string): boolean {
  return file.toLowerCase() !== 'none';
}

function readText(file: string, mustExist: boolean): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !mustExist) return undefined;
    throw new TargetError(`The SSH configuration ${file} cannot be read (${code}): check its path and permissions.`);
  }
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly home: string;
  readonly host: string;
  readonly depth: number;
}

function load(source: Source): Line[] {
  let parsed: SSHConfig;
  try {
    parsed = SSHConfig.parse(source.text);
  } catch (error) {
    throw misread(source.file, error instanceof TypeError ? 'a keyword has no value' : (error as Error).message);
  }
  return [...parsed].flatMap((line) => expandLine(line, source));
}

function misread(file: string, why: string): TargetError {
  return new TargetError(`The SSH configuration ${file} cannot be understood (${why}): correct that line.`);
}

/** Makes a line what ssh-config's compute takes: known spelling, no look-ups, included files in place. */
function expandLine(line: Line, source: Source): Line[] {
  if (line.type !== LineType.DIRECTIVE) return [];
  const keyword = line.param.toLowerCase();
  // ssh-config 5.3.0 reads a keyword without a value on into the next line, which would be lost.
  if (/[\r\n]/.test(keyword)) throw misread(source.file, `${line.param.trim().split(/\s/)[0]} has no value`);
  // compute would run nslookup for it.
  if (keyword === 'canonicalizehostname') return [];
  // compute compares these two by case.
  if (keyword === 'hostname') {
    line.param = 'HostName';
    // `Match host` is compared with the name behind %h.
    if (typeof line.value === 'string') line.value = line.value.replaceAll('%h', source.host);
  }
  if (keyword === 'user') line.param = 'User';
  if (keyword === 'include') return included(line.value, source);
  if (!('config' in line)) return [line];
  return expandSection(line, source);
}

/**
 * compute looks at no section inside a section, which an Include under Host makes. So a section that has some is split:
 * what is before, the included sections if this one applies, and what is after.
 */
function expandSection(section: Section, source: Source): Line[] {
  const parts: Line[] = [];
  let own = new SSHConfig();
  const flush = () => {
    if (own.length > 0) parts.push({ ...section, config: own });
    own = new SSHConfig();
  };
  for (const line of [...section.config].flatMap((inner) => expandLine(inner, source))) {
    if (!('config' in line)) {
      own.push(line);
      continue;
    }
    flush();
    if (applies(section, source.host)) parts.push(line);
  }
  flush();
  return parts;
}

function applies(section: Section, host: string): boolean {
  const words = [section.value].flat().map((word) => (typeof word === 'string' ? word : word.val));
  return section.param.toLowerCase() === 'host' ? glob(words, host) : words.join().toLowerCase() === 'all';
}

function included(value: string | readonly { val: string }[], source: Source): Line[] {
  if (source.depth >= deepestInclude) {
    throw new TargetError(`The SSH configuration ${source.file} includes files more than ${deepestInclude} deep.`);
  }
  const patterns = typeof value === 'string' ? [value] : value.map((word) => word.val);
  return patterns.flatMap((pattern) => {
    const atHome = pattern.startsWith('~/') ? join(source.home, pattern.slice(2)) : pattern;
    const base = source.file.startsWith('/etc/') ? '/etc/ssh' : join(source.home, '.ssh');
    return expandGlob(isAbsolute(atHome) ? atHome : join(base, atHome)).flatMap((file) => {
      const text = readText(file, false);
      return text === undefined ? [] : load({ ...source, file, text, depth: source.depth + 1 });
    });
  });
}

/** Node 20 has no fs.glob. Wildcards may stand in any part of the path; hidden files need a dot in the pattern. */
function expandGlob(pattern: string): string[] {
  if (!/[*?[]/.test(pattern)) return [pattern];
  const parents = expandGlob(dirname(pattern));
  const last = pattern.slice(dirname(pattern).length).replace(/^\//, '');
  return parents.flatMap((parent) =>
    list(parent)
      .filter((name) => glob([last], name) && (last.startsWith('.') || !name.startsWith('.')))
      .sort()
      .map((name) => join(parent, name)),
  );
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** OpenSSH ends a value at a # that stands alone; ssh-config 5.3.0 keeps it. */
function withoutComment(value: string): string {
  return value.replace(/\s+#.*$/, '');
}
