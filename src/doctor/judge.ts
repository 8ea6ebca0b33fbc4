import { gpuChecks } from './checks/gpus.ts';
import { hostChecks } from './checks/host.ts';
import { logChecks } from './checks/log.ts';
import { loginChecks } from './checks/login.ts';
import { recordChecks } from './checks/record.ts';
import { runChecks } from './checks/run.ts';
import { shellChecks } from './checks/shell.ts';
import { stacksChecks } from './checks/stacks.ts';
import { threadChecks } from './checks/threads.ts';
import { toolChecks } from './checks/tools.ts';
import type { Check } from './check.ts';
import type { Findings } from './findings.ts';

/** What works on a host, what does not, why, and how to mend it. Pure: the same findings, the same checks. */
export function judge(findings: Findings): readonly Check[] {
  const { connection, shellFault } = findings;
  // Nothing is said of what nobody could look at.
  if (connection.fault !== undefined) return [...loginChecks(findings), ...recordChecks(findings)];
  const reached = [...loginChecks(findings), ...shellChecks(findings)];
  if (shellFault !== undefined) return [...reached, ...recordChecks(findings)];
  return [
    ...reached,
    ...toolChecks(findings),
    ...runChecks(findings),
    ...threadChecks(findings),
    ...gpuChecks(findings),
    ...hostChecks(findings),
    ...logChecks(findings),
    ...stacksChecks(findings),
    ...recordChecks(findings),
  ];
}
