import { describe, expect, it } from 'vitest';
import type { RunSample } from '../../../src/model/samples.ts';
import { fixture, play } from './played.ts';

const captured = fixture('two-ranks-then-next.txt');

describe('a captured talk', () => {
  const whole = play(captured);

  it('finds the launcher with its ranks and workers, its end, and the next run', () => {
    const said = whole.runs.map((sample) => [sample.phase, sample.run?.id, sample.run?.processes.length]);
    expect(said).toEqual([
      ['running', '2:299798', 5],
      ['ended', '2:299798', 5],
      ['running', '48:299899', 5],
    ]);
    expect(whole.runs[1]?.reason).toBe('The run (PID 2, python3 launch.py --big) ended; waiting for the next');
    expect(whole.rejected).toBe(0);
    const run = whole.runs[0]?.run;
    expect(run?.outputs).toEqual([
      { fd: 1, kind: 'file', path: '/data/run/train-1.log' },
      { fd: 2, kind: 'file', path: '/data/run/train-1.log' },
    ]);
    expect(run?.processes.map(({ pid, rank, gpuMinors }) => [pid, rank, gpuMinors])).toEqual([
      [2, undefined, []],
      [44, 0, [0]],
      [46, 0, [0]],
      [45, 1, [1]],
      [47, 1, [1]],
    ]);
    expect(run?.processes[1]).toMatchObject({
      ...{ parentPid: 2, user: 'root', cwd: '/data/run', localRank: 0, worldSize: 2 },
      commandLine: ['/opt/venv/bin/python3', '-u', 'launch.py', '--name', 'two\ufffdlines', 'rü'],
      startTime: expect.closeTo(1_000_000 + 2_998_230, -3) as number,
    });
  });

  it('reads the same however the bytes are cut', () => {
    // Chunks of one byte cut at every border, the larger ones leave ever other parts whole.
    for (let size = 1; size < 100; size++) {
      const cut = (bytes: Buffer) =>
        Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      expect(play(captured, { cut }).samples).toEqual(whole.samples);
    }
  });
});

/** A run that the talk below knows: one Python process. */
const begin = `> scan
s 1 0 S 1 0 0 1 init
s 70 1 S 500 10 0 4 python
.
> names 1 70
lrwxrwxrwx 1 0 0 0 Nov 29 16:00 1/exe
lrwxrwxrwx 1 1000 1000 0 Nov 29 16:00 70/exe -> /usr/bin/python3.11
70/cmdline:python
70/cmdline:train.py
.
> describe 70
.
> fds 70
g 70 0
.
> users 1000
.
> follow 70
> watch
w 70 1 S 500 4 100 - - python
.
`;

describe('a run', () => {
  const last = (talk: string, options = {}): RunSample | undefined => play(begin + talk, options).runs.at(-1);

  it('leaves out what the host does not give', () => {
    const { runs, samples } = play(begin);
    expect(runs[0]?.run?.processes[0]).toEqual({
      pid: 70,
      parentPid: 1,
      commandLine: ['python', 'train.py'],
      executable: '/usr/bin/python3.11',
      startTime: 1_005_000,
      gpuMinors: [0],
    });
    expect(samples.at(-1)).toMatchObject({ kind: 'processes', pid: [70], rssBytes: [409600], readBytes: [null] });
  });

  it('ended when its PID is another process', () => {
    const reused = `> watch\nw 70 1 S 900 1 100 0 0 python\n.\n> scan\ns 1 0 S 1 0 0 1 init\ns 70 1 S 900 0 0 1 python\n.
> names 70\nlrwxrwxrwx 1 0 0 0 Nov 29 16:00 70/exe -> /usr/bin/python3.11\n70/cmdline:python\n70/cmdline:other.py\n.
> describe 70\n.\n> fds 70\n.\n> users 0\nu 0 root\n.\n`;
    expect(last(reused)).toMatchObject({
      phase: 'ended',
      run: { id: '70:500' },
      reason: 'The run (PID 70, python train.py) ended; waiting for the next',
    });
  });

  it('ended when its main process is a zombie', () => {
    const zombie =
      '> watch\nw 70 1 Z 500 1 0 - - python\n.\n> scan\ns 1 0 S 1 0 0 1 init\ns 70 1 Z 500 0 0 1 python\n.\n';
    expect(last(zombie)?.phase).toBe('ended');
  });

  it('has not ended when a wrapper printed into the row of its main process', () => {
    const spoilt = '> watch\nE1125 09:12:44 w 70 1 S 500 4 100 0 0 python\n.\n';
    expect(last(spoilt)?.phase).toBe('running');
    expect(last(`${spoilt}> watch\nw 70 1 S 500 4 100 0 0 python\n.\n`)?.phase).toBe('running');
  });

  it('goes on while a worker comes and goes', () => {
    const worker = `> watch\nn 71 70 600 python\nw 70 1 S 500 4 100 0 0 python\n.\n> names 71\n71/cmdline:python\n.
> describe 71\n.\n> fds 71\n.\n> follow 70 71\n> watch\nw 70 1 S 500 4 100 0 0 python\n.\n> scan\ns 1 0 S 1 0 0 1 init\ns 70 1 S 500 9 0 4 python\n.\n> fds 70\ng 70 0\n.\n`;
    const { runs } = play(begin + worker);
    expect(runs.map((sample) => sample.run?.processes.length)).toEqual([1, 2, 1]);
  });

  it('is taken up again by a source that begins anew, or said to have ended', () => {
    const run = play(begin).runs[0]?.run;
    if (!run) throw new Error('no run');
    expect(play(begin, { run }).runs.map((sample) => [sample.phase, sample.run?.id])).toEqual([['running', '70:500']]);
    const gone = play('> scan\ns 1 0 S 1 0 0 1 init\n.\n> names 1\n.\n', { run });
    expect(gone.runs.map((sample) => [sample.phase, sample.run?.id])).toEqual([['ended', '70:500']]);
  });

  it('has ended when the host booted, also when its PID and ticks are there again, and the next one is taken up', () => {
    const run = play(begin, { bootId: 'a' }).runs[0]?.run;
    if (!run) throw new Error('no run');
    const again = '> scan\ns 1 0 S 1 0 0 1 init\ns 70 1 S 500 20 0 4 python\n.\n> fds 70\ng 70 0\n.\n';
    const { runs } = play(begin.slice(0, begin.indexOf('> follow')) + again, { run, bootId: 'b' });
    expect(runs.map((sample) => [sample.phase, sample.run?.bootId])).toEqual([
      ['ended', 'a'],
      ['running', 'b'],
    ]);
  });

  it('counts lines that it cannot read, and goes on', () => {
    expect(play(begin.replace('g 70 0', 'g 70 0\nrubbish\n\nx')).rejected).toBe(2);
  });

  it('asks nothing new while an answer is outstanding', () => {
    const { next } = play(begin);
    expect(next()).toBe('watch');
    expect(next()).toBeUndefined();
  });
});
