import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';
import type { Look } from '../look.ts';

const check = checksOf('Tools');

/** The programs on the host that the scripts call, with their versions. */
export function toolChecks(findings: Findings): readonly Check[] {
  const { look } = findings;
  return [
    check('tools.awk', 'awk', { ...tellAwk(findings), needed: true }),
    check('tools.top', 'top', { ...tellTop(findings), needed: findings.options.threads === 'top' }),
    check('tools.pidstat', 'pidstat', { ...tellPidstat(findings), needed: findings.options.threads === 'pidstat' }),
    check('tools.tail', 'tail', tellTail(findings)),
    ...(look ? [check('tools.small', 'others', tellOthers(look))] : []),
  ];
}

function tellAwk({ state, look }: Findings): Told {
  const kind = state?.facts?.awk;
  if (kind !== undefined) return { status: 'ok', found: look?.tools.get('awk')?.version ?? kind };
  return {
    status: 'missing',
    found: 'none answers',
    why: 'the run, its threads and the host are read with it',
    mend: 'install mawk, gawk or busybox there',
  };
}

function tellTop({ state, options }: Findings): Told {
  const top = state?.facts?.top;
  const isReader = options.threads === 'top';
  const lost = isReader ? 'the threads cannot be read by it' : 'the busiest threads beside the run are not shown';
  const mend = `install procps there${isReader ? ', or take --threads proc' : ''}`;
  const without = isReader ? 'missing' : 'note';
  if (!top) return { status: without, found: 'none', why: lost, mend };
  if (top.flavour !== 'procps') {
    const whose = top.flavour === 'busybox' ? 'BusyBox' : 'not procps';
    return { status: without, found: `${whose}: it has no rows of threads`, why: lost, mend };
  }
  const found = `procps ${top.version ?? ''}`.trim();
  if (!top.leaderRowIsTotal) return { status: 'ok', found };
  return {
    status: 'note',
    found,
    why: 'procps 4.0.0 to 4.0.3 show the CPU of the whole process on its main thread’s row (procps issue 280): that row is measured from /proc instead',
    mend: 'procps 4.0.4 or newer is right by itself',
  };
}

function tellPidstat({ state, options }: Findings): Told {
  const version = state?.facts?.pidstatVersion;
  if (version !== undefined) return { status: 'ok', found: `sysstat ${version}` };
  if (options.threads !== 'pidstat') return { status: 'ok', found: 'none: only --threads pidstat needs it' };
  return { status: 'missing', found: 'none', mend: 'install sysstat there, or take --threads proc' };
}

function tellTail({ state, look }: Findings): Told {
  if (state?.facts?.tailFollows) return { status: 'ok', found: look?.tools.get('tail')?.version ?? 'there' };
  return {
    status: 'missing',
    found: 'none',
    why: 'no log can be followed',
    mend: 'install coreutils or busybox there',
  };
}

/** What is lost without a tool. */
const uses: Readonly<Record<string, string>> = {
  ls: 'open files, so GPUs and the log of the run, cannot be found',
  grep: 'command lines are not read',
  tr: 'command lines are not read',
  cut: 'command lines are not read',
  sed: 'the fields of the GPU driver are not read',
  head: 'versions and py-spy’s answer are not read',
  stat: 'a rotated log is not read to its end',
  find: 'a rotated log is not read to its end',
  od: 'a rotated log is not read to its end',
  dd: 'a log that was truncated and grew again is not noticed',
  wc: 'a log that was truncated and grew again is not noticed',
  sleep: 'what runs there does not end by itself when the link dies silently',
};

function tellOthers({ tools }: Look): Told {
  const gone = Object.keys(uses).filter((name) => !tools.has(name));
  const versions = [tools.get('ps')?.version, tools.get('od')?.version].filter((version) => version !== undefined);
  if (gone.length === 0) return { status: 'ok', found: ['all there', ...new Set(versions)].join(', ') };
  return {
    status: 'missing',
    found: `without ${gone.join(', ')}`,
    why: [...new Set(gone.map((name) => uses[name]))].join('; '),
    mend: 'install coreutils, sed and grep, or busybox, there',
  };
}
