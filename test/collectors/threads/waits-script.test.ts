import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Plan } from '../../../src/collectors/collector.ts';
import { createWaitsParser } from '../../../src/collectors/threads/waits-parser.ts';
import { waits } from '../../../src/collectors/threads/waits.ts';
import { waitsScript } from '../../../src/collectors/threads/waits-script.ts';
import type { WaitsSample } from '../../../src/model/samples.ts';
import { factsOf } from '../made-context.ts';
import { contextOf } from './read.ts';
import { describeWith } from '../../support/requires.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waits-proc-'));
  mkdirSync(join(root, 'bin'));
  symlinkSync('/bin/busybox', join(root, 'bin/awk'));
  mkdirSync(join(root, 'proc/self'), { recursive: true });
  for (const file of ['syscall', 'wchan', 'schedstat']) writeFileSync(join(root, 'proc/self', file), '');
  writeFileSync(join(root, 'proc/uptime'), '100.00 1.0\n');
});
afterEach(() => rmSync(root, { recursive: true }));

const rest = ' S 1 1 1 0 -1 4194368 1 0 0 0 66 1 0 0 20 0 9 0 173524 ' + '7 '.repeat(16) + '3 0 0 0 0 0\n';
const asleep = { schedstat: '7 8 9\n', syscall: '202 0x7f 0x189 0x0 0x0 0x0 0x0 0x0 0x0\n', wchan: 'futex_do_wait' };

