import { safeText } from '../../model/text.ts';
import { ChannelRefused, TransportFault } from './transport.ts';

/** An error as ssh2 1.17 gives it: `level` says where it arose, `code` is Node's or the number of a DISCONNECT. */
export interface SshError extends Error {
  readonly level?: string;
  readonly code?: string | number;
  readonly errors?: readonly NodeJS.ErrnoException[];
  /** Of a refused channel (RFC 4254, 5.1). */
  readonly reason?: number | string;
}

/** Whom a sentence is about. */
export interface Peer {
  /** `user@host`, with the port when it is not 22; `jump host bastion (on the way to gpu7)`. */
  readonly target: string;
  /** As the user wrote it, or as the configuration does. */
  readonly alias: string;
  /** `user@host`, with the port when it is not 22. */
  readonly address: string;
  /** For a jump host: where it leads to. */
  readonly wayTo?: string;
  /** The SSH configuration in use, for a sentence; undefined = none is read. */
  readonly configFile: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

/** What a log-in can tell: what was tried so far, and the sentence of its refusal. */
interface Tried {
  tried(): string;
  refusal(): string;
}

/** Why no connection came about. */
export function openFault(error: SshError, peer: Peer, login: Tried): TransportFault {
  if (error.level === 'client-authentication') {
    return new TransportFault(login.refusal(), true);
  }
  // DISCONNECT 2, "Too many authentication failures": sshd's MaxAuthTries.
  if (/authentication failures/i.test(error.message)) {
    const keys = peer.configFile === undefined ? '' : ` in ${peer.configFile}`;
    return new TransportFault(
      `${peer.target} ended the log-in after too many attempts (${login.tried()}): ` +
        `for too many keys, set IdentityFile and IdentitiesOnly yes for this host${keys}.`,
      true,
    );
  }
  if (error.level === 'client-socket') return new TransportFault(socketSentence(error, peer), false);
  if (error.level === 'handshake') {
    return new TransportFault(
      `${peer.target} and traintop have no way to talk securely in common (${safeText(error.message)}): update its sshd.`,
      true,
    );
  }
  if (/before handshake/.test(error.message)) return closedHandshake(peer);
  return new TransportFault(
    `${placeOf(peer)} port ${portOf(peer)} did not answer as an SSH server does (${safeText(error.message)}): check the port.`,
    false,
  );
}

/** The host in a sentence on the network: its address, or which jump host it is. */
function placeOf({ wayTo, target, host }: Peer): string {
  return wayTo === undefined ? host : target;
}

/** Its port, and the address where the name before does not tell it. */
function portOf({ wayTo, alias, host, port }: Peer): string {
  return wayTo === undefined || alias.toLowerCase() === host.toLowerCase() ? `${port}` : `${port} of ${host}`;
}

function noSuchHost({ wayTo, target, alias, host, configFile = 'the configuration' }: Peer): string {
  if (wayTo !== undefined) {
    const keyword = alias.toLowerCase() === host ? 'ProxyJump' : 'HostName';
    return `There is no ${target}: no host is called ${host}; check ${keyword} in ${configFile}.`;
  }
  if (alias.toLowerCase() !== host)
    return `No host is called ${host}, as ${alias} is said to be: check its HostName in ${configFile}.`;
  const add = configFile === 'the configuration' ? '' : `, or add it to ${configFile}`;
  return `No host is called ${host}: check the spelling${add}.`;
}

function socketSentence(error: SshError, peer: Peer): string {
  const { host, target } = peer;
  const place = placeOf(peer);
  const port = portOf(peer);
  const code = error.code ?? error.errors?.[0]?.code;
  switch (code) {
    case 'ENOTFOUND':
      return noSuchHost(peer);
    case 'EAI_AGAIN':
      return `The name ${host}${peer.wayTo === undefined ? '' : ` of ${target}`} could not be looked up just now: check the network of this machine.`;
    case 'ECONNREFUSED':
      return `${place} refused the connection on port ${port}: check the port, and that sshd runs there.`;
    case 'ETIMEDOUT':
      return `${place} did not answer on port ${port}: check that it is up and that no firewall is in between.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${place} cannot be reached from here (${code}): check the network or the VPN.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${target} closed the connection during the handshake (${code}): try again, or look at the log of its sshd.`;
    default:
      return `The connection to ${target} failed (${safeText(error.message)}).`;
  }
}

/** The server closed before we were in, without a word. */
export function closedHandshake({ target }: Peer): TransportFault {
  return new TransportFault(
    `${target} closed the connection during the handshake: it may have too many connections (MaxStartups), ` +
      'block this address, or be no SSH server.',
    false,
  );
}

/** The server closed while the user had a question to answer. */
export function closedWhileAsking({ target }: Peer): TransportFault {
  return new TransportFault(
    `${target} closed the connection while the log-in waited for an answer: sshd gives two minutes (LoginGraceTime).`,
    false,
  );
}

/** The password was right, and is too old. */
export function wantsNewPassword({ target }: Peer): TransportFault {
  return new TransportFault(
    `${target} wants a new password before it lets you in, which traintop does not set: log in once with ssh.`,
    true,
  );
}

/** Nothing more came for `ms`. */
export function timedOut(peer: Peer, ms: number): TransportFault {
  return new TransportFault(
    `${placeOf(peer)} did not finish the SSH handshake on port ${portOf(peer)} within ${ms / 1000} s: ` +
      'check that it is up and that no firewall is in between.',
    false,
  );
}

interface Loss {
  /** After how much silence keep-alive gives up. */
  readonly silentMs: number;
  /** What the wire itself knows. */
  readonly broken: TransportFault | undefined;
}

/** Why an open connection is gone. */
export function lostReason(error: SshError | undefined, { target }: Peer, { silentMs, broken }: Loss): string {
  // What broke has its own sentence.
  if (broken) return broken.message.replace(/\.$/, '').replace(/^The /, 'the ');
  if (!error) return `${target} closed the connection`;
  if (error.level === 'client-timeout') return `${target} gave no sign of life for ${silentMs / 1000} s`;
  if (error.level === 'client-socket')
    return `the connection to ${target} broke (${error.code ?? safeText(error.message)})`;
  return `${target} ended the connection, saying: ${safeText(error.message)}`;
}

/** Why a host does not connect to the next one. The error's reason is of RFC 4254, 5.1. */
export function forwardFault(
  error: SshError,
  hop: Peer,
  { host, port }: { host: string; port: number },
): TransportFault {
  const said = safeText(error.message.replace(/^\(SSH\) Channel open failure: /, ''));
  if (error.reason === undefined || error.reason === '') {
    return new TransportFault(
      `The connection to ${hop.target} went while it connected to ${host} port ${port}.`,
      false,
    );
  }
  if (error.reason === 1) {
    return new TransportFault(
      `${hop.target} does not let this user connect on to ${host} port ${port} (${said}): ` +
        'check AllowTcpForwarding and PermitOpen of its sshd.',
      true,
    );
  }
  return new TransportFault(
    `${hop.target} could not connect to ${host} port ${port} (${said}): check that name and port mean that host there, and that it is up.`,
    false,
  );
}

/** A host tried to connect to the next one for `ms`. */
export function forwardTimedOut(hop: Peer, { host, port }: { host: string; port: number }, ms: number): TransportFault {
  return new TransportFault(
    `${hop.target} did not reach ${host} port ${port} within ${ms / 1000} s: ` +
      'check that it is up and that no firewall is in between.',
    false,
  );
}

/** Why the host gave no shell on an open connection. */
export function channelFault(error: SshError, { target }: Peer): TransportFault {
  if (error.reason !== undefined && error.reason !== '') {
    return new ChannelRefused(
      `${target} opens no further channel on this connection (sshd allows 10 unless MaxSessions says otherwise), ` +
        `saying: ${safeText(error.message.replace(/^\(SSH\) Channel open failure: /, ''))}.`,
    );
  }
  if (error.message === 'Unable to exec') {
    return new TransportFault(
      `${target} lets this user run no command: check ForceCommand and the log-in shell.`,
      true,
    );
  }
  return new TransportFault(`The connection to ${target} went while a shell was opened there.`, false);
}
