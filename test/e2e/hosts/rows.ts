import type { Ending } from './checks.ts';

/** What a wrapper is made of for a test: where the programs are, and the container with the run. */
export interface Place {
  /** The folder of the stand-ins. */
  readonly bin: string;
  /** The container's name, and the PID of its first process on its host. */
  readonly box: string;
  readonly pid: number;
  /** An OpenSSH client's command line to the host itself. */
  readonly ssh: string;
}

/** One way to a run: a line of docs/hosts.md. */
export interface Row {
  /** As a user writes it. */
  readonly shown: string;
  readonly wrap?: (place: Place) => string;
  /** The log-in shell of the sshd that it goes through; absent: this machine. */
  readonly shell?: 'bash' | 'fish' | 'tcsh';
  /** The run is in a container. */
  readonly inside: boolean;
  readonly afterKill?: Ending;
  /** What else stands in its way. */
  readonly odd: string;
}

const oddities = {
  docker: 'the command lives on when its client is killed, with its input closed',
  podman: 'as docker',
  kubectl:
    'takes any end for a good one (code 0); the end of input does not get through; lines of its own before the data',
  lxc: 'the shell is in the process group of the daemon; of a killed client’s command only the first process is killed',
  pct: 'the shell is in the group of its caller; warnings of perl before the data',
  srun: 'a step whose srun was killed goes on, its input open',
  nsenter: 'the shell is in the group of its caller; /proc is the container’s only with -m',
  sudo: 'environment and PATH are made anew',
};

/** Every way that is tried. */
export const rows: readonly Row[] = [
  { shown: '', inside: false, odd: '' },
  { shown: 'docker exec -i BOX', wrap: ({ box }) => `docker exec -i ${box}`, inside: true, odd: oddities.docker },
  { shown: 'podman exec -i BOX', wrap: ({ box }) => `podman exec -i ${box}`, inside: true, odd: oddities.podman },
  {
    shown: 'kubectl exec -i POD -c C --',
    wrap: ({ box }) => `kubectl exec -i ${box} -c train --`,
    ...{ inside: true, afterKill: 'by the lease', odd: oddities.kubectl },
  },
  { shown: 'lxc exec BOX --', wrap: ({ box }) => `lxc exec ${box} --`, inside: true, odd: oddities.lxc },
  { shown: 'pct exec 200 --', wrap: ({ box }) => `pct exec ${box} --`, inside: true, odd: oddities.pct },
  { shown: 'nsenter -t PID -m -p', wrap: ({ pid }) => `nsenter -t ${pid} -m -p`, inside: true, odd: oddities.nsenter },
  {
    shown: 'srun --overlap --jobid JOB',
    wrap: ({ box }) => `srun --overlap --jobid ${box}`,
    ...{ inside: true, afterKill: 'by the lease', odd: oddities.srun },
  },
  { shown: 'sudo -n', wrap: () => 'sudo -n', inside: false, odd: oddities.sudo },
  {
    shown: 'sudo -n docker exec -i BOX',
    wrap: ({ bin, box }) => `sudo -n ${bin}/docker exec -i ${box}`,
    ...{ inside: true, odd: 'both of the above' },
  },
  {
    shown: 'srun --overlap --jobid JOB nsenter -t PID -m -p',
    wrap: ({ pid }) => `srun --overlap --jobid node nsenter -t ${pid} -m -p`,
    ...{ inside: true, afterKill: 'by the lease', odd: 'both of the above' },
  },
  {
    shown: `sh -c 'echo Welcome; exec env -i "$@" 2>&1' x docker exec -i BOX`,
    wrap: ({ bin, box }) => `sh -c 'echo Welcome; exec env -i "$@" 2>&1' x ${bin}/docker exec -i ${box}`,
    ...{ inside: true, odd: 'a banner before the data, standard error among it, no environment, no PATH' },
  },
  { shown: '', shell: 'bash', inside: false, odd: '' },
  { shown: 'pct exec 200 --', wrap: ({ box }) => `pct exec ${box} --`, shell: 'bash', inside: true, odd: oddities.pct },
  {
    shown: 'pct exec 200 -- bash -lc',
    wrap: ({ box }) => `pct exec ${box} -- bash -lc`,
    ...{ shell: 'bash', inside: true, odd: 'a log-in shell in between, with all that its profile prints' },
  },
  {
    shown: 'sudo -n docker exec -i BOX',
    wrap: ({ bin, box }) => `sudo -n ${bin}/docker exec -i ${box}`,
    ...{ shell: 'bash', inside: true, odd: 'as on this machine' },
  },
  {
    shown: 'ssh NODE docker exec -i BOX',
    wrap: ({ ssh, box }) => `${ssh} docker exec -i ${box}`,
    ...{ shell: 'bash', inside: true, odd: 'ssh joins its arguments to one line for the next shell' },
  },
  {
    shown: 'docker exec -i BOX',
    wrap: ({ box }) => `docker exec -i ${box}`,
    ...{ shell: 'fish', inside: true, odd: 'the log-in shell is fish, whose config.fish prints text' },
  },
  {
    shown: 'kubectl exec -i POD -c C --',
    wrap: ({ box }) => `kubectl exec -i ${box} -c train --`,
    ...{ shell: 'tcsh', inside: true, afterKill: 'by the lease' },
    odd: 'the log-in shell is tcsh, whose .tcshrc prints text; else as on this machine',
  },
];
