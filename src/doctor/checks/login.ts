import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';

const check = checksOf('Log-in');

/** The way to the host: log-in, whether a watch could come back by itself, round trip, clock, sessions. */
export function loginChecks(findings: Findings): readonly Check[] {
  const { connection, kind } = findings;
  const first = check('login', 'log-in', { ...tellLogin(findings), needed: true });
  if (connection.fault !== undefined) return [first];
  const isRemote = kind === 'ssh';
  return [
    first,
    ...onTheWay(findings),
    ...(isRemote ? [check('login.reconnect', 'reconnect', tellReconnect(findings))] : []),
    ...(findings.state?.link?.roundTripMs === undefined
      ? []
      : [check('link.roundTrip', 'round trip', tellRoundTrip(findings))]),
    ...(findings.state?.facts ? [check('link.clock', 'clock', tellClock(findings))] : []),
    check('link.sessions', 'sessions', tellSessions(findings)),
  ];
}

function tellLogin({ connection, kind, target }: Findings): Told {
  const { fault, login, seconds } = connection;
  if (fault !== undefined) return { status: 'failed', found: `no connection to ${target}`, why: fault };
  if (kind === 'local') return { status: 'ok', found: 'this machine: none is needed' };
  if (kind === 'demo') return { status: 'ok', found: 'a simulated host, over SSH on this machine' };
  const last = login?.hosts.at(-1);
  const time = seconds === undefined ? '' : `, in ${seconds.toFixed(1)} s`;
  return { status: 'ok', found: `${last ? `${last.target} by ${last.how}` : target}${time}` };
}

/** The hosts on the way, who read the configuration, and keys that are not checked as usual. */
function onTheWay({ connection: { login }, kind }: Findings): readonly Check[] {
  if (!login || kind !== 'ssh') return [];
  const jumps = login.hosts.slice(0, -1).map(({ target, how }) => `${target} by ${how}`);
  const doubts = login.hosts.flatMap(({ target, doubt }) => (doubt === undefined ? [] : [`${target}: ${doubt}`]));
  return [
    ...(jumps.length > 0 ? [check('login.jumps', 'on the way', { status: 'ok', found: jumps.join(', ') })] : []),
    ...(doubts.length > 0 ? [check('login.hostKey', 'host key', { status: 'warn', found: doubts.join('; ') })] : []),
    check('login.config', 'config', { status: 'ok', found: `read by ${login.configReader}` }),
  ];
}

/** A watch over night comes back by itself only when nobody must answer and no agent may go. */
function tellReconnect({ connection: { login } }: Findings): Told {
  if (!login) return { status: 'unknown', found: 'how the log-in succeeded is not known' };
  const mend = 'a key file without a passphrase for this host (IdentityFile) needs neither you nor an agent';
  const asked = login.hosts.find((host) => host.asked);
  if (asked)
    return {
      status: 'warn',
      found: 'it takes somebody to answer',
      why: `${asked.target} asked for something (${asked.how}): a password or passphrase is kept in memory while traintop runs, a code is asked for again at each reconnect, and everything at the next start`,
      mend,
    };
  const sockets = login.hosts.flatMap(({ agentSocket }) => agentSocket ?? []);
  const [socket] = sockets;
  if (socket === undefined) return { status: 'ok', found: 'by itself: neither you nor an agent is needed' };
  const forwarded = sockets.find((each) => /^\/tmp\/ssh-[^/]+\/agent\.\d+$/.test(each));
  if (forwarded === undefined)
    return {
      status: 'warn',
      found: 'while the agent has the key',
      why: `the key is in the agent behind ${socket}: without it a watch cannot come back`,
      mend,
    };
  return {
    status: 'warn',
    found: 'only while a forwarded agent lives',
    why: `the key is in the agent behind ${forwarded}, which is gone when the session that forwarded it ends: a watch could not come back without you`,
    mend: 'keep a key for this host on this machine, or run traintop where the agent is',
  };
}

function tellRoundTrip({ state }: Findings): Told {
  const ms = Math.round(state?.link?.roundTripMs ?? 0);
  const found = `${ms < 1 ? 'under 1' : ms} ms, the host's work included`;
  return ms < 500
    ? { status: 'ok', found }
    : { status: 'note', found, why: 'keys that ask the host (d, !) answer as late' };
}

function tellClock({ state, look }: Findings): Told {
  if (look?.whole && !look.tools.has('date'))
    return { status: 'unknown', found: 'no date there to ask', why: 'its times are taken to be those of this machine' };
  const offset = state?.facts?.clockOffsetMs ?? 0;
  if (offset === 0) return { status: 'ok', found: 'in step with this machine' };
  const size = Math.abs(offset);
  const found = `${size < 10_000 ? `${(size / 1000).toFixed(1)} s` : `${Math.round(size / 1000)} s`} ${offset > 0 ? 'ahead' : 'behind'}`;
  if (size < 2000) return { status: 'ok', found };
  return {
    status: 'note',
    found,
    why: 'times on the screen are corrected by it; stamps in the log are the host’s own',
    mend: 'let both machines follow NTP (`timedatectl set-ntp true`)',
  };
}

function tellSessions({ channels: { most, refused }, kind }: Findings): Told {
  const what = kind === 'local' ? (most === 1 ? 'shell at once' : 'shells at once') : 'at once on one connection';
  const [reason] = refused;
  if (reason === undefined) return { status: 'ok', found: `${most} ${what}, none refused` };
  return {
    status: 'warn',
    found: `${most} at once; more were refused`,
    why: reason,
    mend: 'raise MaxSessions in sshd_config there (10 is its default and enough)',
  };
}
