import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { procScript } from '../../../src/collectors/threads/proc-script.ts';
import { describeWith } from '../../support/requires.ts';
import { fixture } from './read.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proc-'));
  mkdirSync(join(root, 'bin'));
  symlinkSync('/bin/busybox', join(root, 'bin/awk'));
  writeFileSync(join(root, 'uptime'), '1735.23 1.0\n');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a task folder of the tree that stands in for /proc. */
function task(pid: number, tid: number, files: { stat?: string; schedstat?: string }) {
  const folder = join(root, `${pid}/task/${tid}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Runs the script on the tree: each tick is a line of PIDs, or shell (in braces) that changes the tree in between. */
function run(awk: string, ticks: readonly string[]): string[] {
  const lines = ticks.map((tick) => (tick.startsWith('{') ? tick : `echo '${tick}'`)).join('; sleep 0.2; ');
  const script = `cd ${root}; ticks() { ${lines}; }\n${procScript(awk, 100).replaceAll('/proc/', `${root}/`)}`;
  const path = `${join(root, 'bin')}:${process.env['PATH']}`;
  const env = { ...process.env, LC_ALL: 'C', ...(awk === 'awk' && { PATH: path }) };
  return execFileSync('sh', ['-c', script], { env, encoding: 'latin1' }).split('\n');
}

describeWith(['busybox', 'awk'], 'the script of the clocked reader on a captured /proc', () => {
  const stats = fixture('proc-task-stat.txt').toString('latin1').trimEnd().split('\n');
  const schedstats = fixture('proc-task-schedstat.txt').toString('latin1').trimEnd().split('\n');
  const tail = ' S 1 1 1 0 -1 4194368 1 0 0 0 66 1 0 0 20 0 9 0 173524 ' + '7 '.repeat(16) + '1 0 0 0 0 0\n';

  for (const awk of ['awk -W interactive', 'awk'] as const) {
    const name = awk === 'awk' ? 'BusyBox awk' : 'mawk';

    it(`reads all once and then only what ran (${name})`, () => {
      stats.forEach((stat, at) => {
        const tid = Number(stat.split(' ')[0]);
        const schedstat = schedstats[at]?.split(' ').slice(1).join(' ');
        // The last of the capture ended while it was read.
        task(12304, tid, { stat: `${stat}\n`, ...(schedstat && { schedstat: `${schedstat}\n` }) });
      });
      const change =
        `{ echo '20624535920 4688995812 1' >12304/task/12306/schedstat; rm -r 12304/task/12312; ` +
        `echo '1 1 1' >12304/task/12307/schedstat; sed -i 's/my thread/mine/' 12304/task/12308/stat; echo '674029349 1194368335 1' >12304/task/12308/schedstat; }`;
      expect(run(awk, ['12304', '12304', change, '12304 999', '999'])).toEqual([
        'T 1735.23',
        '12304 12304 173523 S 1 0 0 3985871 17878388 (python (train))',
        '12304 12306 173523 R 1 2058 3 20624532919 4688994812 (pt_data_worker_)',
        '12304 12307 173524 R 0 2042 1 20449133258 4862695117 (cuda-EvtHandlr)',
        '12304 12308 173524 S 1 67 0 674029348 1194368335 (my thread (x) y)',
        '12304 12309 173524 S 0 67 0 676261497 1108459141 (pt_autograd_0)',
        '12304 12310 173524 S 1 67 0 675638797 1122583803 (NCCL Progress 1)',
        '12304 12311 173524 S 0 67 0 671777818 1308997264 (a:b,c)',
        '12304 12312 173524 S 0 66 1 675549213 1136663214 (tab\there)',
        '12304 12444 176026 S 0 0 0 - - (python (train))',
        '.',
        'T 1735.23',
        '.',
        'T 1735.23',
        '12306 R 1 2058 3 3 1',
        // A counter that fell, and another name.
        '12304 12307 173524 R 0 2042 1 1 1 (cuda-EvtHandlr)',
        '12304 12308 173524 S 1 67 0 674029349 1194368335 (mine (x) y)',
        '- 12304 12312',
        '.',
        'T 1735.23',
        ...[...stats.map((stat) => `- 12304 ${stat.split(' ')[0]}`)]
          .filter((line) => !line.endsWith('12312'))
          .map(() => expect.stringMatching(/^- 12304 \d+$/)),
        '.',
        '',
      ]);
    });

    it(`reads names with newlines, brackets and spaces (${name})`, () => {
      const names = ['a\nb', 'x)\n S 1 2 3', '\n\n)', ') S 1 1 (', '', 'end\n'];
      names.forEach((comm, at) => task(5, at + 11, { stat: `${at + 11} (${comm})${tail}`, schedstat: '7 8 9\n' }));
      const lines = run(awk, ['5']);
      expect(lines.slice(1, -2)).toEqual(
        names.map((comm, at) => `5 ${at + 11} 173524 S 1 66 1 7 8 (${comm.replaceAll('\n', '\r')})`),
      );
    });

    it(`compares stat where schedstat counts nothing (${name})`, () => {
      for (const stat of fixture('proc-stat-h200.txt').toString('latin1').trimEnd().split('\n')) {
        task(572, Number(stat.split(' ')[0]), { stat: `${stat}\n`, schedstat: '0 0 0\n' });
      }
      const change = `{ sed -i 's/ 335 42 / 336 42 /' 572/task/572/stat; }`;
      const lines = run(awk, ['572', '572', change, '572']);
      // Every 64th thread is read again at each tick, in turn.
      expect(lines).toHaveLength(1 + 133 + 1 + (2 + 2) + (3 + 2) + 1);
      expect(lines[1]).toBe('572 572 2545 S 31 335 42 - - (python3)');
      expect(lines.filter((line) => /^572 \D/.test(line))).toEqual(['572 S 31 336 42 - -']);
      expect(lines.filter((line) => line === '.')).toHaveLength(3);
    });

    it(`asks who sleeps for long less often, unless the process used more than those that were asked (${name})`, () => {
      const tids = Array.from({ length: 9 }, (_, i) => 11 + i);
      const stat = (tid: number, ticks = 66) => `${tid} (x)${tail.replace(' 66 1 ', ` ${ticks} 1 `)}`;
      for (const tid of tids) task(5, tid, { stat: stat(tid), schedstat: '7000000 8 9\n' });
      const process = (ticks: number) => `echo '${stat(5, ticks).trim()}' >5/stat`;
      writeFileSync(join(root, '5/stat'), stat(5));
      const runs = (tid: number, ms: number) => `echo '${ms}000000 8 9' >5/task/${tid}/schedstat`;
      const works = (ms: number, ticks: number) => [`{ ${runs(11, ms)}; ${process(ticks)}; }`, '5'];
      // One works all the time, and the process's time is its time.
      const asleep = [
        ...Array.from({ length: 8 }, () => '5'),
        ...works(17, 67),
        ...Array.from({ length: 8 }, () => '5'),
      ];
      const steps = [...works(37, 69), ...works(57, 71), ...works(77, 73)];
      const little = [`{ ${[12, 13, 14, 15].map((tid) => runs(tid, 8)).join('; ')}; }`, '5', '5', '5', '5'];
      const much = [`{ ${[16, 17, 18, 19].map((tid) => runs(tid, 57)).join('; ')}; ${process(93)}; }`, '5'];
      const frames = run(awk, [...asleep, ...steps, ...little, ...much])
        .join('\n')
        .split('\n.\n');
      const rows = (frame = '') =>
        frame
          .split('\n')
          .filter((line) => / S /.test(line))
          .map((line) => line.split(' ')[0]);
      const at = 17;
      expect(rows(frames[0])).toHaveLength(9);
      for (const i of [0, 1, 2]) expect(rows(frames[at + i])).toEqual(['11']);
      const inTurn = frames.slice(at + 3, at + 7).map((frame) => rows(frame));
      expect(inTurn.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
      expect(inTurn.flat().sort()).toEqual(['12', '13', '14', '15']);
      expect(rows(frames[at + 7])).toHaveLength(4);
      expect(frames[at + 8]).toBe('');
    });
  }
});