function task(pid: number, tid: number, files: Readonly<Record<string, string>> = asleep) {
  const folder = join(root, `proc/${pid}/task/${tid}`);
  mkdirSync(folder, { recursive: true });
  const all = { stat: `${tid} (a)${rest}`, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs the script on the tree: each tick is a line of PIDs, or shell (in braces) that changes the tree in between. */
function run(
  awk: string,
  ticks: readonly string[],
  { machine = 'x86_64', everySeconds = 1, pauseSeconds = 0.15 } = {},
): string[] {
  const lines = ticks.map((tick, i) =>
    tick.startsWith('{') ? tick : `echo '${100 + i * everySeconds}.00 1' >${root}/proc/uptime; echo '${tick}'`,
  );
  const all = lines.join(`; sleep ${pauseSeconds}; `);
  const script = `uname() { echo ${machine}; }; ticks() { ${all}; }\n${waitsScript(awk, root)}`;
  const path = `${join(root, 'bin')}:${process.env['PATH']}`;
  const env = { ...process.env, LC_ALL: 'C', ...(awk === 'awk' && { PATH: path }) };
  return execFileSync('sh', ['-c', script], { env, encoding: 'latin1' }).trimEnd().split('\n');
}

function read(lines: readonly string[]): { readonly samples: readonly WaitsSample[]; readonly rejected: number } {
  const parser = createWaitsParser({ host: 'h', facts: factsOf() });
  const samples = lines.flatMap((line) => parser.push(line, 0, line.length)) as readonly WaitsSample[];
  return { samples, rejected: parser.rejected };
}

it('looks often enough at a run of thousands of threads that it is not stale in between', () => {
  const context = contextOf([5]);
  const plan = waits.plans(context)[0] as Plan;
  const lookEvery = (threadCount: number) => {
    const parser = { push: () => [], rejected: 0, threadCount };
    const asked = Array.from({ length: 120 }, () => plan.tick?.line?.(context, parser));
    return 120 / asked.filter((line) => line !== undefined).length;
  };
  expect([10, 400, 1000].map(lookEvery)).toEqual([1, 1, 3]);
  expect(lookEvery(20_000) * (plan.tick?.everyMs ?? NaN)).toBeLessThan(plan.staleAfterMs ?? NaN);
});

describeWith(['busybox', 'awk'], 'the script that looks at waits, on a tree of files', () => {
  for (const awk of ['awk -W interactive', 'awk'] as const) {
    const name = awk === 'awk' ? 'BusyBox awk' : 'mawk';

    it(`looks once at a thread that does not run, and says when it ran or is gone (${name})`, () => {
      task(5, 11);
      task(5, 12, { ...asleep, syscall: '0 0x3 0x7f 0x1 0x0 0x0 0x0 0x0 0x0\n', wchan: 'pipe_read' });
      const fd = join(root, 'proc/5/task/12/fd');
      mkdirSync(fd);
      symlinkSync('/data/a b\u001b[31m', join(fd, '3'));
      const ran = `{ echo '900 8 10' >${root}/proc/5/task/11/schedstat; }`;
      const gone = `{ rm -r ${root}/proc/5/task/12; }`;
      const lines = run(awk, ['5', '5', '5', ran, '5', gone, '5']);
      expect(lines).toEqual([
        'H x86_64 syscall wchan schedstat',
        ...[
          'T 100.00',
          '5 11 S 3 - - 202 0x7f 0x189 0x0 futex_do_wait -',
          '5 12 S 3 - - 0 0x3 0x7f 0x1 pipe_read -',
          '.',
        ],
        ...['T 101.00', 'F 5 12 3 /data/a b\u001b[31m', '.'],
        ...['T 102.00', '.'],
        ...['T 104.00', '~ 5 11', '5 11 S 3 - - 202 0x7f 0x189 0x0 futex_do_wait -', '.'],
        ...['T 106.00', '- 5 12', '.'],
      ]);
      const { samples, rejected } = read(lines);
      expect(rejected).toBe(0);
      const at = (second: number) => factsOf().bootTime + second * 1000;
      expect(samples.map(({ since }) => since)).toEqual([
        [null, null],
        [at(100), at(100)],
        [at(100), at(100)],
        [null, at(100)],
        [at(104)],
      ]);
      // Who ran was seen to begin.
      expect(samples.at(-1)?.notBefore).toEqual([at(102)]);
      expect(samples[2]?.file).toEqual([null, '/data/a b']);
      expect(samples.at(-1)?.lacks).toEqual({});
    });

    it(`takes switches for the proof where runs are not counted, and says so (${name})`, () => {
      const status = (given: number) =>
        `Name:\ta\nCpus_allowed_list:\t0-3\nvoluntary_ctxt_switches:\t${given}\nnonvoluntary_ctxt_switches:\t2\n`;
      task(5, 11, { ...asleep, schedstat: '0 0 0\n', status: status(1) });
      const busy = { ...asleep, schedstat: '0 0 0\n', status: status(1), syscall: 'running\n', wchan: '0' };
      task(5, 12, { ...busy, stat: `12 (a)${rest.replace('S', 'R')}` });
      const { samples, rejected } = read(run(awk, ['5', '5', '5', '5', '5']));
      expect(rejected).toBe(0);
      expect(samples).toHaveLength(2);
      expect(samples.at(-1)?.lacks).toEqual({ runs: 'uncounted' });
      // The one at work was not taken from its core: no wait is made of that.
      expect(samples.at(-1)?.since.map((since) => since !== null)).toEqual([true, false]);
    });

    it(`names what it may not read (${name})`, () => {
      task(5, 11, { schedstat: '7 8 9\n', wchan: '0' });
      rmSync(join(root, 'proc/self/wchan'));
      const last = read(run(awk, ['5', '5'])).samples.at(-1);
      expect(last).toMatchObject({ call: [null], where: [null], lacks: { call: 'refused', where: 'missing' } });
      rmSync(join(root, 'proc/self/syscall'));
      expect(read(run(awk, ['5', '5'])).samples.at(-1)?.lacks.call).toBe('missing');
    });
  }

  // What is shown of a wait leans on it (model/waits/thread-wait.ts).
  it.each([
    { told: 'with the pace of many threads', everySeconds: 48, runs: '7 8 9\n', looks: 15 },
    { told: 'where runs are not counted', everySeconds: 6, runs: '0 0 0\n', looks: 60 },
  ])('asks in 24 s whether a thread ran that waits for long, $told', ({ everySeconds, runs, looks }) => {
    const status = (given: number) => `voluntary_ctxt_switches:\t${given}\nnonvoluntary_ctxt_switches:\t2\n`;
    const tids = [11, 12, 13, 14];
    for (const tid of tids) task(5, tid, { ...asleep, schedstat: runs, status: status(1) });
    const ran = tids.map((tid) => {
      const folder = `${root}/proc/5/task/${tid}`;
      return runs.startsWith('0') ? `echo '${status(2)}' >${folder}/status` : `echo '9 9 9' >${folder}/schedstat`;
    });
    const ticks = Array<string>(looks).fill('5');
    const after = Array<string>(Math.ceil(24 / everySeconds)).fill('5');
    const lines = run('awk', [...ticks, '{ sleep 0.3; }', `{ ${ran.join('; ')}; }`, ...after], {
      ...{ everySeconds, pauseSeconds: 0.02 },
    });
    expect(lines.filter((line) => line.startsWith('~'))).toEqual(['~ 5 11 12 13 14']);
  });

  it('gives numbers for names on a machine it does not know', () => {
    task(5, 11);
    const last = read(run('awk', ['5', '5'], { machine: 'riscv64' })).samples.at(-1);
    expect(last).toMatchObject({ call: ['call 202'], futex: [null], lacks: { call: 'unnamed' } });
    expect(read(run('awk', ['5'], { machine: 'aarch64' })).samples.at(-1)?.call).toEqual(['accept']);
  });

  it('makes nothing of lines that are none of its own', () => {
    const odd = ['5 11 S', 'F 9 9 1 x', '~ 5 x', 'S 1 2 a', '5 11 S 3 - - 202 0x7f', '\u001b[2J', '- x', 'T x'];
    const { samples, rejected } = read(['H x86_64 syscall', 'T 1.00', ...odd, '.', '.']);
    expect(rejected).toBe(odd.length);
    expect(samples).toMatchObject([{ tid: [] }]);
  });
});
