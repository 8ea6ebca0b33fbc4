import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';

const check = checksOf('Stacks');

/** py-spy, and whether it may read the run: told from identities and settings. Nothing is attached to, nothing paused. */
export function stacksChecks(findings: Findings): readonly Check[] {
  if (!findings.look) return [check('stacks', 'py-spy', { status: 'unknown', found: 'it was not looked for' })];
  return [
    check('stacks', 'py-spy', { ...tellPySpy(findings), needed: findings.options.pySpy !== undefined }),
    ...(findings.look.target ? [check('stacks.permission', 'permission', tellPermission(findings))] : []),
  ];
}

function tellPySpy({ look, options }: Findings): Told {
  const { path, version, skipped = [] } = look?.pySpy ?? {};
  if (path !== undefined) return { status: 'ok', found: `${version ?? 'of unknown version'}, ${path}` };
  if (skipped[0] !== undefined)
    return {
      status: 'warn',
      found: `${skipped[0]} is another user's`,
      why: 'it is not run as root unasked: it would do as root whatever that user made of it',
      mend: `give --py-spy ${skipped[0]} if you trust it, or install py-spy for root`,
    };
  if (options.pySpy !== undefined)
    return { status: 'missing', found: `${options.pySpy} is no program that may be run`, mend: 'check --py-spy' };
  return {
    status: 'note',
    found: 'none',
    why: 'no stacks by `d`, and threads keep the kernel’s names',
    mend: '`pip install py-spy` in the run’s environment there, or name one with --py-spy',
  };
}

const ptrace = 1n << 19n;
const asked = 'told from identities and settings; nothing was attached to';

/** ptrace(2), "Ptrace access mode checking", and Yama's setting on top of it. */
function tellPermission({ look, state }: Findings): Told {
  const { self, target, containers = [] } = look ?? { self: {} };
  const scope = state?.facts?.ptraceScope ?? 0;
  const hasCapability =
    self.effective === undefined ? (state?.facts?.hasPtraceCapability ?? false) : (self.effective & ptrace) !== 0n;
  const addCapability =
    containers.length > 0
      ? 'start the container with `--cap-add SYS_PTRACE`, or connect to its host'
      : 'connect as root';
  if (scope >= 3)
    return {
      status: 'failed',
      found: 'none may attach',
      why: 'kernel.yama.ptrace_scope is 3, which holds until a reboot',
      mend: 'reboot with another setting',
    };
  if (hasCapability) return { status: 'ok', found: 'CAP_SYS_PTRACE', why: asked };
  if (scope >= 1)
    return {
      status: 'failed',
      found: `kernel.yama.ptrace_scope is ${scope}, without CAP_SYS_PTRACE`,
      why: 'only a parent may read its process then',
      mend: `${addCapability}${scope === 1 ? ', or set it to 0 there (`sysctl kernel.yama.ptrace_scope=0`)' : ''}`,
    };
  if (!target?.uids || !self.uids) return { status: 'unknown', found: 'identities could not be read' };
  const uid = self.uids[1];
  const gid = self.gids?.[1];
  if (target.uids.slice(0, 3).some((each) => each !== uid))
    return {
      status: 'failed',
      found: `the run is of user ${target.uids[1]}, this is user ${uid}`,
      mend: `connect as the user of the run, or as root`,
    };
  if (gid !== undefined && target.gids?.slice(0, 3).some((each) => each !== gid))
    return {
      status: 'failed',
      found: `the run is of group ${target.gids[1]}, this is group ${gid}`,
      mend: 'connect with the group of the run, or as root',
    };
  const beyond =
    target.permitted !== undefined && self.permitted !== undefined && (target.permitted & ~self.permitted) !== 0n;
  if (beyond)
    return {
      status: 'failed',
      found: 'the run has capabilities that this user lacks',
      why: 'only a process with all of them, or CAP_SYS_PTRACE, may read it',
      mend: addCapability,
    };
  if (!target.environReadable)
    return {
      status: 'failed',
      found: 'the run may not be read',
      why: 'the kernel refuses its environment, which takes the same permission',
      mend: addCapability,
    };
  return { status: 'ok', found: 'the same user', why: asked };
}
