import type { Findings } from './checks.ts';
import type { RealFindings } from './real.ts';
import type { Row } from './rows.ts';

/** What one row of the test found. */
export interface RowFindings {
  readonly row: Row;
  readonly findings: Findings;
}

/** docs/hosts.md. */
export function hostsPage(found: readonly RowFindings[], real: readonly RealFindings[]): string {
  const here = found.filter(({ row }) => row.shell === undefined);
  const remote = found.filter(({ row }) => row.shell !== undefined);
  return `# Hosts and wrappers

Made by \`npx vitest run test/e2e/hosts --update\` from what that test found; without \`--update\` it fails when this page says anything else.

\`--wrap\` takes any command line that runs \`sh -s\` where the run is, with traintop's standard input and output. It needs there: a POSIX
sh, awk, and setsid where the wrapper leaves the shell in its own process group. Nothing is taken from the environment. A wrapper
must pass standard input (\`docker exec\` and \`kubectl exec\` need \`-i\`), must give no terminal (no \`-t\`), and must ask for nothing
(\`sudo -n\`).

## What the test tries

A run in a PID and mount namespace of its own, or on the host where no container is entered. Through each wrapper the run is found,
its threads are named and move, its log is followed, the host's figures and traintop's own cost are there, and py-spy dumps its
stacks. Then: when is the last process gone after traintop ended, after its client was killed (SIGKILL), and after the link fell
silent without an end? *By the lease* is 30 to 40 s after the last sign of life (the test takes a lease of 9 s for its cuts).

docker, podman, kubectl, lxc, pct and srun are stand-ins here (\`test/support/wrappers\`) that behave as the last column says; sh, sudo,
nsenter, ssh, sshd, bash, fish and tcsh are real.

### On this machine

${table(['Wrapper', 'Everything shown', 'After the end', 'After a kill', 'After silence', 'What is odd there'], here.map(localCells))}

### Through a real sshd

${table(['Wrapper', 'Log-in shell', 'Everything shown', 'After the end', 'After a kill', 'After silence', 'What is odd there'], remote.map(remoteCells))}

## What was run for real

By \`sh scripts/hosts-real.sh\`, as root on Debian 12, on the day that the row names; it is not repeated by the tests.

${table(['Wrapper', 'Versions', 'Everything shown', 'After the end', 'After a kill', 'After silence', 'Date'], real.map(realCells))}

Not run for real: kubectl, which is written after its documentation and reports of others, and pct itself, which is Perl around
lxc-attach. Nor incus, which came of LXD, unprivileged containers, crun, rootless podman, systemd-nspawn, Apptainer, several tasks a step of srun, and srun to another node.

## What they taught

- LXD 5.0.2 leaves the shell of \`lxc exec\` in the process group of its daemon: a shell that ends its group would end LXD. traintop's
  shell makes a group of its own first wherever it leads none, as under lxc-attach and nsenter.
- docker 20.10 and podman 4.3: the command lives on when its client is killed; its input is closed, so it ends at once.
- LXD kills the first process of a lost client's command, and nothing that it started: the rest ends at the end of its input.
- srun 22.05: a step whose srun was killed goes on with its input open, so it ends by the lease.
- docker 20.10: when the container is restarted its client ends with code 137, when dockerd is killed with 255, both without a word,
  and in the second case the command lives on: both are cuts, and tried again.
- docker without \`-i\` ends at once with code 0 and without a word.
`;
}

const endings = ({
  afterEnd,
  afterKill,
  afterSilence,
}: Pick<RealFindings, 'afterEnd' | 'afterKill' | 'afterSilence'>) =>
  [afterEnd, afterKill, afterSilence].map((ending) => ending ?? '');
const wrapper = (shown: string) => (shown === '' ? 'none' : `\`${shown}\``);
const localCells = ({ row, findings }: RowFindings) => [wrapper(row.shown), 'yes', ...endings(findings), row.odd];
const remoteCells = ({ row, findings }: RowFindings) => [
  ...[wrapper(row.shown), row.shell ?? '', 'yes'],
  ...[...endings(findings), row.odd],
];
const realCells = (real: RealFindings) => [
  ...[wrapper(real.shown), real.engine, real.works ? 'yes' : (real.fault ?? 'no')],
  ...[...endings(real), real.date],
];

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}
