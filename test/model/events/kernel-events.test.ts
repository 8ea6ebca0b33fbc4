import { beforeEach, describe, expect, test } from 'vitest';
import { createEventFinder, type EventFinder } from '../../../src/model/events.ts';
import type { KernelLine, LogLine, Sample } from '../../../src/model/samples.ts';

const start = Date.UTC(2026, 5, 12);
const head = (time: number) => ({ host: 'h', source: 'host', time, receivedAt: time });
let finder: EventFinder;

const told = (...samples: readonly Sample[]) =>
  samples.flatMap((sample) => finder.find(sample).map(({ event, text }) => `${event}: ${text}`));
const kernel = (...lines: readonly KernelLine[]): Sample => ({ kind: 'kernel', ...head(start + 60_000), lines });
const xid = (address: string, at = 30_000, number = 79): KernelLine => ({
  ...{ time: start + at, what: 'xid', xid: number, address },
  text: `NVRM: Xid (PCI:${address}): ${number}, pid=4242, name=python3, GPU has fallen off the bus.`,
  pid: 4242,
});
const kill = (text: string, pid: number): KernelLine => ({ time: start + 20_000, what: 'oom-kill', text, pid });
const logXid = (xid: number, at: number): Sample => {
  const text = `NVRM: Xid (PCI:0000:3b:00): ${xid}, GPU has fallen off the bus.`;
  const line: LogLine = {
    ...{ text, time: start + at, level: 'error' },
    event: { kind: 'xid', details: { xid, bus: '0000:3b:00' } },
  };
  return { kind: 'log', ...head(start + at), source: 'log', path: '/x.log', format: 'generic', lines: [line] };
};

beforeEach(() => {
  finder = createEventFinder();
  const nvidia = {
    fields: [],
    gpuCount: 2,
    places: { 'GPU-a': { address: '0000:3b:00.0' }, 'GPU-b': { address: '00000000:86:00.0' } },
  };
  const facts = { hostname: 'h', user: 'root', clockTicks: 100, pageSize: 4096, bootTime: 0, clockOffsetMs: 0 };
  finder.find({
    ...{ kind: 'facts', ...head(start) },
    facts: { ...facts, utcOffsetMinutes: 0, tailFollows: true, nvidia },
  });
  finder.find({ kind: 'gpus', ...head(start), uuid: ['GPU-a', 'GPU-b'], index: [0, 1], name: ['H200', 'H200'] });
});

describe("the kernel's log", () => {
  test('tells of an Xid once, with its GPU', () => {
    const line = xid('0000:86:00');
    expect(told(kernel(line))).toEqual([
      'gpu error: Xid 79 of GPU 1 (0000:86:00), PID 4242: GPU has fallen off the bus',
    ]);
    // After a reconnect it comes again, and the time of boot is measured anew.
    expect(told(kernel({ ...line, time: line.time + 12 }))).toEqual([]);
  });

  test('the same Xid of two GPUs is two', () => {
    expect(told(kernel(xid('0000:86:00'), xid('0000:3b:00')))).toHaveLength(2);
  });

  test('nothing of before the watch, and nothing of a GPU that is not seen here', () => {
    expect(told(kernel(xid('0000:86:00', -1), xid('0000:af:00')))).toEqual([]);
  });

  test.each([
    ['the log first', () => [logXid(79, 30_000), kernel(xid('0000:3b:00', 31_000))]],
    ['the kernel first', () => [kernel(xid('0000:3b:00', 30_000)), logXid(79, 31_000)]],
  ])('and the log of the run with the same Xid are one event: %s', (_, samples) => {
    expect(told(...samples())).toHaveLength(1);
    expect(told(kernel(xid('0000:3b:00', 31_500, 45)))).toHaveLength(1);
  });

  test('tells whom the kernel killed, and why', () => {
    const process = { pid: 7, commandLine: ['python'], gpuMinors: [] };
    finder.find({
      ...{ kind: 'run', ...head(start), phase: 'running', candidates: [] },
      run: { id: '7:1', rootPid: 7, processes: [process], outputs: [] },
    });
    expect(
      told(
        kernel(
          kill('Out of memory: Killed process 7 (python) total-vm:1kB', 7),
          kill('Memory cgroup out of memory: Killed process 8 (pt_data_worker) total-vm:1kB', 8),
        ),
      ),
    ).toEqual([
      'oom kill: the kernel killed PID 7 (python) of the run: the host was out of memory',
      'oom kill: the kernel killed PID 8 (pt_data_worker): the limit of its cgroup was reached',
    ]);
  });

  test('a flood of them is few events', () => {
    const flood = Array.from({ length: 200 }, (_, i) => xid('0000:3b:00', 30_000 + i, 1000 + i));
    expect(told(kernel(...flood)).length).toBeLessThan(10);
  });
});
