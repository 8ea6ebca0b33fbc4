import { gpuAddress, pySpyPath } from '../places.ts';
import type { Player } from '../shell.ts';
import { gpuFields, gpuRow, nvmlFault } from './gpu.ts';

/** Two sockets: the first four GPUs are at the first. */
const nodes = ['0-31,64-95', '32-63,96-127'];

function placeOf(uuid: string, index: number): string {
  const node = index < 4 ? 0 : 1;
  return `gpuplace ${uuid} ${gpuAddress(index)}.0 ${node} ${nodes[node]}`;
}

/** The probe's answer (collectors/probe.ts): a Debian 12 host with eight H200. */
export const probe: Player = ({ machine, clock, print, finish }) => {
  const now = clock.now();
  const up = machine.uptime(now);
  const fault = nvmlFault(machine, up);
  const gpus = fault === undefined ? machine.gpus(up).filter(({ lost }) => !lost) : [];
  const lines = [
    `clock ${(now / 1000).toFixed(9)} ${Math.floor(now / 1000)} +0000`,
    `uptime ${up.toFixed(2)}`,
    'hostname h200-demo',
    'kernel Linux 6.8.0',
    'user root',
    'uid 0',
    'ticks 100',
    'page 4096',
    'cores 128',
    ...nodes.map((cores, node) => `numa ${node} ${cores}`),
    'awk mawk',
    'top procps-ng 4.0.4',
    'pidstat sysstat version 12.6.1',
    'tail yes',
    'ptrace 0',
    'capeff 000001ffffffffff',
    `pyspy ${pySpyPath}`,
    ...gpus.map((gpu) => `gpu ${gpuRow(['driver_version', 'index', 'uuid', 'name'], gpu, '')}`),
    ...(fault === undefined ? [] : [`gpu ${fault}`]),
    ...gpus.map(({ uuid, index }) => placeOf(uuid, index)),
    `gpucode ${fault === undefined ? 0 : 255}`,
    ...Object.keys(gpuFields).map((name) => `field ${name}`),
  ];
  print(lines.join('\n') + '\n');
  finish(0);
};
