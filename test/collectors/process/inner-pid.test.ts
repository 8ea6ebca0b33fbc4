import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { describeWith } from '../../support/requires.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';
import { createBench, userlands } from './live.ts';

describeWith(['python3', 'unshare', 'busybox'], 'a PID as a container has it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-inner-'));
  const bench = createBench();
  const started: Workload[] = [];
  /** Of the PIDs that are given last, in a new namespace (which may have more of them than this machine: Linux 6.14). */
  const inside = ['--pid', '--fork', '--mount-proc', 'cat', '/proc/sys/kernel/pid_max'];
  const inner = Number(execFileSync('unshare', inside)) - 500 - (process.pid % 500);
  afterEach(async () => {
    await Promise.all(started.splice(0).map((workload) => workload.stop()));
  });
  afterAll(async () => {
    await bench.end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startInside(): Promise<void> {
    const program = join(folder, 'contained');
    const init = `exec 3<&0; echo ${inner - 1} >/proc/sys/kernel/ns_last_pid; python3 "$@" <&3 & exec 3<&-; wait`;
    const unshare = `unshare --pid --fork --mount --mount-proc --kill-child sh -c '${init}' x`;
    writeFileSync(program, `#!/bin/sh\nexec ${unshare} "$@"\n`, { mode: 0o755 });
    const workload = await startWorkload({ python: program, threads: [{ name: 'pump' }] });
    expect(workload.pid).toBe(inner);
    started.push(workload);
  }

  const names = ['dash, mawk', 'busybox'] as const satisfies readonly (keyof typeof userlands)[];
  it.each(names)('finds the one that has it (%s)', async (userland) => {
    await startInside();
    const monitor = await bench.monitor({ pid: inner }, userland);
    const { run } = await monitor.run('the run', ({ phase }) => phase === 'running');
    expect(run?.rootPid).not.toBe(inner);
    expect(run?.processes[0]?.commandLine.join(' ')).toContain('workload.py');
    await monitor.runner.stop();
  });

  it('is asked for when two have it', async () => {
    await startInside();
    await startInside();
    const monitor = await bench.monitor({ pid: inner });
    const { reason } = await monitor.run('the sentence', (sample) => sample.phase === 'finding');
    expect(reason).toMatch(
      new RegExp(
        `^No process ${inner} on \\S+, but in its containers \\d+ and \\d+ have that number: give one of these`,
      ),
    );
    await monitor.runner.stop();
  });
});
