import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';
import { tellSource } from './source.ts';

const check = checksOf('Host');

/** The host as a whole, and what traintop costs there. */
export function hostChecks(findings: Findings): readonly Check[] {
  const { facts, host } = findings.state ?? {};
  const cores = facts?.cores === undefined ? '' : `, ${facts.cores} cores`;
  const limit = host?.coreLimit === undefined ? '' : `, of which ${Number(host.coreLimit.toFixed(1))} may be used here`;
  const live = `${facts?.hostname ?? 'it'}, ${facts?.kernel ?? 'Linux'}${cores}${limit}`;
  return [
    check('host', 'host', tellSource(findings, 'host', live)),
    ...kernelChecks(findings),
    check('cost', 'cost', tellCost(findings)),
  ];
}

/** Doctor stays shorter than it takes to see that both ways to it are closed: then nothing is said. */
function kernelChecks({ state }: Findings): readonly Check[] {
  const kernel = state?.kernel;
  if (!kernel) return [];
  if (kernel.unread === undefined)
    return [check('host.kernel', 'kernel log', { status: 'ok', found: 'read for Xid lines and OOM kills' })];
  return [
    check('host.kernel', 'kernel log', {
      status: 'note',
      found: 'not read',
      why: kernel.unread,
      mend: '`sysctl kernel.dmesg_restrict=0` as root on the host, or a user in its group adm or systemd-journal; a container needs CAP_SYSLOG',
    }),
  ];
}

function tellCost({ state }: Findings): Told {
  const { costCpuPercent: percent, costProcesses, costMemoryBytes } = state?.host ?? {};
  if (percent === undefined) return { status: 'unknown', found: 'it could not be measured' };
  const processes = costProcesses === undefined ? '' : `, ${costProcesses} processes`;
  const memory = costMemoryBytes === undefined ? '' : `, ${Math.round(costMemoryBytes / 2 ** 20)} MiB`;
  const found = `${percent < 0.05 ? 'under 0.1' : percent.toFixed(1)} % of a core${processes}${memory}, doctor's own script included`;
  if (percent < 2) return { status: 'ok', found };
  return {
    status: 'note',
    found,
    why: 'measured for a few seconds; a watch shows the mean of half a minute',
    mend: 'a longer --interval costs less',
  };
}
