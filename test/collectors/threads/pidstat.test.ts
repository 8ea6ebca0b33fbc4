import { describe, expect, it } from 'vitest';
import { createPidstatParser } from '../../../src/collectors/threads/pidstat-parser.ts';
import type { ThreadsSample } from '../../../src/model/samples.ts';
import { fixture, samplesOf } from './read.ts';

const create = (pids = [12304]) =>
  createPidstatParser({ host: 'node-0', intervalSeconds: 1, clockOffsetMs: 500, pids });
const frames = (bytes: Buffer) => samplesOf(create(), bytes).samples as ThreadsSample[];

describe('pidstat 12.6.1', () => {
  for (const name of ['pidstat-12.6.1-t-h-H.txt', 'pidstat-12.6.1-t-urdw-h-H.txt']) {
    it(`gives the same Samples however the bytes of ${name} are cut`, () => {
      const bytes = fixture(name);
      const whole = samplesOf(create(), bytes);
      expect(whole.samples).toHaveLength(name.includes('urdw') ? 1 : 2);
      expect(whole.rejected).toBe(0);
      for (let cut = 1; cut < bytes.length; cut++) expect(samplesOf(create(), bytes, cut)).toEqual(whole);
    });
  }

  it('reads shares, wait, core and names by the header', () => {
    const [first, second] = frames(fixture('pidstat-12.6.1-t-h-H.txt'));
    expect(first).toMatchObject({ time: 1795960961000 - 500, intervalSeconds: 1, reader: 'pidstat' });
    expect(first?.tid).toEqual([12304, 12306, 12307, 12308, 12309, 12310, 12311, 12312, 12396]);
    expect(first?.pid).toEqual(first?.tid.map(() => 12304));
    expect(first?.cpuPercent[0]).toBe(0); // the main thread sleeps: its own row, not the process's 185
    expect(first?.comm).toEqual(
      'python (train)/pt_data_worker_/cuda-EvtHandlr/my thread (x) y/pt_autograd_0/NCCL Progress 1/a:b,c/tab here/python (train)'.split(
        '/',
      ),
    );
    expect(second?.userPercent[1]).toBe(88);
    expect(second?.systemPercent[1]).toBe(1);
    expect(second?.runQueuePercent[1]).toBe(12);
    expect(second?.core.slice(1, 3)).toEqual([1, 0]);
    expect(second?.state[0]).toBeNull();
    const [wide] = frames(fixture('pidstat-12.6.1-t-urdw-h-H.txt'));
    expect([wide?.comm[3], wide?.runQueuePercent[3]]).toEqual(['my thread (x) y', 5]);
  });

  it('has no frame while the process is missing', () => {
    expect(samplesOf(create(), fixture('pidstat-missing-pid.txt')).samples).toEqual([]);
  });

  it('lacks the wait where sysstat is older than 11.5.5, and counts the rest of a name with a newline', () => {
    const text =
      '#      Time   UID      TGID       TID    %usr %system  %guest    %CPU   CPU  Command\n' +
      ' 1500000000     0        77         -    3.00    0.00    0.00    3.00     1  a\n' +
      ' 1500000000     0         -        78    3.00    0.00    0.00    3.00     1  |__nl\nb\n' +
      ' 1500000000     0        90         -    0.00    0.00    0.00    0.00     1  c\n' +
      ' 1500000000     0         -        90    0.00    0.00    0.00    0.00     1  |__c\n';
    const { samples, rejected } = samplesOf(create([77, 90]), Buffer.from(text));
    expect(samples).toMatchObject([{ pid: [77, 90], tid: [78, 90], comm: ['nl', 'c'], runQueuePercent: [null, null] }]);
    expect(rejected).toBe(1);
  });

  it('gives a frame when the stream is quiet, once', () => {
    const parser = create();
    const lines = fixture('pidstat-12.6.1-t-h-H.txt').toString().split('\n');
    for (const line of lines.slice(0, 13)) expect(parser.push(line, 1, 0)).toEqual([]);
    expect(parser.quiet?.(2)).toHaveLength(1);
    expect(parser.quiet?.(3)).toEqual([]);
    expect(lines.slice(13).flatMap((line) => parser.push(line, 4, 0))).toEqual([]);
    expect(parser.quiet?.(5)).toMatchObject([{ receivedAt: 5, time: 1795960961500 }]);
  });

  it('counts rows before any header, and rows of no process', () => {
    expect(samplesOf(create(), Buffer.from('1795960961 0 - 5 0.00\nx\n')).rejected).toBe(2);
  });
});
