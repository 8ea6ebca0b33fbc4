import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Collector } from '../../../src/collectors/collector.ts';
import { hostCollector } from '../../../src/collectors/host/index.ts';
import { createRunner } from '../../../src/collectors/run.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import type { HostSample, Sample } from '../../../src/model/samples.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { startSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A channel that works about half the time, in its own shell and in processes that end. */
const busyChannel: Collector = {
  id: 'busy',
  plans: () => [
    {
      key: 'busy',
      source: 'busy',
      body: 'while :; do i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; sh -c "i=0; while [ \\$i -lt 60000 ]; do i=\\$((i + 1)); done"; sleep 0.15; done',
      parser: () => ({ push: () => [], rejected: 0 }),
    },
  ],
};

function start(collectors: readonly Collector[], wrap?: string) {
  const samples: Sample[] = [];
  const runner = createRunner({
    transport: createLocalTransport(wrap),
    collectors,
    options: { intervalMs: 1000, threads: 'proc', logs: [] },
    clock: systemClock,
    onSample: (sample) => void samples.push(sample),
  });
  cleanUps.push(() => runner.stop());
  const hosts = () => samples.filter((sample): sample is HostSample => sample.kind === 'host');
  return { runner, hosts, started: runner.start() };
}

interface Stat {
  readonly pid: number;
  readonly comm: string;
  readonly parentPid: number;
  readonly group: number;
  readonly ticks: number;
}

/** /proc by hand: every process there is. */
function processes(): readonly Stat[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1');
      const end = text.lastIndexOf(')');
      const fields = text
        .slice(end + 2)
        .split(' ')
        .map(Number);
      const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
      const comm = text.slice(text.indexOf('(') + 1, end);
      return [{ pid: Number(name), comm, parentPid: fields[1] ?? 0, group: fields[2] ?? 0, ticks }];
    } catch {
      return []; // ended since
    }
  });
}

describe('the cost of our channels, on this machine', () => {
  it('is what /proc shows for the processes of our shells, the work of a busy channel included', async () => {
    const { runner, hosts, started } = start([hostCollector, busyChannel]);
    await started;
    const frames = async (count: number) => {
      const from = hosts().length;
      await waitFor(`${count} more frames`, () => hosts().length >= from + count, 20_000);
    };
    await frames(1);
    const shells = runner.context()?.shellPids ?? [];
    expect(shells).toHaveLength(2);
    // The shell of a channel is alive all the time and waits for all that it starts.
    const used = () =>
      processes()
        .filter(({ group }) => shells.includes(group))
        .reduce((sum, { ticks }) => sum + ticks, 0);
    const [ticks, since] = [used(), Date.now()];
    await frames(4);
    const byHand = (used() - ticks) / ((Date.now() - since) / 1000);
    // The mean of all frames but the first, which only begins them: fewer than 30 s.
    const ours = hosts().at(-1)?.costCpuPercent ?? NaN;
    expect(byHand).toBeGreaterThan(15);
    expect(ours).toBeGreaterThan(byHand * 0.75);
    expect(ours).toBeLessThan(byHand * 1.25);
    const last = hosts().at(-1);
    expect(last?.costProcesses).toBeGreaterThanOrEqual(6);
    expect(last?.costMemoryBytes).toBeGreaterThan(500_000);
    expect(last?.costMemoryBytes).toBeLessThan(100e6);
  }, 60_000);

  it('reads the host for real', async () => {
    const { hosts, started } = start([hostCollector]);
    await started;
    await waitFor('two frames', () => hosts().length >= 2);
    const [, sample] = hosts();
    const total = Number(/MemTotal: +(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024;
    expect(sample?.memoryTotalBytes).toBe(total);
    expect(sample?.load1).toBeGreaterThanOrEqual(0);
    expect(sample?.busyPercent).toBeGreaterThanOrEqual(0);
    expect(sample?.busyPercent).toBeLessThanOrEqual(100);
    expect(Math.abs((sample?.time ?? 0) - Date.now())).toBeLessThan(3000);
  });
});

describeWith(['sshd', 'ssh'], 'the cost of our channels, over SSH', () => {
  it('includes the sshd of the connection and not the one that listens', async () => {
    const sshd = await startSshd();
    cleanUps.push(() => sshd.stop());
    const options = ['-o', `UserKnownHostsFile=${sshd.knownHostsFile}`, '-o', 'BatchMode=yes', '-F', '/dev/null'];
    const ssh = [requiredTool('ssh'), ...options, '-i', sshd.keyFile, '-p', `${sshd.port}`, `${sshd.user}@127.0.0.1`];
    const { runner, hosts, started } = start([hostCollector], ssh.join(' '));
    await started;
    await waitFor('two frames', () => hosts().length >= 2);
    const all = processes();
    const shell = all.find(({ pid }) => pid === runner.context()?.shellPids[0]);
    const connection = all.filter(
      ({ comm, pid, parentPid }) =>
        comm.startsWith('sshd') && pid !== sshd.pid && isBelow(pid, sshd.pid, all) && parentPid > 1,
    );
    expect(connection.length).toBeGreaterThan(0);
    const counted = hosts().at(-1)?.costPids ?? [];
    expect(counted).toEqual(expect.arrayContaining([shell?.pid, ...connection.map(({ pid }) => pid)]));
    expect(counted).not.toContain(sshd.pid);
    // All else is of the shell's group; a sleep that ended since has no entry to look at any more.
    const group = new Map(all.map((process) => [process.pid, process.group]));
    const others = counted.filter((pid) => !connection.some((one) => one.pid === pid) && pid !== process.pid);
    expect(new Set(others.map((pid) => group.get(pid) ?? shell?.group))).toEqual(new Set([shell?.group]));
  });
});

function isBelow(pid: number, above: number, all: readonly Stat[]): boolean {
  for (let at = pid, depth = 0; depth < 10; depth++) {
    if (at === above) return true;
    at = all.find((process) => process.pid === at)?.parentPid ?? 0;
  }
  return false;
}
