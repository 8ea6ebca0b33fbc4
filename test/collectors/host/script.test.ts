import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { describeWith, toolPath } from '../../support/requires.ts';
import { awks, fixturePath, runScript, samplesOf, shells } from './read.ts';

const gib = 2 ** 30;
const has = (command: string) => toolPath(command.split(' ')[0] ?? '') !== undefined;
const pairs = shells.flatMap((shell) => awks.map((awk) => ({ shell, awk }))).filter((p) => has(p.shell) && has(p.awk));

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

describeWith(['dash', 'busybox', 'mawk'], "the host's script", () => {
  describe.each(pairs)('under $shell and $awk', ({ shell, awk }) => {
    const read = (tree: string, ticks = ['|77', '|77']) => {
      const { samples, rejected } = samplesOf(runScript({ shell, awk, root: fixturePath(tree), ticks }));
      expect(rejected).toBe(0);
      expect(samples).toHaveLength(ticks.length);
      return samples[0];
    };

    it('reads a host and the cgroup v2 of the run, the tightest limit on the way up', () => {
      expect(read('tree-v2')).toEqual({
        kind: 'host',
        host: 'node-0',
        source: 'host',
        time: 1_000_000 + 5_000_250,
        receivedAt: 5000,
        load1: 1.27,
        load5: 1.58,
        load15: 1.57,
        cores: 4,
        coreLimit: 3,
        memoryTotalBytes: 64 * gib,
        memoryAvailableBytes: 50_000_000 * 1024,
        memoryLimitBytes: 16 * gib,
        memoryUsedBytes: 8_000_000_000,
        swapUsedBytes: gib / 2,
        cpuPressurePercent: 2.03,
        ioPressurePercent: 0.34,
      });
    });

    it('reads the limits of a container with a namespace of its own', () => {
      const limits = { coreLimit: 1.5, memoryLimitBytes: 8 * gib, memoryUsedBytes: gib };
      expect(read('tree-v2-container')).toMatchObject(limits);
    });

    it('reads cgroup v1, whose path is not in the mount of a container', () => {
      const limits = { coreLimit: 2.5, memoryLimitBytes: 4 * gib, memoryUsedBytes: 2 * gib };
      expect(read('tree-v1')).toMatchObject(limits);
    });

    it('takes the huge number of v1 and a quota of -1 for no limit', () => {
      const sample = read('tree-unlimited');
      expect(sample).toMatchObject({ cores: 4, memoryTotalBytes: 64 * gib });
      for (const key of ['coreLimit', 'memoryLimitBytes', 'memoryUsedBytes']) expect(sample).not.toHaveProperty(key);
    });

    it('leaves out all that cannot be read', () => {
      expect(read('tree-empty')).toEqual({
        kind: 'host',
        host: 'node-0',
        source: 'host',
        time: 5000,
        receivedAt: 5000,
      });
    });

    it('ignores ticks that hold anything else than PIDs', () => {
      const ticks = ['|', '$(touch /tmp/x)|', '', '1;2|3'];
      expect(samplesOf(runScript({ shell, awk, root: fixturePath('tree-v2'), ticks })).samples).toHaveLength(1);
    });

    it('names whole disks only, and the I/O of the run', () => {
      const text = runScript({ shell, awk, root: fixturePath('tree-v2'), ticks: ['|77 78'] });
      expect(text.split('\n').filter((line) => /^(disk|io)/.test(line))).toEqual([
        'disk sda 2048 4096 500',
        'disk nvme0n1 1000 500 50',
        'io 77 4096 8192',
      ]);
    });

    it('finds its own processes on this host by the group of its shell', () => {
      const ticks = [`${process.pid}|`, `${process.pid}|`];
      const lines = runScript({ shell, awk, ticks }).split('\n');
      const own = lines.map((line) => line.split(' ')).filter(([key]) => key === 'cost');
      const stat = readFileSync('/proc/self/stat', 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      expect(own.find(([, pid]) => Number(pid) === process.pid)?.slice(2, 4)).toEqual([stat[1], stat[19]]);
      expect(lines.filter((line) => line === '.')).toHaveLength(2);
    });

    it('looks at what they cost every 7 s after the first looks, however seldom the ticks come', () => {
      const root = mkdtempSync(join(tmpdir(), 'traintop-cost-'));
      folders.push(root);
      mkdirSync(join(root, 'proc/1000'), { recursive: true });
      // Each tick finds the process at work since the tick before; the next waits until this one is answered, though `out` may not be there yet.
      const by = `cd ${root}; n=0; while read -r up; do n=$((n + 1)); echo "$up 0" >proc/uptime
echo "1000 (sh) S 1 1000 1000 0 -1 0 0 0 0 0 $n 0 0 0 20 0 1 0 50 0 10" >proc/1000/stat; echo '1000|'
while [ "$(cat out 2>/dev/null | grep -c '^[.]$')" -lt $n ]; do sleep 0.01; done; done`;
      const ups = [100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 150, 180, 240];
      runScript({ shell, awk, root, ticks: ups.map(String), by, to: join(root, 'out') });
      const rounds = readFileSync(join(root, 'out'), 'utf8').split(/^\.$/m).slice(0, -1);
      const asked = ups.filter((_, i) => /^cost 1000 /m.test(rounds[i] ?? ''));
      expect(rounds).toHaveLength(ups.length);
      expect(asked.filter((up) => up > 112)).toEqual([120, 150, 180, 240]);
    }, 20_000);
  });
});

describeWith(['dash', 'mawk'], 'rates', () => {
  it('are taken over the time of the host between two frames', () => {
    const root = mkdtempSync(join(tmpdir(), 'traintop-host-'));
    folders.push(root);
    cpSync(fixturePath('tree-v2'), root, { recursive: true });
    const write = (path: string, text: string) => writeFileSync(join(root, path), text);
    const first = runScript({ shell: 'dash', awk: 'mawk', root, ticks: ['|77'] });
    write('proc/uptime', '5002.25 1\n');
    write('proc/stat', 'cpu  1100 0 600 8300 500 0 100 100 0 0\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\n');
    write(
      'proc/diskstats',
      '8 0 sda 100 0 6144 10 50 0 8192 20 0 1500 30\n 259 0 nvme0n1 1 0 1000 1 5 0 2548 2 0 60 3\n',
    );
    write('proc/77/io', 'read_bytes: 1052672\nwrite_bytes: 8192\n');
    const second = runScript({ shell: 'dash', awk: 'mawk', root, ticks: ['|77'] });
    const [, sample] = samplesOf(first + second).samples;
    expect(sample).toMatchObject({
      busyPercent: (100 * 300) / 700,
      ioWaitPercent: (100 * 100) / 700,
      diskReadBytesPerSecond: (4096 * 512) / 2,
      diskWriteBytesPerSecond: ((4096 + 2048) * 512) / 2,
      diskBusyPercent: 50,
      runReadBytesPerSecond: 524_288,
      runWriteBytesPerSecond: 0,
    });
  });
});
