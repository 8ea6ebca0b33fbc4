import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/collectors/collector.ts';
import { createAnswer, type SpyAnswer } from '../../../src/collectors/stacks/answer.ts';
import { explainFailure } from '../../../src/collectors/stacks/failures.ts';
import type { SpyJob } from '../../../src/collectors/stacks/guard.ts';
import { readThreads } from '../../../src/collectors/stacks/parse.ts';
import { readAnswer } from '../../../src/collectors/stacks/read-answer.ts';
import { pySpyCandidates } from '../../../src/collectors/stacks/script.ts';
import { limits } from '../../../src/recording/limits.ts';
import { stackThreadShape } from '../../../src/recording/parts.ts';
import { factsOf, madeContext } from '../made-context.ts';

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/stacks/${name}`, import.meta.url), 'utf8');
const context = madeContext({ host: 'gpu7', facts: factsOf({ hostname: 'gpu7', user: 'mira', uid: 1000 }) });
const limitMs = 30_000;
const answered = (text: string): SpyAnswer => {
  const reader = createAnswer();
  for (const line of text.split('\n')) reader.push(line);
  return reader.end({ code: 0, lost: false, began: true, bodyCode: 0, errorText: '' });
};
const answer = (error: string, more = '') =>
  answered(
    `@py-spy tool /usr/bin/py-spy\n@py-spy version py-spy 0.4.2\n@py-spy output\n\n@py-spy error 1\n${error}\n${more}`,
  );
const explainIn = (text: SpyAnswer, change: Partial<Context['facts']> = {}) =>
  explainFailure({
    ...{ answer: text, what: 'dump', pid: 42, limitMs },
    context: { ...context, facts: { ...context.facts, ...change } },
  });
const explain = (error: string, change: Partial<Context['facts']> = {}, more = '') =>
  explainIn(answer(error, more), change);

const read = (text: string, job: SpyJob) =>
  readAnswer({
    ...{ answer: answered(text), context, request: {}, job, limitMs, isAsked: false, id: 'x', time: 0, receivedAt: 1 },
  });

describe('a dump', () => {
  it('is read with names, TIDs and frames, main thread first', () => {
    const threads = readThreads(fixture('pyspy-0.4.2-dump.json')) ?? [];
    expect(threads.map((t) => [t.tid, t.name, t.active, t.ownsGil])).toEqual([
      [16602, 'MainThread', true, true],
      [16604, 'pt_data_worker_0', false, false],
      [16605, 'pt_data_worker_1', false, false],
    ]);
    expect(threads[0]?.frames[0]).toEqual({ function: 'checksum', file: '/workspace/train.py', line: 6 });
  });

  it('is read from a training run on an H200', () => {
    const threads = readThreads(fixture('h200-gil_bound.json')) ?? [];
    expect(threads.length).toBeGreaterThan(3);
    expect(threads.every((t) => t.tid !== undefined && t.frames.length > 0)).toBe(true);
  });

  it('survives nulls, odd types and escape sequences', () => {
    const odd = [
      {
        thread_name: null,
        os_thread_id: null,
        active: true,
        owns_gil: false,
        frames: [{ name: 'f\x1b[31m', filename: 'a\nb', line: 0 }],
      },
      null,
      7,
      { frames: 'no' },
    ];
    expect(readThreads(JSON.stringify(odd))).toEqual([
      { active: true, ownsGil: false, frames: [{ function: 'f', file: 'a\ufffdb' }] },
      { active: false, ownsGil: false, frames: [] },
    ]);
    expect(readThreads('{}')).toBeUndefined();
    expect(readThreads('[{}, { "frames": 5 }]')).toBeUndefined();
    expect(readThreads('[]')).toEqual([]);
    expect(readThreads('[{"pid":')).toBeUndefined();
  });

  it('that is too large for a line of a recording keeps both ends of its deepest stacks, and says so', () => {
    const file = '/usr/local/lib/python3.11/site-packages/torch/nn/modules/module.py';
    const stack = (depth: number) =>
      Array.from({ length: depth }, (_, i) => ({ name: `f${i}`, filename: file, line: 1 }));
    const depths = [...Array<number>(40).fill(1000), 12];
    const threads = readThreads(JSON.stringify(depths.map((depth, i) => made(i + 1, stack(depth))))) ?? [];
    expect(JSON.stringify(threads).length).toBeLessThan(limits.line.value / 4);
    expect(threads).toHaveLength(depths.length);
    expect(threads.at(-1)?.frames).toHaveLength(12);
    const frames = threads[0]?.frames.map((frame) => frame.function) ?? [];
    const gap = frames.findIndex((name) => name.startsWith('…'));
    expect(frames[gap]).toBe(`… ${1000 - (frames.length - 1)} frames left out …`);
    expect([frames[0], frames[gap - 1], frames.at(-1)]).toEqual(['f0', `f${gap - 1}`, 'f999']);
    expect(gap).toBeGreaterThan(20);
  });

  it.each([
    ['names of any length', [made(1, Array(2000).fill({ name: '\ud800'.repeat(300), filename: '"'.repeat(500) }))]],
    ['threads without number', Array(20_000).fill(made(1, [{ name: 'f', filename: 'x' }]))],
  ])('of %s is within the same bound', (_, all) => {
    const threads = readThreads(JSON.stringify(all)) ?? [];
    expect(JSON.stringify(threads).length).toBeLessThan(limits.line.value / 4);
    expect(() => threads.map(stackThreadShape)).not.toThrow();
    if (all.length > 1) expect(threads.at(-1)?.name).toBe('… 18000 threads left out …');
  });

  function made(tid: number, frames: readonly object[]) {
    return { thread_name: `T${tid}`, os_thread_id: tid, active: true, owns_gil: false, frames };
  }

  it('comes packed where the host can, and a packed one that is broken is none', () => {
    const json = fixture('pyspy-0.4.2-dump.json');
    const packed = gzipSync(json).toString('base64').replace(/.{76}/g, '$&\n');
    const say = (text: string) => answered(`@py-spy tool /p\n@py-spy packed\n${text}\n\n@py-spy error 0\n\n`);
    expect(say(packed).outputs).toMatchObject([{ text: json, code: 0 }]);
    expect(say(packed.slice(0, 100)).outputs).toMatchObject([{ text: '', code: 0 }]);
    const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20)).toString('base64');
    expect(say(bomb).outputs).toMatchObject([{ text: '' }]);
  });

  it('of many that was ended with the capture is no error of py-spy, and a part is one', () => {
    const one = (uptime: number, text: string, code: number) =>
      `@py-spy uptime ${uptime}\n@py-spy output\n${text}\n\n@py-spy error ${code}\n\n`;
    const text = `@py-spy tool /p\n${one(10.1, JSON.stringify([made(1, [])]), 0)}${one(11.35, '', 137)}`;
    const job = { what: 'many', pid: 1, rounds: 2 } as const;
    expect(read(text, job)).toMatchObject({ result: { samples: 1, errors: 1, seconds: 1.25 }, isPart: false });
    expect(read(`${text}@py-spy over\n`, job)).toMatchObject({ result: { samples: 1, errors: 0 }, isPart: true });
  });

  it('cut anywhere gives a sentence or the whole', () => {
    const whole = `@py-spy tool /p\n@py-spy version py-spy 0.4.2\n@py-spy output\n${fixture('pyspy-0.4.2-dump.json')}\n@py-spy error 0\n\n`;
    for (let at = 0; at < whole.length; at++) {
      const { result, failure } = read(whole.slice(0, at), { what: 'dump', pid: 1 });
      if (failure === undefined) expect(result).toMatchObject({ threads: { length: 3 } });
      else expect(failure.length).toBeGreaterThan(20);
    }
    expect(answered(whole)).toMatchObject({ tool: '/p', version: '0.4.2', outputs: [{ code: 0 }] });
  });
});

describe('a failure', () => {
  const errors = fixture('pyspy-0.4.2-errors-stderr.txt')
    .split(/^# .*$/m)
    .map((text) => text.trim())
    .filter((text) => text !== '');

  it('says what to do, for each of the recorded ones', () => {
    const [gone = '', notPython = '', otherUser = '', noCapability = ''] = errors;
    expect(explain(gone)).toBe('Process 42 on gpu7 is gone');
    expect(explain(notPython, {}, '@py-spy executable /usr/bin/bash')).toBe(
      'Process 42 is no Python that py-spy 0.4.2 knows (it runs /usr/bin/bash): choose a Python process, or if it is one take a newer py-spy',
    );
    expect(explain(otherUser)).toMatch(
      /^mira may not read process 42 on gpu7: it has no CAP_SYS_PTRACE; connect as root or as the user who runs it$/,
    );
    expect(explain(otherUser, { ptraceScope: 1 })).toMatch(/ptrace_scope is 1, .*; connect as root, or set it to 0/);
    expect(explain(noCapability, { uid: 0, user: 'root' })).toMatch(/no CAP_SYS_PTRACE; .*--cap-add SYS_PTRACE/);
  });

  it('names both versions of an unsupported Python', () => {
    expect(explain('Error: Unsupported version of Python: 3.15.0')).toMatch(
      /^py-spy 0\.4\.2 does not know Python 3\.15\.0 of process 42/,
    );
  });

  it('of a read that raced with the process may be tried again', () => {
    const raced = `Error: Failed to get stack traces\n\nCaused by:\n    0: Failed to call get_stack_trace for thread 140531462263104
    1: Failed to copy PyCodeObject\n    2: Bad address (os error 14)`;
    expect(explain(raced)).toMatch(/try again$/);
  });

  it('that is unknown is quoted', () => {
    expect(explain('Error: something new')).toBe(
      'py-spy 0.4.2 failed on process 42 of gpu7 with code 1, saying: Error: something new (mira, /usr/bin/py-spy)',
    );
  });

  it('for want of py-spy says how to get it', () => {
    const none = answered('');
    expect(explainIn(none)).toMatch(/`pip install py-spy`.*--py-spy PATH/);
    expect(explainIn({ ...none, timedOut: true })).toMatch(/no answer in 30 s on gpu7: process 42 may hang/);
  });

  it('of what the host lacks names it', () => {
    const tool = { ...answered(''), tool: '/p', version: '0.4.2' };
    expect(explainIn({ ...tool, missing: 'setsid' })).toMatch(/^gpu7 has no setsid, .*install util-linux or busybox/);
    expect(explainIn({ ...tool, missing: 'folder' })).toMatch(/^mira has room neither in \$TMPDIR, \/tmp, .* on gpu7/);
    expect(explain('Error: No space left on device (os error 28)')).toMatch(
      /^The disk of gpu7 is full where py-spy 0\.4\.2/,
    );
  });

  it('of the link, of the end and of an empty answer are told apart', () => {
    const none = answered('');
    expect(explainIn({ ...none, fault: 'the link went' })).toBe('No dump of process 42 from gpu7: the link went');
    expect(explainIn({ ...none, whole: false })).toMatch(/the link was cut before py-spy began/);
    expect(explainIn({ ...none, whole: false, shellText: 'sh: bad' })).toMatch(/the shell there said "sh: bad"/);
    const began = { ...none, tool: '/p' };
    expect(explainIn({ ...began, whole: false })).toBe('The dump of process 42 on gpu7 was cut off: try again');
    expect(explainIn({ ...began, over: true })).toMatch(/was ended before py-spy had anything/);
    const empty = { ...began, outputs: [{ text: '', code: 0, errorText: '' }] };
    expect(explainIn(empty)).toMatch(/gave nothing that can be read: try again/);
    expect(explainIn({ ...empty, noFile: true })).toMatch(/gave nothing that can be read: try again/);
  });
});

it('looks for py-spy beside the interpreter of the process', () => {
  const run = {
    id: '1:1',
    rootPid: 1,
    outputs: [],
    processes: [
      {
        pid: 1,
        parentPid: 0,
        commandLine: ['/runs/venv/bin/python', 'a.py'],
        executable: '/usr/bin/python3.11',
        gpuMinors: [],
      },
      { pid: 2, parentPid: 0, commandLine: ['.venv/bin/python'], cwd: '/runs', gpuMinors: [] },
      { pid: 3, parentPid: 0, commandLine: ['python'], gpuMinors: [] },
    ],
  };
  const facts = { ...context.facts, pySpy: '/opt/py-spy' };
  expect(pySpyCandidates({ facts, run }, 1)).toEqual(['/runs/venv/bin/py-spy', '/usr/bin/py-spy', '/opt/py-spy']);
  expect(pySpyCandidates({ facts, run }, 2)).toEqual(['/runs/.venv/bin/py-spy', '/opt/py-spy']);
  expect(pySpyCandidates({ facts, run }, 3)).toEqual(['/opt/py-spy']);
});
