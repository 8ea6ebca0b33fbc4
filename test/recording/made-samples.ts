import type { LogLine, Sample, ThreadsSample } from '../../src/model/samples.ts';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export type Dice = () => number;

export function createDice(seed: number): Dice {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A frame of threads of one process, of which only the CPU differs. */
export function threadsOf(about: {
  readonly receivedAt: number;
  readonly tids: readonly number[];
  readonly percent: readonly number[];
}): ThreadsSample {
  const { receivedAt, tids, percent } = about;
  const all = <T>(value: T) => tids.map(() => value);
  return {
    ...{ kind: 'threads', host: 'h', source: 'threads', time: receivedAt, receivedAt, reader: 'proc' },
    ...{ pid: all(1), tid: tids, comm: all('python'), state: all('S'), core: all(3), cpuPercent: percent },
    ...{ userPercent: all(null), systemPercent: all(null), runQueuePercent: all(0) },
  };
}

let time = 1_780_000_000_000;
let rows: readonly number[] = [1, 2, 3];

/** A Sample of any kind, with any fields missing, rows that come, go and change places, and the numbers that JSON does not have. */
export function made(dice: Dice): Sample {
  const pick = <T>(...of: readonly T[]): T => of[Math.floor(dice() * of.length)] as T;
  const maybe = <K extends string, T>(name: K, value: () => T) =>
    (dice() < 0.6 ? { [name]: value() } : {}) as { readonly [N in K]?: T };
  const number = () =>
    pick(0, 1, -1.5, 98.61, 1e21, 2 ** 53, NaN, Infinity, -Infinity, -0, Math.round(dice() * 1e4) / 100);
  const text = () => pick('', 'S', 'R', 'naïve ☃ 𝄞', '"quoted\\"', '__proto__', 'NaN', 'x'.repeat(300), `${dice()}`);
  const many = <T>(value: () => T) => Array.from({ length: Math.floor(dice() * 4) }, value);
  time += Math.floor(dice() * 4000) - 200;
  if (dice() < 0.3) rows = shuffled(dice);
  const cells = <T>(value: () => T) => rows.map(value);
  const unknown = <T>(value: () => T) => cells(() => (dice() < 0.3 ? null : value()));
  const ids = cells(() => 0).map((_, row) => rows[row] ?? 0);
  const base = { host: pick('h', 'h2'), source: pick('a', 'b'), time: pick(time, time - 300), receivedAt: time };
  const runs = { id: text(), rootPid: number(), processes: many(process), outputs: many(output) };
  const samples: readonly (() => Sample)[] = [
    () => ({
      ...base,
      kind: 'link',
      state: pick('up', 'lost'),
      ...maybe('reason', text),
      ...maybe('retryAt', () => time),
    }),
    () => ({
      ...base,
      kind: 'source',
      status: pick('live', 'off'),
      ...maybe('reason', text),
      ...maybe('rejectedLines', number),
    }),
    () => ({
      ...base,
      kind: 'run',
      phase: pick('finding', 'ended'),
      ...maybe('run', () => runs),
      candidates: many(() => runs),
    }),
    () => ({ ...base, kind: 'facts', facts: facts() }),
    () => ({
      ...{ ...base, kind: 'processes', pid: ids, state: unknown(text), rssBytes: unknown(number) },
      ...{ threadCount: unknown(number), readBytes: unknown(number), writtenBytes: unknown(number) },
    }),
    () => ({
      ...{ ...base, kind: 'threads', reader: pick('proc', 'top'), ...maybe('intervalSeconds', number), pid: ids },
      ...{ tid: cells(number), comm: cells(text), state: unknown(text), core: unknown(number) },
      ...{ cpuPercent: unknown(number), userPercent: unknown(number), systemPercent: unknown(number) },
      ...{ runQueuePercent: unknown(number) },
    }),
    () => ({
      ...{ ...base, kind: 'waits', pid: ids, tid: cells(number), state: unknown(text), call: unknown(text) },
      ...{ file: unknown(text), operand: unknown(number), futex: unknown(text), where: unknown(text) },
      ...{ since: unknown(number), notBefore: unknown(number), cpus: unknown(text) },
      ...{ voluntaryPerSecond: unknown(number), involuntaryPerSecond: unknown(number) },
      ...{ stack: unknown(() => many(text)), lacks: pick({}, { call: 'refused' as const, where: 'hidden' as const }) },
    }),
    () => ({
      ...{ ...base, kind: 'busiest', pid: unknown(number), tid: ids, user: cells(text), comm: cells(text) },
      ...{ state: unknown(text), cpuPercent: unknown(number), ...maybe('threadsTotal', number) },
    }),
    () => ({
      ...{ ...base, kind: 'gpus', uuid: ids.map(String), index: ids, name: unknown(text) },
      ...maybe('utilizationPercent', () => unknown(number)),
      ...maybe('utilizationReadings', () => unknown(() => many(number))),
      ...maybe('pstate', () => unknown(text)),
      ...maybe('throttleReasons', () => unknown(() => many(text))),
    }),
    () => ({
      ...{
        ...base,
        kind: 'gpuProcesses',
        uuid: cells(text),
        pid: ids,
        name: cells(text),
        memoryBytes: unknown(number),
      },
    }),
    () => ({
      ...base,
      kind: 'host',
      ...maybe('load1', number),
      ...maybe('cores', number),
      ...maybe('costPids', () => ids),
    }),
    () => ({
      ...{ ...base, kind: 'log', path: text(), format: 'generic', lines: many(line), ...maybe('endOffset', number) },
      ...maybe('backlog', () => true as const),
    }),
    () => ({
      ...base,
      kind: 'stacks',
      pid: number(),
      command: text(),
      threads: many(stack),
      ...maybe('failure', text),
    }),
    () => ({
      ...{ ...base, kind: 'capture', id: text(), what: pick('dump', 'record'), state: pick('running', 'partial') },
      ...{ pids: many(number), startedAt: time, plannedMs: number(), notes: many(text), files: many(text) },
      ...maybe('rate', number),
      ...maybe('stoppedPids', () => many(number)),
    }),
    () => ({
      ...{ ...base, kind: 'profile', capture: text(), what: pick('many', 'gil'), pid: number(), command: text() },
      ...{ seconds: number(), samples: number(), errors: number(), frames: stack().frames },
      threads: many(() => ({ ...maybe('tid', number), ...maybe('name', text) })),
      stacks: many(() => ({ thread: number(), frames: many(number), count: number(), ...maybe('gil', number) })),
    }),
    () => ({
      ...{ ...base, kind: 'labels', pid: ids, tid: cells(number), name: unknown(text), rule: unknown(text) },
      stack: unknown(text),
    }),
    () => ({ ...base, kind: 'gpuRoles', gpu: ids, role: cells(text) }),
    () => ({ ...base, kind: 'interval', intervalMs: pick(500, 60_000) }),
    () => ({
      ...{ ...base, kind: 'settings', ...maybe('batchTokens', number), ...maybe('baseline', number) },
      ...{ ...maybe('baselineUnit', () => pick('tokens', 'steps')), ...maybe('baselineFrom', text) },
    }),
    () => ({ ...base, kind: 'verdicts', verdicts: many(verdict) }),
    () => ({ ...base, kind: 'event', event: pick('run ended', 'log gap'), text: text() }),
    () => ({ ...base, kind: 'mark', text: text() }),
    () => ({
      ...{ ...base, kind: 'disks', path: cells(text), use: cells(() => pick('shm', 'checkpoints')) },
      ...{ mount: unknown(text), totalBytes: unknown(number), availableBytes: unknown(number) },
      ...{ totalInodes: unknown(number), freeInodes: unknown(number) },
    }),
    () => ({
      ...{ ...base, kind: 'kernel' },
      lines: many(() => ({
        time,
        what: pick('xid' as const, 'oom-kill' as const),
        text: text(),
        ...maybe('xid', number),
      })),
    }),
    () => ({
      ...{ ...base, kind: 'alarm', id: text(), alarm: pick('slow', 'gpu-hot'), state: pick('ringing', 'resolved') },
      ...{ severity: pick('info', 'critical'), since: time, rungAt: time, text: text() },
      ...{ ...maybe('about', text), ...maybe('value', number), ...maybe('muted', () => true as const) },
    }),
    () => ({ ...base, kind: 'mute', alarm: pick('slow', 'verdict'), ...maybe('until', () => time) }),
    () => ({
      ...{ ...base, kind: 'blackBox', id: text(), reason: text(), state: pick('taking', 'done'), startedAt: time },
      ...{ captures: many(text), ...maybe('folder', text) },
      parts: many(() => ({ name: pick('log', 'threads'), takenAt: time, ...maybe('lines', () => many(text)) })),
    }),
  ];
  return pick(...samples)();

  function shuffled(roll: Dice) {
    const kept = rows.filter(() => roll() < 0.8);
    const more = Array.from({ length: Math.floor(roll() * 4) }, () => Math.floor(roll() * 20));
    const all = [...kept, ...more];
    return roll() < 0.3 ? all.reverse() : all;
  }
  function process() {
    return {
      ...{ pid: number(), parentPid: number(), commandLine: many(text), gpuMinors: many(number) },
      ...maybe('rank', number),
      ...maybe('cwd', text),
    };
  }
  function verdict() {
    return {
      ...{ situation: pick('input-bound' as const, 'unknown' as const), confidence: dice(), since: time },
      scope: { ...maybe('gpus', () => many(number)), ...maybe('side', () => pick('producer', 'consumer')) },
      ...{ summary: text(), evidence: many(figure), against: many(figure) },
      missing: many(() => ({ signal: text(), get: text(), ...maybe('key', text) })),
      next: many(() => ({ text: text(), ...maybe('key', text) })),
    };
  }
  function figure() {
    return {
      ...{ signal: text(), value: number(), unit: text(), source: text() },
      ...{ ...maybe('of', text), ...maybe('expected', text) },
    };
  }
  function output() {
    return { fd: pick(1 as const, 2 as const), kind: pick('file' as const, 'pipe' as const), ...maybe('path', text) };
  }
  function facts() {
    return {
      ...{
        hostname: text(),
        user: text(),
        clockTicks: 100,
        pageSize: number(),
        bootTime: time,
        clockOffsetMs: number(),
      },
      ...{ utcOffsetMinutes: number(), tailFollows: dice() < 0.5, ...maybe('pySpy', text) },
      ...maybe('nvidia', () => ({
        ...{ fields: many(text), gpuCount: 2 },
        ...maybe('minors', () => named(number)),
        ...maybe('places', () => named(() => ({ address: text(), ...maybe('node', number), ...maybe('cores', text) }))),
      })),
      ...maybe('numaNodes', () => many(() => ({ node: number(), cores: text() }))),
    };
  }
  function named<T>(value: () => T) {
    return Object.fromEntries(many(() => [text(), value()] as const));
  }
  function line(): LogLine {
    return {
      ...{
        text: text(),
        time,
        ...maybe('level', () => pick('error' as const, 'warning' as const)),
        ...maybe('rank', number),
      },
      ...maybe('values', () => ({
        ...{ ...maybe('loss', number), ...maybe('step', number), ...maybe('other', () => named(number)) },
        ...maybe('queues', () => many(() => ({ name: text(), ...maybe('low', number), ...maybe('capacity', number) }))),
        ...maybe('stages', () => many(() => ({ name: text(), ...maybe('averageMs', number) }))),
      })),
      ...maybe('note', () => true as const),
      ...maybe('gap', () => ({ reason: pick('lost' as const, 'skipped' as const), ...maybe('bytes', number) })),
    };
  }
  function stack() {
    const frame = () => ({ function: text(), file: text(), ...maybe('line', number) });
    return {
      active: dice() < 0.5,
      ownsGil: dice() < 0.5,
      frames: many(frame),
      ...maybe('name', text),
      ...maybe('tid', number),
    };
  }
}
