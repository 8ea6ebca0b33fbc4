import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { busiest } from '../../../src/collectors/threads/busiest.ts';
import { threads } from '../../../src/collectors/threads/threads.ts';
import { explainTop } from '../../../src/collectors/threads/top.ts';
import type { Context, Plan } from '../../../src/collectors/collector.ts';
import type { BusiestSample, ThreadsSample } from '../../../src/model/samples.ts';
import { describeWith } from '../../support/requires.ts';
import { factsOf } from '../made-context.ts';
import { contextOf, facts, fixture, samplesOf } from './read.ts';

const options = { intervalMs: 1000, threads: 'top', logs: [] } as const;
const healthy = facts({ top: { flavour: 'procps', version: '4.0.4', leaderRowIsTotal: false } });
const planOf = (context: Context, collector = threads) => collector.plans(context)[0] as Plan;
let bin: string;

beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'top-'));
  writeFileSync(join(bin, 'top'), '#!/bin/sh\necho "$@" >"$PLAYED.arguments"\ncat "$PLAYED"\n');
  chmodSync(join(bin, 'top'), 0o755);
  mkdirSync(join(bin, 'proc'));
  writeFileSync(join(bin, 'proc/uptime'), '100.00 1.0\n');
});
afterAll(() => rmSync(bin, { recursive: true }));

/** Runs a plan's script with a top that plays a capture. */
function play(plan: Plan, capture: Buffer, path = bin) {
  const played = join(bin, 'capture');
  writeFileSync(played, capture);
  // No process of this machine may lend its threads to the capture's TIDs.
  const body = plan.body.replaceAll('/proc/', `${bin}/proc/`);
  return spawnSync('sh', ['-c', body], {
    env: { ...process.env, LC_ALL: 'C', PATH: `${path}:${process.env['PATH']}`, PLAYED: played },
  });
}

