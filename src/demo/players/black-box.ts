import type { DemoThread } from '../cast.ts';
import { gpuMemoryMib, powerLimitWatts, type DemoGpu } from '../gpu.ts';
import type { Machine } from '../machine.ts';
import { gpuAddress } from '../places.ts';
import type { Player, Stage } from '../shell.ts';
import { placeInKernel } from './waits.ts';

/** The script `black-box` (collectors/black-box/script.ts): threads with the kernel's stacks, the kernel's log, nvidia-smi -q. */
export const blackBox: Player = (stage) => {
  const { machine, clock, body, print, finish, after } = stage;
  const up = machine.uptime(clock.now());
  const pids = /\bfor p in ([\d ]*);/.exec(body)?.[1]?.trim().split(/\s+/).filter(Boolean).map(Number) ?? [];
  for (const pid of pids) {
    const threads = machine.threads(up).filter((thread) => thread.pid === pid);
    print(`@box process ${pid}\n${threads.map((thread) => threadLines(machine, thread, up)).join('')}`);
  }
  print(`@box log dmesg\n${kernelLog(machine, up)}@box smi\n`);
  after(smiMs, () => {
    print(`${smiText(stage, up)}@box code 0\n@box end\n`);
    finish(0);
  });
};

/** It asks each GPU in turn. */
const smiMs = 1200;

function threadLines(machine: Machine, thread: DemoThread, up: number): string {
  const { comm, tid } = thread;
  const shape = machine.shape(thread, up);
  const { slices } = machine.cpu(thread, up);
  const isRunning = shape.percent > 50;
  const where = isRunning ? '0' : placeInKernel(thread, shape);
  const head = `t ${tid} ${isRunning ? 'R' : shape.rest} ${slices} ${Math.round(slices / 40)} ${where} ${comm}\n`;
  return isRunning ? head : `${head}s ${[where, ...(above[where] ?? usual)].join(' ')}\n`;
}

const entry = ['do_syscall_64', 'entry_SYSCALL_64_after_hwframe'];
const usual = ['schedule_timeout', ...entry];
/** What called the function in which a thread sleeps (Linux 6.8). */
const above: Readonly<Record<string, readonly string[]>> = {
  futex_do_wait: ['__futex_wait', 'futex_wait', 'do_futex', '__x64_sys_futex', ...entry],
  hrtimer_nanosleep: ['common_nsleep', '__x64_sys_clock_nanosleep', ...entry],
  ep_poll: ['do_epoll_wait', '__x64_sys_epoll_wait', ...entry],
  anon_pipe_read: ['vfs_read', 'ksys_read', '__x64_sys_read', ...entry],
  folio_wait_bit_common: ['filemap_read', 'vfs_read', 'ksys_read', '__x64_sys_read', ...entry],
  'poll_schedule_timeout.constprop.0': ['do_sys_poll', '__x64_sys_poll', ...entry],
};

/** The driver's words when it was loaded stand in every such log. */
function kernelLog(machine: Machine, up: number): string {
  const line = (at: number, text: string) => `[${at.toFixed(6).padStart(12)}] ${text}\n`;
  const entries = machine.scenario.kernel ?? [];
  const told = entries.flatMap(({ at, lines }) => {
    const when = machine.startUp + at;
    const pid = machine.run(when)?.plan.pid ?? machine.runs[0]?.plan.pid;
    return when <= up ? lines.map((text) => line(when, text.replaceAll('{pid}', String(pid)))) : [];
  });
  const loaded = 'NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.159.04  Release Build  (dvs-builder@U22-I3)';
  return [line(18.402113, loaded), ...told].join('');
}

function smiText({ machine }: Stage, up: number): string {
  const gpus = machine.gpus(up);
  const head = [
    ['Driver Version', '580.159.04'],
    ['CUDA Version', '13.0'],
    ['Attached GPUs', String(gpus.length)],
  ] as const;
  return [
    ...['', '==============NVSMI LOG==============', '', ...head.map(([key, value]) => row(0, key, value)), ''],
    ...gpus.flatMap((gpu) => gpuText(gpu)),
    '',
  ].join('\n');
}

const row = (indent: number, key: string, value: string) =>
  `${' '.repeat(indent)}${key.padEnd(50 - indent)} : ${value}`;

/** As nvidia-smi 580 writes one of an H200; most of what never changes is left out. */
function gpuText(gpu: DemoGpu): readonly string[] {
  const { index, uuid, utilization, memoryUtilization, memoryUsedMib, watts, celsius, smMhz, reasons } = gpu;
  const isCapped = (reasons & 0x4) > 0;
  const sections: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['GPU Reset Status', { 'Reset Required': 'No', 'Drain and Reset Recommended': 'No' }],
    ['Clocks Event Reasons', { Idle: 'Not Active', 'SW Power Cap': isCapped ? 'Active' : 'Not Active' }],
    ['FB Memory Usage', { Total: `${gpuMemoryMib} MiB`, Used: `${Math.round(memoryUsedMib)} MiB` }],
    ['Utilization', { GPU: `${Math.round(utilization)} %`, Memory: `${Math.round(memoryUtilization)} %` }],
    ['ECC Errors', { 'Volatile SRAM Uncorrectable Parity': '0', 'Volatile DRAM Uncorrectable': '0' }],
    ['Temperature', { 'GPU Current Temp': `${Math.round(celsius)} C` }],
    ['GPU Power Readings', { 'Average Power Draw': `${watts.toFixed(2)} W`, 'Current Power Limit': `${powerLimitWatts}.00 W` }], // prettier-ignore
    ['Clocks', { SM: `${Math.round(smMhz)} MHz` }],
  ];
  return [
    `GPU 0000${gpuAddress(index).toUpperCase()}.0`,
    ...[row(4, 'Product Name', 'NVIDIA H200'), row(4, 'GPU UUID', uuid), row(4, 'Minor Number', String(index))],
    ...sections.flatMap(([title, rows]) => [
      `    ${title}`,
      ...Object.entries(rows).map(([key, value]) => row(8, key, value)),
    ]),
    '',
  ];
}
