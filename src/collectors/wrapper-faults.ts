import { safeText } from '../model/text.ts';
import { noSetsid } from './envelope.ts';
import type { JobResult } from './stream.ts';

interface Where {
  readonly target: string;
  readonly wrap?: string | undefined;
}

/** Why no shell runs on a host, as one sentence: what was tried, what came back, what to do. */
export function explainNoShell(result: JobResult, { target, wrap }: Where, waitedSeconds: number): string {
  const lines = linesOf(result.errorText);
  const known = faults.find(({ pattern, at }) => pattern.test(lines.join('\n')) && (!at || at.test(wrap ?? '')));
  const said = known
    ? lines.find((line) => known.pattern.test(line))
    : lines.findLast((line) => !isDecoration.test(line));
  const tried = `\`sh -s\`${wrap ? ` behind \`${wrap}\`` : ''}`;
  const came = result.timedOut
    ? `nothing came back in ${waitedSeconds} s`
    : `it ended with code ${result.code ?? result.signal ?? 'unknown'}`;
  const without = said === undefined && !result.timedOut && result.code === 0 && !result.began ? ' without a word' : '';
  const what = known?.advice ?? (without ? inputAdvice(wrap) : undefined);
  const check = `check ${wrap ? '--wrap and ' : ''}that a POSIX sh is there`;
  return (
    `No shell runs on ${target}: tried ${tried}, ${came}${without}` +
    `${said ? `, saying "${safeText(said).slice(0, 200)}"` : ''}; ${what ?? check}.`
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Lines that say nothing when others do: what a code means, where fish points at, what kubectl logs of itself. */
const isDecoration =
  /^(command terminated with exit code \d+|[\^~ ]+|[EWI]\d{4} .*|srun: error: \S+: task \d+: Exited.*)$/;

/** `sh -s` that reads nothing ends well and says nothing. */
function inputAdvice(wrap: string | undefined): string {
  if (
    wrap &&
    /\b(docker|podman|kubectl|nerdctl|oc)\b.*\bexec\b/.test(wrap) &&
    !/\s(-\w*i\w*|--interactive|--stdin)\b/.test(wrap)
  )
    return 'its standard input does not get there: write exec -i';
  return `its standard input does not get there${wrap ? ': see what --wrap does with it' : ''}`;
}

interface Fault {
  readonly pattern: RegExp;
  /** Only for wrappers like this. */
  readonly at?: RegExp;
  readonly advice: string;
}

/** What engines say, and what to do. The first that fits holds. Words of docker 20 to 28, podman 4, kubectl 1.2x, LXD 5, slurm 22, sudo 1.9. */
const faults: readonly Fault[] = [
  {
    pattern: new RegExp(noSetsid),
    advice: 'install setsid there (util-linux), so that traintop can end what it starts and nothing else',
  },
  {
    pattern: /sudo:.*(password is required|terminal is required|askpass)/,
    advice: 'nobody is there to type a password: allow it without one (NOPASSWD in sudoers), or log in as the user',
  },
  { pattern: /sudo:.*must have a tty/, advice: 'take requiretty out of sudoers for this user, or log in as root' },
  {
    pattern: /is not in the sudoers file|sudo:.*not allowed to execute/,
    advice: 'this user may not run it by sudo: ask for it in sudoers, or log in as root',
  },
  {
    pattern: /input device is not a TTY|Unable to use a TTY/,
    advice: 'leave out -t: traintop needs no terminal there',
  },
  {
    pattern:
      /No such container|no container with name or ID|Instance not found|pods? ".*" not found|nodes\/.*\.conf' does not exist|upgrade connection: container not found/i,
    advice: 'there is none of that name: see what the engine lists (ps, list, get pods)',
  },
  { pattern: /is not valid for pod/, advice: 'name a container of the pod with -c' },
  {
    pattern:
      /is not running|not running!|container state improper|Failed to get init pid|completed pod|ontainer .* is (paused|restarting)/,
    advice: 'start it, or wait until it runs',
  },
  {
    pattern:
      /exec: "sh": executable file not found|executable file `?sh`? not found|Failed to exec "sh"|execve\(\): sh: No such file|failed to execute sh/,
    advice: 'there is no sh in it: traintop needs a POSIX sh where the run is',
  },
  {
    pattern: /Command not found/,
    at: /\b(lxc|incus)\b/,
    advice: 'there is no sh in it: traintop needs a POSIX sh where the run is',
  },
  {
    pattern: /Cannot connect to the Docker daemon|connection to the server .* refused|Error:.*(unix\.socket|LXD)/,
    advice: 'see that the engine runs, and that its address is known to a shell without a log-in',
  },
  {
    pattern: /permission denied while trying to connect|Got permission denied/i,
    advice: "this user may not use the engine: log in as one of its group, or begin --wrap with 'sudo -n'",
  },
  {
    pattern: /must be logged in to the server|Unauthorized|\(Forbidden\)/,
    advice: 'kubectl needs credentials there that may create pods/exec: see kubectl auth can-i create pods/exec',
  },
  {
    pattern: /Invalid job id|Expired or invalid job|already completing or completed/,
    advice: 'the job is not there any more, or is not yours: see squeue',
  },
  {
    pattern: /queued and waiting|step creation temporarily disabled/,
    advice: 'the job has no free share: give srun --overlap',
  },
  {
    pattern: /nsenter: cannot open \/proc\/\S+: No such file/,
    advice: 'that process is gone: take the PID of one that runs in the container',
  },
  {
    pattern: /reassociate to namespace|nsenter:.*(Operation not permitted|Permission denied)/,
    advice: "entering a namespace takes root: begin --wrap with 'sudo -n'",
  },
  {
    pattern: /please run as root|400 not enough arguments/,
    at: /\bpct\b/,
    advice: "write 'pct exec ID --', as root of the node",
  },
  {
    pattern: /command not found|Unknown command|Command not found|: not found|No such file or directory/i,
    advice:
      'check --wrap: the shell there does not find that program (a log-in shell may have a longer PATH: give its full path)',
  },
];
