import { describe, expect, it } from 'vitest';
import type { Sample, ThreadsSample, WaitsSample } from '../../../src/model/samples.ts';
import { threadLines } from '../../../src/ui/panels/threads.tsx';
import { factsOf } from '../../collectors/made-context.ts';
import { inputOf, madeStore, start, text } from './made.ts';

/** Of a look just before the last frame. */
const now = start + 89_000;
const base = { host: 'h', time: now, receivedAt: now };
const rows = [600, 601, 602, 603, 604];
const waits: WaitsSample = {
  ...{ ...base, kind: 'waits', source: 'waits', tid: rows, pid: rows.map(() => 572) },
  state: ['R', 'S', 'D', 'S', 'S'],
  call: [null, 'ioctl', 'read', 'futex', 'futex'],
  file: [null, '/dev/nvidia0', '/data/shard-7.bin', null, null],
  operand: rows.map(() => null),
  futex: [null, null, null, '0x7f', '0x7f'],
  where: ['0', 'rwsem_down_read', 'folio_wait_bit_common', 'futex_do_wait', 'futex_do_wait'],
  since: [null, now - 3200, now - 12_000, now - 40_000, null],
  notBefore: [null, now - 9000, now - 18_000, null, null],
  voluntaryPerSecond: [2, 0, 0, 0, 12.3],
  involuntaryPerSecond: [41, 0, 0, 0, 0.2],
  cpus: ['0-3', null, null, null, '0-3'],
  stack: [null, null, ['io_schedule', 'folio_wait_bit_common', 'vfs_read'], null, null],
  lacks: {},
};
const facts: Sample = {
  ...{ ...base, kind: 'facts', source: 'facts' },
  facts: factsOf({
    numaNodes: [
      { node: 0, cores: '0-31' },
      { node: 1, cores: '32-63' },
    ],
    nvidia: { fields: [], gpuCount: 1, places: { 'GPU-0': { address: '0:1:0.0', node: 1, cores: '32-63' } } },
  }),
};
/** 601, 602 and 603 do nothing in the last frame. */
const still = new Set([601, 602, 603]);
const lastThreads = (frame: ThreadsSample): ThreadsSample => ({
  ...frame,
  cpuPercent: frame.cpuPercent.map((percent, i) => (still.has(frame.tid[i] ?? 0) ? 0 : percent)),
  state: frame.state.map((state, i) => (still.has(frame.tid[i] ?? 0) ? 'S' : state)),
});
const made = (more: readonly Sample[], last = lastThreads) =>
  madeStore({ gpus: 1, threads: 8, more, lastThreads: last });
const store = made([waits]);
const draw = (width: number, cursor = 0, of = store) =>
  text(
    threadLines(inputOf(of, { width, height: 12, focused: true, view: { cursor, sort: 'tid', showIdle: true } })).lines,
  );
const rowOf = (lines: readonly string[], tid: number) =>
  lines.find((line) => line.trimStart().startsWith(`${tid} `)) ?? '';
/** The foot of the panel for the thread in that row. */
const foot = (cursor: number, of = store) => draw(190, cursor, of).at(-1);

describe('what threads wait in', () => {
  it('stands in a column, with the time that is proven', () => {
    const lines = draw(116, 7);
    expect(lines[0]).toContain(' WAITS IN ');
    // It runs: its call of a moment ago is none of now.
    expect(rowOf(lines, 600)).not.toMatch(/futex|ioctl/);
    expect(draw(150, 7).join('\n')).toMatch(/ 602 .* D folio_wait_bit\S* 12s /);
    expect(rowOf(lines, 603)).toContain(' futex >40s ');
  });

  it('is over when a newer frame says that the thread ran', () => {
    const busy = made([waits], (frame) => frame);
    expect(rowOf(draw(116, 7, busy), 603)).not.toContain('futex');
    expect(foot(3, busy)).toBe('loader 603 · ran since it was looked at');
  });

  it('is told whole for the thread under the cursor', () => {
    expect(foot(1)).toBe('target 601 · ioctl on /dev/nvidia0 3.2 s');
    expect(foot(2)).toBe(
      'drafter 602 · D in io_schedule (read on /data/shard-7.bin) 12 s · io_schedule < folio_wait_bit_common < vfs_read',
    );
    expect(foot(3)).toBe('loader 603 · futex wait with 1 other thread 40 s or longer');
    expect(foot(4)).toBe(
      'pt_autograd_1 604 · futex wait with 1 other thread, just now · switches 12/s voluntary, 0.2/s involuntary · may run on 0-3',
    );
    expect(foot(0)).toMatch(/^python3 600 · runs · switches 2.0\/s voluntary, 41\/s involuntary · may run on 0-3$/);
    expect(foot(5)).toBe('cuda-EvtHandlr 605 · ran since it was looked at');
  });

  it('names what may not be read instead of an empty wait', () => {
    const none = rows.map(() => null);
    const refused = made([
      { ...base, kind: 'facts', source: 'facts', facts: factsOf({ uid: 1000, user: 'ann', ptraceScope: 1 }) },
      { ...waits, call: none, where: none, stack: none, lacks: { call: 'refused', where: 'hidden' } },
    ]);
    expect(foot(1, refused)).toMatch(/^target 601 · the current call of threads may not be read: .*ptrace_scope is 1/);
    expect(foot(2, refused)).toBe('drafter 602 · D 12 s');
  });

  it('is no column and no line where it is not read', () => {
    const bare = made([]);
    expect(draw(150, 0, bare)[0]).not.toContain('WAITS IN');
    expect(foot(0, bare)).not.toContain(' · ');
  });

  it('marks a hot thread whose core is far from its GPU, and says where it would be near', () => {
    const far = made([facts, waits]);
    expect(rowOf(draw(150, 7, far), 600)).toMatch(/ \d+! /);
    expect(foot(0, far)).toContain(
      'core 0 of node 0 is far from GPU 0 (node 1: cores 32-63, and it may not run there)',
    );
    // Unfocused there is no line: the row stays a row.
    expect(text(threadLines(inputOf(far, { width: 190, height: 9 })).lines).at(-1)).not.toContain('far from');
  });
});
