import { expect, test } from 'vitest';
import { explainNoShell } from '../../src/collectors/wrapper-faults.ts';

const explain = (
  wrap: string | undefined,
  errorText: string,
  more: { code?: number | null; timedOut?: boolean } = {},
) =>
  explainNoShell(
    { code: 1, lost: false, began: false, output: '', timedOut: false, ...more, errorText },
    { target: 'gpu7', wrap },
    30,
  );

// What the engines say: docker 28.2.2 with dockerd 20.10.24, podman 4.3.1, lxc 5.0.2, lxd 5.0.2, slurm 22.05.8, sudo 1.9.13, util-linux
// 2.38.1, fish 3.6.0 and tcsh 6.24.07 as they did; kubectl and pct as documented.
test.each([
  [
    'docker exec -i box',
    'Error response from daemon: No such container: box',
    /"Error.*: box"; there is none of that name/,
  ],
  ['docker exec -i box', 'Error response from daemon: Container 87ff2e51 is not running', /; start it/],
  ['docker exec -it box', 'the input device is not a TTY', /; leave out -t/],
  [
    'docker exec -i box',
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown',
    /; there is no sh in it/,
  ],
  [
    'docker exec -i box',
    'Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?',
    /; see that the engine runs/,
  ],
  [
    'docker exec -i box',
    'permission denied while trying to connect to the Docker daemon socket at unix:///x',
    /; this user may not/,
  ],
  [
    'podman exec -i box',
    'Error: no container with name or ID "box" found: no such container',
    /; there is none of that name/,
  ],
  [
    'podman exec -i box',
    'Error: can only create exec sessions on running containers: container state improper',
    /; start it/,
  ],
  [
    'podman exec -i box',
    'Error: runc: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found',
    /; there is no sh in it/,
  ],
  ['kubectl exec -i box --', 'Error from server (NotFound): pods "box" not found', /; there is none of that name/],
  [
    'kubectl exec -i box --',
    'Defaulted container "a" out of: a, b\nerror: Internal error occurred: exec: "sh": executable file not found in $PATH: unknown\ncommand terminated with exit code 126',
    /saying "error: Internal error.*; there is no sh in it/,
  ],
  [
    'kubectl exec -i box --',
    'error: cannot exec into a container in a completed pod; current phase is Succeeded',
    /; start it/,
  ],
  [
    'kubectl exec -i box --',
    'E1125 09:12:44.731022 1 memcache.go:265] x\nerror: You must be logged in to the server (Unauthorized)',
    /; kubectl needs/,
  ],
  ['pct exec 200 --', "container '200' not running!", /; start it/],
  ['pct exec 200 --', "Configuration file 'nodes/pve/lxc/200.conf' does not exist", /; there is none of that name/],
  [
    'lxc-attach -n box --',
    'lxc-attach: box: ../src/lxc/attach.c: get_attach_context: 406 Connection refused - Failed to get init pid',
    /; start it/,
  ],
  ['lxc exec box --', 'Error: Instance not found', /; there is none of that name/],
  ['lxc exec box --', 'Error: Instance is not running', /; start it/],
  ['lxc exec box --', 'Error: Command not found', /; there is no sh in it/],
  [
    'srun --overlap --jobid 9',
    'srun: error: Unable to confirm allocation for job 9: Invalid job id specified\nsrun: Check SLURM_JOB_ID environment variable. Expired or invalid job 9',
    /; the job is not there/,
  ],
  [
    'srun --jobid 9',
    'srun: Job 9 step creation temporarily disabled, retrying (Requested nodes are busy)',
    /; the job has no free share/,
  ],
  ['sudo -n', 'sudo: a password is required', /; nobody is there to type/],
  [
    'sudo',
    'sudo: a terminal is required to read the password; either use the -S option\nsudo: a password is required',
    /; nobody is there/,
  ],
  ['nsenter -t 9 -m -p', 'nsenter: cannot open /proc/9/ns/pid: No such file or directory', /; that process is gone/],
  [
    'nsenter -t 9 -m -p',
    "nsenter: reassociate to namespace 'ns/pid' failed: Operation not permitted",
    /; entering a namespace takes root/,
  ],
  ['nix --', 'bash: line 1: nix: command not found', /; check --wrap/],
  [
    'nix --',
    'fish: Unknown command: nix\nfish: \nnix -- sh -s\n^~^',
    /saying "fish: Unknown command: nix"; check --wrap/,
  ],
  ['nix --', 'nix: Command not found.', /; check --wrap/],
  ['lxc-attach -n box --', 'traintop: no setsid', /; install setsid/],
])('%s: %s', (wrap, errorText, expected) => {
  const text = explain(wrap, errorText);
  expect(text).toMatch(expected);
  expect(text).toMatch(/^No shell runs on gpu7: tried `sh -s` behind `[^\n]*, it ended with code 1, saying "[^\n]*\.$/);
});

test('a lost standard input is told by an end with code 0 and no word', () => {
  const end = 'it ended with code 0 without a word; its standard input does not get there';
  expect(explain('docker exec box', '', { code: 0 })).toContain(`${end}: write exec -i.`);
  expect(explain('docker exec -i box', '', { code: 0 })).toContain(`${end}: see what --wrap does with it.`);
  expect(explain(undefined, '', { code: 0 })).toContain(`${end}.`);
});

test('what nobody knows is said as it came', () => {
  expect(explain(undefined, 'odd\x1b[2J', { code: 3 })).toBe(
    'No shell runs on gpu7: tried `sh -s`, it ended with code 3, saying "odd"; check that a POSIX sh is there.',
  );
  expect(explain('x', 'srun: job 5 queued and waiting for resources', { code: null, timedOut: true })).toMatch(
    /nothing came back in 30 s, saying "srun: job 5.*; the job has no free share: give srun --overlap\.$/,
  );
});
