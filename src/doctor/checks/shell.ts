import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';

const check = checksOf('Shell');

/** What the scripts run in: the wrapper, sh, /proc. */
export function shellChecks(findings: Findings): readonly Check[] {
  const { wrap, shellFault, look } = findings;
  const wrapper =
    wrap === undefined ? [] : [check('shell.wrapper', 'wrapper', { ...tellWrapper(findings), needed: true })];
  if (shellFault !== undefined)
    return wrap === undefined
      ? [check('shell', 'sh', { status: 'failed', found: 'none runs', why: shellFault, needed: true })]
      : wrapper;
  return [
    ...wrapper,
    check('shell', 'sh', { ...tellShell(findings), needed: true }),
    ...(look?.loginShell === undefined
      ? []
      : [
          check('shell.login', 'log-in shell', {
            status: 'ok',
            found: `${look.loginShell}: scripts run in sh, whatever it is`,
          }),
        ]),
    check('shell.proc', '/proc', { ...tellProc(findings), needed: true }),
    ...(look && look.containers.length > 0
      ? [check('shell.container', 'container', { status: 'note', found: `inside one (${look.containers.join(', ')})` })]
      : []),
  ];
}

function tellWrapper({ wrap, shellFault }: Findings): Told {
  if (shellFault !== undefined) return { status: 'failed', found: `\`${wrap}\``, why: shellFault };
  return { status: 'ok', found: `\`${wrap}\` passes scripts and their answers` };
}

function tellShell({ look, lookFault, state }: Findings): Told {
  const { user = '' } = state?.facts ?? {};
  const uid = look?.self.uids?.[1];
  // Without id the name is no name.
  const as = /^(\d+|the user there|)$/.test(user) ? (uid === undefined ? '' : `, as user ${uid}`) : `, as ${user}`;
  if (!look)
    return { status: 'ok', found: `it runs${as}`, why: lookFault && `doctor's own script did not run: ${lookFault}` };
  const { path = 'sh', version } = look.shell ?? { path: 'sh' };
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { status: 'ok', found: `${name}${version ? ` ${version}` : ''}${as}` };
}

function tellProc({ look, state }: Findings): Told {
  const hidden = look?.hidepid;
  if (look && look.processes === undefined)
    return {
      status: 'missing',
      found: 'it cannot be read',
      why: 'threads, processes and the host are read from it',
      mend: 'mount it there (`mount -t proc proc /proc`); in a container start it with one',
    };
  if (!look) return { status: 'unknown', found: 'it was not looked at' };
  const found = `readable, ${look.processes} processes`;
  if (hidden === undefined || state?.facts?.uid === 0) return { status: 'ok', found };
  return {
    status: 'warn',
    found: `readable, only this user's ${look.processes} processes`,
    why: `it is mounted with hidepid=${hidden}: a run of another user is not seen, nor who takes its cores`,
    mend: 'connect as the user of the run or as root',
  };
}
