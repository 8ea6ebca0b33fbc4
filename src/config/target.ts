import { isIPv6 } from 'node:net';

/** What the user named on the command line: this machine, the demo, a recording, or a host to reach over SSH. */
export type Target =
  | { readonly kind: 'local' }
  | { readonly kind: 'demo' }
  | { readonly kind: 'recording'; readonly path: string }
  | SshTarget;

/** A host as the user wrote it; ssh-config.ts says what is behind it. */
export interface SshTarget {
  readonly kind: 'ssh';
  /** Name, address (IPv6 without brackets) or alias of ~/.ssh/config. */
  readonly host: string;
  readonly user?: string;
  readonly port?: number;
}

/** A target, or what ~/.ssh/config makes of it, that cannot be used. The message is one sentence for the user. */
export class TargetError extends Error {
  override name = 'TargetError';
}

const forms =
  'write local, demo, an alias of ~/.ssh/config or [user@]host[:port], an IPv6 address in brackets, or the path of a recording';

/**
 * Reads `local`, `demo`, a recording, an alias, or `[user@]host[:port]`. A host that is really called local or demo is reached as
 * `user@local`. A recording is told by a / or by how its name ends, never by what lies in the working folder: a host with the name
 * of a folder is that host. Throws a TargetError.
 */
export function parseTarget(text: string): Target {
  if (text === 'local' || text === 'demo') return { kind: text };
  const isRecording = !/^ssh:\/\//i.test(text) && (text.includes('/') || /.\.jsonl(?:\.gz)?$/i.test(text));
  return isRecording ? { kind: 'recording', path: text } : parseSshTarget(text);
}

/** Reads `[user@]host[:port]`, where `local` is a host too, and the same as ssh://. Throws a TargetError. */
export function parseSshTarget(text: string): SshTarget {
  const uri = /^ssh:\/\/(.*?)\/?$/is.exec(text)?.[1];
  const written = uri ?? text;
  // As OpenSSH: the last @, for user names like name@realm.
  const at = written.lastIndexOf('@');
  const before = at < 0 ? undefined : written.slice(0, at);
  // Only a URI has its characters written as %40.
  const user = uri === undefined || before === undefined ? before : decode(text, before);
  if (user === '') throw refuse(text, 'has no user before @');
  const { host, port } = parseAddress(text, written.slice(at + 1));
  checkName(text, 'host', host);
  if (user !== undefined) checkName(text, 'user', user);
  return { kind: 'ssh', host, ...(user !== undefined && { user }), ...(port !== undefined && { port }) };
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refuse(text, 'has a % that stands for no character');
  }
}

function parseAddress(text: string, address: string): { host: string; port?: number } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(address);
  if (bracketed) {
    const [, host = '', port] = bracketed;
    return { host, ...(port !== undefined && { port: parsePort(text, port) }) };
  }
  if (isIPv6(address)) return { host: address };
  const [host = '', port, ...rest] = address.split(':');
  if (rest.length > 0) throw refuse(text, 'has more than one colon');
  return { host, ...(port !== undefined && { port: parsePort(text, port) }) };
}

/** Reads a TCP port. Throws a TargetError that quotes `text`. */
export function parsePort(text: string, digits: string): number {
  const port = Number(digits);
  if (!/^\d{1,5}$/.test(digits) || port < 1 || port > 65535) throw refuse(text, 'has no port from 1 to 65535 after :');
  return port;
}

/** Names with spaces or control characters are typing errors; one that begins with - would be an option to ssh. */
function checkName(text: string, part: string, name: string) {
  if (name === '') throw refuse(text, `has no ${part}`);
  if (name.startsWith('-')) throw refuse(text, `has a ${part} that begins with -`);
  if (/[\s\x00-\x1f\x7f-\x9f/'"`$\\;&<>|(){}]/.test(part === 'user' ? name.replaceAll('\\', '') : name))
    throw refuse(text, `has a ${part} with a character that no ${part} name has`);
}

function refuse(text: string, what: string) {
  return new TargetError(`The target ${JSON.stringify(text)} ${what}: ${forms}.`);
}