describeWith(['awk', 'busybox'], 'captured frames of top', () => {
  it('leaves the first frame out and gives the same Samples however the bytes are cut', () => {
    const plan = planOf(contextOf([12304], { options, facts: healthy }));
    const bytes = play(plan, fixture('top-4.0.2-H.txt')).stdout;
    const whole = samplesOf(plan.parser(), bytes);
    expect(whole).toMatchObject({ rejected: 0, samples: [{ reader: 'top' }] });
    for (let cut = 1; cut < bytes.length; cut++) expect(samplesOf(plan.parser(), bytes, cut)).toEqual(whole);
    const frame = whole.samples[0] as ThreadsSample;
    expect(frame.tid).toEqual([12304, 12306, 12307, 12309, 12310, 12311, 12312, 12308, 12319]);
    expect(frame.pid).toEqual(frame.tid.map(() => 12304));
    expect(frame.cpuPercent.slice(0, 4)).toEqual([99.9, 85, 84, 3]);
    expect(frame.state.slice(0, 3)).toEqual(['S', 'R', 'R']);
    expect(frame.comm[7]).toBe('my thread (x) y');
    expect([frame.userPercent[1], frame.core[1]]).toEqual([null, null]);
  });

  it('never shows the process on the main thread of procps 4.0.2: unknown beats wrong', () => {
    const plan = planOf(contextOf([12304], { options }));
    const [frame] = samplesOf(plan.parser(), play(plan, fixture('top-4.0.2-H.txt')).stdout).samples as ThreadsSample[];
    expect(frame?.cpuPercent.slice(0, 3)).toEqual([null, 85, 84]);
  });

  it('reads an H200 host, with BusyBox awk too', () => {
    const plan = planOf(contextOf([572], { options, facts: { ...healthy, awk: 'busybox' } }));
    const bytes = play(plan, fixture('top-h200.txt')).stdout;
    const other = mkdtempSync(join(tmpdir(), 'busybox-'));
    symlinkSync('/bin/busybox', join(other, 'awk'));
    const again = play(plan, fixture('top-h200.txt'), `${other}:${bin}`).stdout;
    rmSync(other, { recursive: true });
    const rows = (text: Buffer) => text.toString().replace(/^T [\d.]+/gm, 'T');
    expect(rows(again)).toBe(rows(bytes));
    const { samples, rejected } = samplesOf(plan.parser(), bytes);
    expect(rejected).toBe(0);
    expect(samples).toHaveLength(2);
    expect((samples as ThreadsSample[]).map((frame) => frame.tid.length)).toEqual([133, 133]);
    expect(execFileSync('cat', [join(bin, 'capture.arguments')], { encoding: 'utf8' })).toBe(
      '-H -b -d 1 -o PID -w 300 -p 1,572\n',
    );
  });

  it('does not wait for the row of PID 1, and leaves its threads out', () => {
    const plan = planOf(contextOf([50, 60], { options, facts: healthy }));
    const owners: Record<string, number> = { 1: 1, 9: 1, 50: 50, 51: 50, 60: 60 };
    for (const [tid, owner] of Object.entries(owners)) {
      mkdirSync(join(bin, 'proc', tid), { recursive: true });
      writeFileSync(join(bin, 'proc', tid, 'status'), `Name:\tx\nTgid:\t${owner}\n`);
    }
    const head =
      'top - 1\nThreads:   5 total\n\n  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n';
    const row = (tid: number) => `${tid} root 20 0 1 1 1 S 5.0 0.0 0:02.88 t${tid}`;
    // The last row has no end yet: top writes it with the next frame.
    const frame = `${head}${[60, 51, 50, 9, 1].map(row).join('\n')}`;
    const { stdout } = play(plan, Buffer.from(`${frame}\n${frame}\n${frame.slice(0, -40)}`));
    const { samples } = samplesOf(plan.parser(), stdout);
    expect(samples).toMatchObject([
      { tid: [60, 51, 50], pid: [60, 50, 50], cpuPercent: [5, 5, 5] },
      { tid: [60, 51, 50] },
    ]);
    rmSync(join(bin, 'proc'), { recursive: true });
    mkdirSync(join(bin, 'proc'));
    writeFileSync(join(bin, 'proc/uptime'), '100.00 1.0\n');
  });

  it('repairs the main thread from its own stat', () => {
    const plan = planOf(contextOf([12304], { options }));
    const stat = fixture('proc-task-stat.txt').toString('latin1').split('\n')[0] ?? '';
    const folder = join(bin, 'proc/12304/task/12304');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'stat'), `${stat}\n`);
    // Between the frames of the capture a second passes in which the thread uses 4 ticks.
    const later = join(bin, 'later');
    writeFileSync(later, `${stat.replace(' 0 0 0 0 20 0 9 ', ' 3 1 0 0 20 0 9 ')}\n`);
    const [first = '', second = ''] = fixture('top-4.0.2-H.txt')
      .toString()
      .split(/\n(?=top - )/);
    writeFileSync(join(bin, 'first'), `${first}\n`);
    writeFileSync(join(bin, 'second'), second);
    const plays = `cat ${bin}/first; sleep 0.5; cp ${later} ${folder}/stat; echo 101.00 1.0 >${bin}/proc/uptime; cat ${bin}/second`;
    const body = `top() { ${plays}; }\n${plan.body.replaceAll('/proc/', `${bin}/proc/`)}`;
    const { stdout } = spawnSync('sh', ['-c', body], { env: { ...process.env, LC_ALL: 'C' } });
    const [frame] = samplesOf(plan.parser(), stdout).samples as ThreadsSample[];
    expect(frame?.cpuPercent.slice(0, 3)).toEqual([4, 85, 84]);
    expect(frame?.time).toBe(1_000_000 + 101_000);
    rmSync(join(bin, 'proc/12304'), { recursive: true });
    writeFileSync(join(bin, 'proc/uptime'), '100.00 1.0\n');
  });

  it('gives frames without rows while the process is missing', () => {
    const plan = planOf(contextOf([999], { options }));
    const { samples } = samplesOf(plan.parser(), play(plan, fixture('top-missing-pid.txt')).stdout);
    expect(samples).toMatchObject([{ tid: [] }]);
  });

  it('says so when an rc file changed the columns', () => {
    const plan = planOf(contextOf([5], { options }));
    const bad = fixture('top-4.0.2-H.txt').toString().replaceAll('TIME+ COMMAND', 'TIME+ P COMMAND');
    const { stderr, stdout } = play(plan, Buffer.from(bad));
    expect(stdout.toString()).toBe('');
    expect(explainTop({ code: 3, lost: false }, stderr.toString())).toMatchObject({
      final: true,
      reason: expect.stringContaining('TIME+ P COMMAND'),
    });
    expect(explainTop({ code: 1, lost: false }, 'top: no')).toBeUndefined();
  });

  it('counts what it cannot read', () => {
    const parser = planOf(contextOf([5], { options })).parser();
    expect(samplesOf(parser, Buffer.from('5 = 5 root\nT 1.00 1\nnonsense\n.\n.\n'))).toMatchObject({
      rejected: 3,
      samples: [{ tid: [] }],
    });
  });

  it('takes the busiest of a host, repaired rows in their place, however the bytes are cut', () => {
    const plan = planOf(contextOf([]), busiest);
    const bytes = fixture('busiest-frames.txt');
    const whole = samplesOf(plan.parser(), bytes);
    expect(whole).toMatchObject({ rejected: 0, samples: [{}, {}, {}] });
    for (let cut = 1; cut < bytes.length; cut += 3) expect(samplesOf(plan.parser(), bytes, cut)).toEqual(whole);
    const [first, , last] = whole.samples as BusiestSample[];
    expect(first?.comm).toEqual(['pump', 'loader 0', 'pt_data_worker']);
    expect(first?.cpuPercent).toEqual([29.7, 5, null]);
    expect(first?.pid).toEqual([20455, 20501, 20501]);
    expect(last).toMatchObject({ threadsTotal: 116, time: 1_000_000 + 1_623_440 });
    const played = play(plan, fixture('top-h200.txt'));
    expect(
      played.stdout
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('- ')).length,
    ).toBeLessThan(31);
    expect(played.stdout.toString()).not.toMatch(/ 0\.0 +1\.1 /);
  });
});

