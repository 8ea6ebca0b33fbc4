import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isHeader, layoutOf, recogniseRow } from '../../src/import/smi-layout.ts';
import { createStatText } from '../../src/import/stat-text.ts';
import { createOwners, createPartitions, ownersByMemory } from '../../src/import/top-owners.ts';
import { createTopText, type TopFrame } from '../../src/import/top-text.ts';
import { fixtures } from './imported.ts';

const other = (name: string) => {
  const bytes = readFileSync(join(fixtures, 'other', name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

function topFrames(text: string): readonly TopFrame[] {
  const reader = createTopText();
  const frames = text.split('\n').flatMap((line) => {
    const frame = reader.push(line);
    return typeof frame === 'object' ? [frame] : [];
  });
  return [...frames, reader.end()].filter((frame) => frame !== undefined);
}

describe('top', () => {
  test('a frame has the host and every thread', () => {
    const [, second] = topFrames(other('toph.txt.gz'));
    expect(second).toMatchObject({
      second: 13 * 3600 + 46 * 60 + 32,
      isFirst: false,
      threadsTotal: 133,
      load: [0.97, 0.3, 0.11],
    });
    expect(second?.cpu?.get('id')).toBeGreaterThan(90);
    expect(second?.memoryTotalBytes).toBe(Math.round(257811 * 1024 * 1024));
    expect(second?.rows).toHaveLength(133);
  });

  test('units and columns of another rc file', () => {
    const [first] = topFrames(other('top-4.0.2-H-Eg-eg.txt'));
    expect(first?.memoryTotalBytes).toBe(Math.round(23.5 * 1024 ** 3));
    expect(first?.memoryAvailableBytes).toBe(Math.round(23.1 * 1024 ** 3));
    expect(first?.rows[0]).toMatchObject({ tid: 12304, cpuPercent: 84.2, comm: 'python (train)' });
    const moved = [
      'top - 14:02:31 up 29 min,  0 user,  load average: 1.27, 1.58, 1.57',
      'Threads:   1 total',
      '',
      '    PID   P S  %CPU COMMAND',
      ' 12304   7 R  99.9  odd (name) ',
    ];
    expect(topFrames(moved.join('\n'))[0]?.rows[0]).toMatchObject({
      tid: 12304,
      core: 7,
      state: 'R',
      cpuPercent: 99.9,
      comm: ' odd (name)',
    });
  });

  test('a top that begins anew is told by the empty line that is not there', () => {
    const once = other('top-4.0.2-H-80cols.txt').split(/\n\n(?=top - )/);
    const loop = `${once[0]}\n${once[0]}\n${once.join('\n\n')}\n`;
    expect(topFrames(loop).map(({ isFirst }) => isFirst)).toEqual([true, true, true, false]);
    // Who dropped all empty lines dropped the sign too.
    expect(topFrames(loop.replace(/\n\n+/g, '\n')).map(({ isFirst }) => isFirst)).toEqual([true, false, false, false]);
  });

  test('processes are told apart by their memory, a change of it in one frame is none', () => {
    const row = (tid: number, memory: string) => ({
      tid,
      memory,
      user: 'root',
      state: 'S',
      core: null,
      cpuPercent: 0,
      comm: 'x',
    });
    const frame = [row(10, 'a'), row(11, 'a'), row(20, 'b'), row(21, 'b')];
    const torn = [row(10, 'a'), row(11, 'c'), row(20, 'b'), row(21, 'b')];
    const partitions = createPartitions();
    for (const rows of [torn, frame, frame]) partitions.add(ownersByMemory(rows));
    expect([...partitions.most()]).toEqual([
      [10, 10],
      [11, 10],
      [20, 20],
      [21, 20],
    ]);
    const owners = createOwners(partitions.most(), false);
    expect(owners.of([...torn, row(22, 'b'), row(30, 'd')])).toEqual([10, 10, 20, 20, 20, 20]);
  });
});

describe('stat', () => {
  /** A line of /proc/PID/task/TID/stat: 52 fields (Linux 6). */
  const line = (tid: number, { parent = 1, threads = 1, stack = '7', leader = false, comm = 'python3' } = {}) =>
    `${tid} (${comm}) S ${parent} 1 1 0 -1 0 0 0 0 0 5 6 0 0 20 0 ${threads} 0 100 0 0 0 0 0 ${stack} 0 0 0 0 0 0 0 0 0 ${leader ? 17 : -1} 3${' 0'.repeat(13)}`;
  const pids = (lines: readonly string[]) => {
    const reader = createStatText();
    for (const each of ['== 1795960397.5', ...lines]) expect(reader.push(each)).toBe(true);
    return reader.end()?.rows.map(({ tid, pid }) => [tid, pid]);
  };

  test('a process has the threads that stand before its main thread too', () => {
    expect(
      pids([line(1001, { threads: 3 }), line(999, { threads: 3, leader: true }), line(9990, { threads: 3 })]),
    ).toEqual([
      [1001, 999],
      [999, 999],
      [9990, 999],
    ]);
  });

  test('ranks of one launcher, and workers that were forked from one process', () => {
    const rank = (pid: number, stack: string) => [
      line(pid, { threads: 2, stack, leader: true }),
      line(pid + 5, { threads: 2, stack }),
    ];
    expect(pids([...rank(100, 'a'), ...rank(102, 'b')])).toEqual([
      [100, 100],
      [105, 100],
      [102, 102],
      [107, 102],
    ]);
    // Workers share parent and stack: 101 has threads of higher numbers than 102.
    expect(pids([...rank(101, 'a'), ...rank(102, 'a')])).toEqual([
      [101, 101],
      [106, 101],
      [102, 102],
      [107, 102],
    ]);
  });

  test('names with every sign, threads that end, and lines that are none', () => {
    const reader = createStatText();
    expect(reader.push('== 1795960397')).toBe(true);
    expect(reader.push(line(5, { comm: 'a) S (b) 1', leader: true }))).toBe(true);
    expect(reader.push('cat: /proc/5/task/7/stat: No such process')).toBe(true);
    expect(reader.push('5 (cut) S 1 1')).toBe(false);
    expect(reader.push('noise')).toBe(false);
    expect(reader.push('== 1795960398')).toMatchObject({
      seconds: 1795960397,
      rows: [{ comm: 'a) S (b) 1', core: 3, pid: 5 }],
    });
  });
});

describe('nvidia-smi', () => {
  test('any fields in any order, old names and new', () => {
    const header =
      'power.limit [W], name, clocks_throttle_reasons.active, enforced.power.limit [W], index, driver_version, clocks.sm [MHz]';
    expect(isHeader(header.split(', '))).toBe(true);
    const { columns, unused, hasTimes, width } = layoutOf(header.split(', '));
    expect(columns.map(({ id, at }) => [id, at])).toEqual([
      ['name', 1],
      ['throttleReasons', 2],
      ['powerLimitWatts', 3],
      ['index', 4],
      ['smClockMhz', 6],
    ]);
    expect([unused, hasTimes, width]).toEqual([['power.limit', 'driver_version'], false, 7]);
  });

  test('rows without header are taken only where their form leaves no doubt', () => {
    const [loop = ''] = readFileSync('test/fixtures/gpu/query-loop.txt', 'utf8').split('\n');
    expect(recogniseRow(loop.split(', '))?.columns).toHaveLength(20);
    expect(isHeader(loop.split(', '))).toBe(false);
    const row = '2026/11/29 13:53:17.546, 0, 0, 0, 118.71, 1575, 1980, 0x0000000000000000';
    expect(recogniseRow(row.split(', '))?.assumed).toMatch(/^timestamp,index,utilization\.gpu,/);
    for (const [from, to] of [
      ['118.71', '118'],
      ['0, 0, 0', '0, 101, 0'],
      [', 0x0', ', 1x0'],
      ['1980, ', ''],
    ])
      expect(recogniseRow(row.replace(from ?? '', to ?? '').split(', '))).toBeUndefined();
  });
});
