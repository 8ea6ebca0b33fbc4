import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLiveRunner, type LiveRunner } from '../../support/live-runner.ts';
import { isRunning } from '../../support/processes.ts';
import { describeWith } from '../../support/requires.ts';
import { startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';

/** A busy machine takes its time. */
const patientMs = 60_000;
const count = 16;

describeWith(['sshd', 'python3'], 'sixteen logs over a real sshd', () => {
  let sshd: TestSshd;
  let workload: Workload;
  let runner: LiveRunner | undefined;

  beforeAll(async () => {
    [sshd, workload] = await Promise.all([startSshd(), startWorkload({ threads: [{ name: 'pump', percent: 5 }] })]);
  });
  afterEach(() => runner?.stop());
  afterAll(async () => {
    await sshd.stop();
    await workload.stop();
  });

  const paths = () => Array.from({ length: count }, (_, i) => join(sshd.folder, `rank${i}.log`));
  const add = (words: string) => paths().forEach((path, i) => appendFileSync(path, `${words} ${i}\n`));

  async function watch() {
    for (const path of paths()) writeFileSync(path, '');
    add('hello');
    runner = createLiveRunner({ sshd, pid: workload.pid, logs: paths() });
    await runner.start();
    await allOf(runner, 'hello');
    return runner;
  }

  async function allOf({ lines }: LiveRunner, words: string) {
    const missing = () => paths().flatMap((_, i) => (lines.includes(`${words} ${i}`) ? [] : i));
    await waitFor(`${words} of all`, () => missing().length === 0, patientMs);
    expect(lines.filter((line) => line.startsWith(words))).toHaveLength(count);
  }

  test('are read with all other sources, and end with us', { timeout: 3 * patientMs }, async () => {
    const live = await watch();
    const sources = ['processes', 'threads', 'log', ...Array.from({ length: 15 }, (_, i) => `log:${i + 2}`), 'host'];
    await waitFor('all sources', () => sources.every((name) => live.source(name)?.status === 'live'), patientMs);
    const job = await live.job('dump', 'echo stack', patientMs);
    expect(job.output.trim()).toBe('stack');
    expect(live.sessionLimit()).toBeUndefined();
    const ours = below(sshd.pid);
    expect(ours.length).toBeGreaterThan(count);
    await live.stop();
    await waitFor('the end of all', () => !ours.some(isRunning), patientMs);
  });

  test('leave nothing when the connection is killed, and go on after it', { timeout: 3 * patientMs }, async () => {
    const live = await watch();
    const ours = below(sshd.pid);
    for (const pid of ours) if (nameOf(pid).startsWith('sshd')) process.kill(pid, 'SIGKILL');
    add('meanwhile');
    await waitFor('the end of all', () => !ours.some(isRunning), patientMs);
    await allOf(live, 'meanwhile');
    add('after');
    await allOf(live, 'after');
  });
});

const fieldsOf = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const end = stat.lastIndexOf(')');
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 2).split(' ')[1]) };
  } catch {
    return { name: '', parent: 0 }; // it has ended
  }
};
const nameOf = (pid: number) => fieldsOf(pid).name;

/** All processes below one. */
function below(root: number): readonly number[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  const parents = new Map(all.map((pid) => [pid, fieldsOf(pid).parent]));
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === root || (parent > 1 && isBelow(parent));
  };
  return all.filter(isBelow);
}
