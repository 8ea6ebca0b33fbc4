import type { DemoProcess } from '../cast.ts';
import { secondsPerBeat, type Machine } from '../machine.ts';
import { drift } from '../noise.ts';
import type { HostEffect } from '../scenario.ts';
import type { Player } from '../shell.ts';
import { area } from '../span.ts';
import { levelOf, playLooks } from './looks.ts';

const cores = 128;
/** What traintop costs a real host, about (0.4 % of a core), so that the demo's header shows what a user will see. */
const costTicksPerSecond = 0.05;

/** The source `host`: one answer a tick (collectors/host/awk.ts). */
export const host: Player = (stage) => {
  const { machine, clock, print } = stage;
  const looks = playLooks(stage);
  const begin = machine.uptime(clock.now());
  return (line: string) => {
    const up = machine.uptime(clock.now());
    const [shells = '', runs = '', look] = line.split('|');
    const { more, now } = hostEffects(machine, up);
    const threads = machine.threads(up);
    const busy = threads.reduce((sum, thread) => sum + machine.rate(thread, up), 0) / 100 + 3 + now('ioWaitCores');
    // Counters of all that ever ran: they never fall.
    const ran = machine.runs.flatMap(({ threads: all, startUp, endUp }) =>
      startUp > up ? [] : all.map((thread) => machine.cpu(thread, Math.min(up, endUp))),
    );
    const user = ran.reduce((sum, cpu) => sum + cpu.userTicks, 0) + Math.round(up * 200);
    const system = ran.reduce((sum, cpu) => sum + cpu.systemTicks, 0) + Math.round(up * 100);
    const ioWait = Math.round(up * 20 + 100 * more('ioWaitCores'));
    const idle = Math.round(up * 100) * cores - user - system - ioWait;
    const load = (spread: number, period: number) => (busy * (1.1 + spread * drift(6, period, up, period))).toFixed(2);
    const work = machine.workSeconds(up);
    const sectors = (key: 'diskReadBytesPerSecond' | 'diskWriteBytesPerSecond') => more(key) / 512;
    const rows = [
      `up ${up.toFixed(2)}`,
      `load ${load(0.12, 20)} ${load(0.06, 60)} ${load(0.03, 300)}`,
      `cpu ${user} 0 ${system} ${idle} ${ioWait} 0 0 0`,
      `cores ${cores}`,
      `mem MemTotal ${2113 * 2 ** 20}`,
      `mem MemAvailable ${Math.round(availableKb(machine, up) - 40_000 * drift(6, 3, up, 40))}`,
      'mem SwapTotal 0',
      'mem SwapFree 0',
      `psi cpu ${pressure(0.4 + 0.3 * drift(6, 4, up, 15), now('cpuPressurePercent'))}`,
      'psi memory 0.00',
      `psi io ${pressure(0.9 + 0.8 * drift(6, 5, up, 12), now('ioPressurePercent'))}`,
      `disk nvme0n1 ${Math.round(work * 61_000 + sectors('diskReadBytesPerSecond'))} ${Math.round(work * 6800 + sectors('diskWriteBytesPerSecond'))} ${Math.round(work * 42 + 10 * more('diskBusyPercent'))}`,
      ...machine.processes(up).flatMap((process) => {
        if (!runs.split(' ').includes(String(process.pid))) return [];
        const { reads, writes } = storageOf(machine, process, up);
        const isRoot = process.pid === machine.run(up)?.plan.pid;
        const extra = (key: HostSum) => (isRoot ? more(key) : 0);
        return `io ${process.pid} ${Math.round(reads + extra('runReadBytesPerSecond'))} ${Math.round(writes + extra('runWriteBytesPerSecond'))}`;
      }),
      ...shells
        .split(' ')
        .filter((pid) => pid !== '')
        .map(
          (pid, i, all) => `cost ${pid} 900 100 ${Math.floor((up - begin) * costTicksPerSecond + i / all.length)} 1900`,
        ),
    ];
    print(`${rows.join('\n')}\n.\n`);
    if (look !== undefined) looks(look);
  };
};

/** What a process has read and written itself: the loader's workers and who trains, together what the disk has of them. */
function storageOf(machine: Machine, { pid, comm, gpuMinors }: DemoProcess, up: number) {
  const run = machine.run(up);
  const work = run ? machine.beats(run, up) * secondsPerBeat : 0;
  const trains = run?.plan.cast === 'pipeline' ? 24e6 : 0.3e6;
  const isRoot = run?.plan.cast === 'pipeline' ? pid === run.plan.pid : gpuMinors[0] === 0;
  const reads = comm === 'pt_data_worker' ? 1.8e6 : gpuMinors.length > 0 ? trains : 0;
  return { reads: work * reads, writes: work * (isRoot ? 3.4e6 : 0) };
}

const availableKb = (machine: Machine, up: number) =>
  levelOf(machine, up, 1784 * 2 ** 30, (effect) => effect.memoryAvailableBytes) / 1024;

/** What is added to a healthy host. */
type HostSum = Exclude<keyof HostEffect, 'memoryAvailableBytes' | 'shmUsedBytes' | 'diskAvailable' | 'diskFreeInodes'>;

/** What the scenario adds: `now` at this moment, `more` summed up over the seconds so far. */
function hostEffects(machine: Machine, up: number) {
  const all = machine.scenario.effects ?? [];
  return {
    now: (key: HostSum) =>
      machine.effects(up).reduce((sum, { effect, strength }) => sum + strength * (effect.host?.[key] ?? 0), 0),
    more: (key: HostSum) =>
      all.reduce((sum, effect) => sum + area(effect, up - machine.startUp) * (effect.host?.[key] ?? 0), 0),
  };
}

const pressure = (healthy: number, added: number) => Math.min(100, Math.max(0, healthy + added)).toFixed(2);
