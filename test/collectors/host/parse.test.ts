import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCost } from '../../../src/collectors/host/cost.ts';
import { hostCollector } from '../../../src/collectors/host/index.ts';
import { createHostParser } from '../../../src/collectors/host/parse.ts';
import { contextOf, fixturePath, samplesOf } from './read.ts';

describe('the host parser', () => {
  const bytes = readFileSync(fixturePath('frames.txt'));

  it('reads captured frames alike wherever the bytes are cut', () => {
    const whole = samplesOf(bytes);
    expect(whole.samples).toHaveLength(3);
    expect(whole.rejected).toBe(0);
    const text = JSON.stringify(whole);
    for (let cut = 1; cut <= bytes.length; cut++) expect(JSON.stringify(samplesOf(bytes, cut)), `${cut}`).toBe(text);
  });

  it('gives no rates in the first frame', () => {
    const [first, second] = samplesOf(bytes).samples;
    expect(Object.keys(first ?? {}).filter((key) => /PerSecond|busyPercent|costCpu/.test(key))).toEqual([]);
    expect(second?.busyPercent).toBeGreaterThan(0);
    // What the start takes is no cost of staying.
    expect(second?.costCpuPercent).toBeUndefined();
    expect(first?.costProcesses).toBeGreaterThan(3);
  });

  it('counts what it cannot read, and still gives the frame', () => {
    const { samples, rejected } = samplesOf('load 1 x 3\nfoo\ncost 1 2\ncpuset $(x)\ncores -1\npsi cpu\nup 5\n.\n');
    expect(samples).toEqual([{ kind: 'host', host: 'node-0', source: 'host', time: 1_005_000, receivedAt: 5000 }]);
    expect(rejected).toBe(6);
  });

  it('keeps the newest lines of the kernel of one look, of which none is of a time to come', () => {
    const parser = createHostParser(contextOf());
    parser.silence?.(0);
    parser.wish(contextOf());
    parser.push('=look 1', 5000, 0);
    for (let i = 0; i < 500; i++)
      parser.push(`=kernel [${i}99999999999999.5] NVRM: Xid (PCI:0000:3b:00): ${i}, x`, 5000, 0);
    const samples = parser.push('=.', 5000, 0);
    const kernel = samples.find((sample) => sample.kind === 'kernel');
    expect(kernel).toMatchObject({ lines: Array.from({ length: 20 }, (_, i) => ({ xid: 480 + i, time: 5000 })) });
  });
});

describe('the cost', () => {
  const process = (parentPid: number, ticks: number, startTicks = 1) => ({ parentPid, startTicks, ticks, bytes: 1024 });

  it('is what grew, without what an ended child had used before', () => {
    const cost = createCost(100, 0);
    cost.seen(10, process(1, 100));
    cost.seen(11, process(10, 50));
    expect(cost.frame(1)).toEqual({ costMemoryBytes: 2048, costProcesses: 2, costPids: [10, 11] });
    // 11 used 5 more, ended, and its 55 went to 10, which used 3 itself.
    cost.gone(11);
    cost.seen(10, process(1, 158));
    expect(cost.frame(2)).toMatchObject({ costCpuPercent: 8, costProcesses: 1 });
  });

  it('bears a channel that closes and a grandchild that ends with its parent', () => {
    const cost = createCost(100, 0);
    for (const [pid, parent] of [
      [10, 1],
      [11, 10],
      [12, 11],
      [20, 1],
    ] as const)
      cost.seen(pid, process(parent, 50));
    cost.frame(1);
    cost.gone(20);
    cost.gone(11);
    cost.gone(12);
    cost.seen(10, process(1, 154));
    expect(cost.frame(2)).toMatchObject({ costCpuPercent: 4, costProcesses: 1 });
  });

  it('counts the past of a new process, not that of an old one found late or of a reused PID', () => {
    const cost = createCost(100, 0);
    cost.seen(10, process(1, 50));
    cost.frame(100);
    cost.seen(11, process(10, 7, 10_050));
    cost.seen(12, process(10, 900, 500));
    cost.seen(10, process(1, 3, 10_010));
    expect(cost.frame(101)).toMatchObject({ costCpuPercent: 10 });
  });

  it('stays through frames that tell nothing of it, and counts them with the next that does', () => {
    const cost = createCost(100, 0);
    cost.seen(10, process(1, 100));
    cost.frame(1);
    cost.seen(10, process(1, 110));
    const first = cost.frame(3);
    expect(first).toMatchObject({ costCpuPercent: 5 });
    expect([cost.frame(5), cost.frame(7), cost.frame(9)]).toEqual([first, first, first]);
    cost.seen(10, process(1, 190));
    expect(cost.frame(11)).toMatchObject({ costCpuPercent: 9 });
    // Nothing for long is nothing used.
    cost.frame(31);
    expect(cost.frame(51).costCpuPercent).toBe(0);
  });

  it('is nothing before there are processes', () => expect(createCost(100, 0).frame(1)).toEqual({}));
});

describe('the host plan', () => {
  it('is off without awk', () => {
    const { awk: _, ...facts } = contextOf().facts;
    expect(hostCollector.plans(contextOf({ facts }))).toEqual([
      { source: 'host', off: expect.stringMatching(/no awk/) },
    ]);
  });

  it('ticks at most every 2 s with our shells and the PIDs of the run', () => {
    const processes = [7, 8].map((pid) => ({ pid, parentPid: 1, commandLine: [], gpuMinors: [] }));
    const context = contextOf({ shellPids: [30, 4], run: { id: '7:1', rootPid: 7, processes, outputs: [] } });
    const [plan] = hostCollector.plans(context);
    expect(plan).toMatchObject({ tick: { everyMs: 2000 } });
    const parser = createHostParser(context);
    const line = () => plan && 'tick' in plan && plan.tick?.line(context, parser);
    expect(line()).toBe("4 30|7 8|1 dmesg 7 '/dev/shm' '/tmp'");
    expect(line()).toBe('4 30|7 8');
  });
});
