import { logPath, pySpyPath } from '../places.ts';
import type { Player } from '../shell.ts';

/** What doctor's own script finds on the demo host (doctor/script.ts). */
export const doctor: Player = ({ body, machine, clock, print, every, finish }) => {
  const pid = /"\$1 \$k \$v"[^]*?status target (\d+)/.exec(body)?.[1];
  // All that is looked for is there.
  const tools = /^for t in ([^;]+); do p=/m.exec(body)?.[1]?.split(' ') ?? [];
  const root = ['Uid: 0 0 0 0', 'Gid: 0 0 0 0', 'CapPrm: 000001ffffffffff', 'CapEff: 000001ffffffffff'];
  const lines = [
    'shell /usr/bin/dash',
    'loginshell /bin/bash',
    `proc ${machine.processes(machine.uptime(clock.now())).length + 5}`,
    'procmount rw,nosuid,nodev,noexec,relatime',
    ...tools.map((tool) => `tool ${tool} /usr/bin/${tool}`),
    'version awk mawk 1.3.4 20200120',
    'version tail tail (GNU coreutils) 9.1',
    'version ps ps from procps-ng 4.0.4',
    'version od od (GNU coreutils) 9.1',
    ...root.map((line) => `self ${line}`),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `gpudevice /dev/nvidia${n}`),
    'gpudriver NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04',
    ...(pid === undefined ? [] : [...root.map((line) => `target ${line}`), 'environ readable', 'unbuffered yes']),
    `@py-spy tool ${pySpyPath}`,
    '@py-spy version py-spy 0.4.2',
  ];
  print(`${lines.join('\n')}\n`);
  const wanted = body.includes(logPath) ? Number(/-lt (\d+) \]; do set --/.exec(body)?.[1] ?? 0) : 0;
  const size = () => Math.round(machine.uptime(clock.now()) * 90);
  let said = 0;
  const say = () => {
    if (said < wanted) print(`size ${size()}\n`);
    if (++said < wanted) return;
    print('end\n');
    finish(0);
  };
  say();
  if (said < wanted) every(1000, say);
};
