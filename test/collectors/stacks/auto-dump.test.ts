import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { createAutoDump } from '../../../src/collectors/stacks/auto-dump.ts';
import type { CaptureRequest, CaptureSample, Sample, ThreadsSample } from '../../../src/model/samples.ts';
import { emptyState, reduceState, type State } from '../../../src/model/state.ts';

const start = 1_780_000_000_000;
const head = { host: 'h', source: 's', time: start, receivedAt: start };

/** A run of two ranks, a worker and a shell, and what was asked for. */
function stage({ pySpy = '/usr/bin/py-spy', outcome = 'done' as CaptureSample['state'] } = {}) {
  let now = start;
  let busy = false;
  let end = () => {};
  const asked: CaptureRequest[] = [];
  const process = (pid: number, program: string, rank?: number) => ({
    ...{ pid, parentPid: 1, commandLine: [program, 'train.py'], gpuMinors: [] },
    ...(rank !== undefined && { rank }),
  });
  const processes = [
    process(9, 'bash'),
    process(12, 'python3.11', 1),
    process(11, '/usr/bin/python3', 0),
    process(13, 'python3'),
  ];
  const run = { id: '11:1', rootPid: 11, processes, outputs: [] };
  let state: State = emptyState(start);
  const push = (...samples: readonly Sample[]) => void (state = samples.reduce<State>(reduceState, state));
  const facts = {
    ...{
      hostname: 'h',
      user: 'u',
      clockTicks: 100,
      pageSize: 4096,
      bootTime: 0,
      clockOffsetMs: 0,
      utcOffsetMinutes: 0,
    },
    ...{ tailFollows: true, ...(pySpy !== '' && { pySpy }) },
  };
  push(
    { ...head, kind: 'link', state: 'up' },
    { ...head, kind: 'facts', facts },
    { ...head, kind: 'run', phase: 'running', run, candidates: [run] },
  );
  const frame = (percent: number, comm = 'python3'): ThreadsSample => {
    const all = <T>(value: T) => [value, value, value, value];
    return {
      ...{ ...head, kind: 'threads', reader: 'proc', intervalSeconds: 1, pid: [11, 12, 13, 12], tid: [11, 12, 13, 70] },
      ...{ comm: ['python3', 'python3', 'pt_data_worker', comm], state: all('R'), core: all(0) },
      ...{ cpuPercent: [90, 90, 90, percent], userPercent: all(1), systemPercent: all(1), runQueuePercent: all(0) },
    };
  };
  const told = {
    ...head,
    kind: 'capture',
    id: 'x',
    what: 'dump',
    state: outcome,
    pids: [],
    notes: [],
    files: [],
  } as const;
  const dumps = createAutoDump({
    clock: { now: () => now } as Clock,
    timeOf: () => '12:00:00',
    captures: {
      isBusy: () => busy,
      start(request) {
        asked.push(request);
        const sample: CaptureSample = {
          ...told,
          startedAt: now,
          plannedMs: 1000,
          samples: 2,
          failure: 'no permission',
        };
        return { id: 'x', over: new Promise<void>((resolve) => (end = resolve)), last: () => sample };
      },
    },
  });
  return {
    asked,
    dumps,
    look: (percent: number, comm?: string) => {
      push(frame(percent, comm));
      dumps.consider(state);
    },
    async ends() {
      end();
      await new Promise(setImmediate);
    },
    later: (minutes: number) => void (now += minutes * 60_000),
    be: (is: boolean) => void (busy = is),
    push,
  };
}

describe('dumps for names', () => {
  it('are taken at attach, of Python processes that are no workers of a known kind, ranks first', () => {
    const { asked, look } = stage();
    look(0);
    look(50);
    expect(asked).toEqual([{ what: 'dump', pids: [11, 12], auto: true }]);
  });

  it('come again after five minutes, only for a busy thread without a name', async () => {
    const { asked, look, ends, later, push } = stage();
    look(50);
    await ends();
    later(4);
    look(50);
    expect(asked).toHaveLength(1);
    later(1.1);
    look(4);
    look(50, 'cuda-EvtHandlr');
    expect(asked).toHaveLength(1);
    look(50);
    expect(asked[1]?.pids).toEqual([12]);
    await ends();
    later(6);
    push({ ...head, kind: 'labels', pid: [12], tid: [70], name: ['loader'], rule: [null], stack: [null] });
    look(50);
    expect(asked).toHaveLength(2);
  });

  it('wait while another capture runs', () => {
    const { asked, look, be } = stage();
    be(true);
    look(50);
    expect(asked).toHaveLength(0);
    be(false);
    look(50);
    expect(asked).toHaveLength(1);
  });

  it('say what came of them, and end after two that failed', async () => {
    const good = stage();
    good.look(50);
    expect(good.dumps.said()).toBe('One is being taken now.');
    await good.ends();
    expect(good.dumps.said()).toBe('The last one was at 12:00:00: 2 processes.');
    const bad = stage({ outcome: 'failed' });
    for (let round = 0; round < 4; round++) {
      bad.look(50);
      await bad.ends();
      bad.later(6);
    }
    expect(bad.asked).toHaveLength(2);
    expect(bad.dumps.said()).toBe('The last one was at 12:00:00, and failed again (no more are taken): no permission.');
  });

  it('need py-spy there', () => {
    const { asked, look, dumps } = stage({ pySpy: '' });
    look(50);
    expect(asked).toHaveLength(0);
    expect(dumps.said()).toBe('There is no py-spy on the host.');
  });
});
