import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';

const check = checksOf('Log-in');

/** The way to the host: log-in, whether a watch could come back by itself, round trip, clock, sessions. */
export function loginChecks(findings: Findings): readonly Check[] {
  const { connection, kind } = findings;
  const first = check('login', 'log-in', { ...tellLogin(findings), needed: true });
  if (connection.fault !== undefined) return [first, ...config(findings)];
  const isRemote = kind === 'ssh';
  return [
    first,
    ...config(findings),
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
  const how = login ? ` by ${login.how}` : '';
  const time = seconds === undefined ? '' : `, in ${seconds.toFixed(1)} s`;
  return { status: 'ok', found: `${target}${how}${time}` };
}

function config({ connection: { configReader } }: Findings): readonly Check[] {
  if (configReader === undefined) return [];
  return [check('login.config', 'config', { status: 'ok', found: `~/.ssh/config is read by ${configReader}` })];
}

/** A watch over night comes back by itself only when nobody must type and no agent may go. */
function tellReconnect({ connection: { login } }: Findings): Told {
  if (!login) return { status: 'unknown', found: 'how the log-in succeeded is not known' };
  const mend = 'use a key file without a passphrase for this host (IdentityFile), or stay with the monitor';
  if (login.asked)
    return {
      status: 'warn',
      found: 'it takes somebody to answer',
      why: 'this log-in asked for something: a watch whose link breaks waits until it is answered again',
      mend,
    };
  const { agentSocket } = login;
  if (agentSocket === undefined) return { status: 'ok', found: 'by itself' };
  if (/^\/tmp\/ssh-\w+\/agent\.\d+$/.test(agentSocket))
    return {
      status: 'warn',
      found: 'only while a forwarded agent lives',
      why: `the key is in the agent behind ${agentSocket}, which goes when the session that forwarded it ends`,
      mend: 'keep a key for this host on this machine, or run traintop where the agent is',
    };
  return {
    status: 'note',
    found: 'while the agent has the key',
    why: `the key is only in the agent (${agentSocket}): after a reboot, or ssh-add -D, a watch cannot come back`,
    mend,
  };
}

function tellRoundTrip({ state }: Findings): Told {
  const ms = Math.round(state?.link?.roundTripMs ?? 0);
  const found = `${ms < 1 ? 'under 1' : ms} ms, the host's work included`;
  return ms < 500
    ? { status: 'ok', found }
    : { status: 'note', found, why: 'keys that ask the host (d, !) answer as late' };
}

function tellClock({ state }: Findings): Told {
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

function tellSessions({ channels: { opened, refused }, kind }: Findings): Told {
  const what = kind === 'local' ? 'shells' : 'at once on one connection';
  const [reason] = refused;
  if (reason === undefined) return { status: 'ok', found: `${opened} ${what}, none refused` };
  return {
    status: 'warn',
    found: `${opened} opened, ${refused.length} refused`,
    why: reason,
    mend: 'raise MaxSessions in sshd_config there (10 is its default and enough)',
  };
}