describeWith([], 'which reader runs', () => {
  const key = (context: Context) => threads.plans(context).map((plan) => ('off' in plan ? plan.off : plan.key))[0];

  it('restarts top and pidstat when the set of processes or the interval changes, and proc never', () => {
    for (const reader of ['top', 'pidstat'] as const) {
      const now = { ...options, threads: reader };
      expect(key(contextOf([5, 6], { options: now }))).toBe(key(contextOf([6, 5], { options: now })));
      expect(key(contextOf([5], { options: now }))).not.toBe(key(contextOf([5, 6], { options: now })));
      expect(key(contextOf([5], { options: now }))).not.toBe(
        key(contextOf([5], { options: { ...now, intervalMs: 3000 } })),
      );
    }
    expect(key(contextOf([5, 6]))).toBe(key(contextOf([5])));
    expect(threads.plans(contextOf([]))).toEqual([]);
    expect(planOf(contextOf([5, 6])).tick?.line(contextOf([6, 7]), planOf(contextOf([5, 6])).parser())).toBe('6 7');
  });

  it('watches the whole host where top -p takes no more processes, and keeps the run', () => {
    const pids = Array.from({ length: 20 }, (_, at) => at + 100);
    const { body } = planOf(contextOf(pids, { options }));
    expect(body).toContain('top -H -b -d 1 -o PID -w 300 |');
    expect(body).toContain(`-v only="${pids.join(' ')}"`);
  });

  it('looks for the busiest less often where top has more threads to read', () => {
    const bodyOf = (threadCount?: number) =>
      planOf(contextOf([], { facts: { ...healthy, ...(threadCount !== undefined && { threadCount }) } }), busiest).body;
    expect([undefined, 90, 500, 1400, 9000].map((count) => /-d (\d+)/.exec(bodyOf(count))?.[1])).toEqual([
      ...['10', '10', '17'],
      ...['47', '60'],
    ]);
  });

  it('says why a reader is off', () => {
    const none = { facts: factsOf() };
    expect(key(contextOf([5], none))).toContain('no awk');
    expect(key(contextOf([5], { ...none, options }))).toContain('top is not on the PATH');
    expect(key(contextOf([5], { ...none, options: { ...options, threads: 'pidstat' } }))).toContain('install sysstat');
    const old = { facts: facts({ pidstatVersion: '10.1.5' }), options: { ...options, threads: 'pidstat' as const } };
    expect(key(contextOf([5], old))).toContain('pidstat 10.1.5 is older');
    const small = facts({ top: { flavour: 'busybox', leaderRowIsTotal: false } });
    expect(key(contextOf([5], { facts: small, options }))).toContain("BusyBox's");
    expect(busiest.plans(contextOf([], { facts: small }))).toMatchObject([
      { source: 'busiest', off: expect.stringContaining("BusyBox's") },
    ]);
  });
});
