import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { readBox } from '../../../src/collectors/black-box/answer.ts';
import { boxScript } from '../../../src/collectors/black-box/script.ts';
import { runJob } from '../../../src/collectors/stream.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { waitFor } from '../../support/waiting.ts';
import { factsOf, madeContext } from '../made-context.ts';

let folder: string;
const path = process.env.PATH;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'traintop-box-script-'));
  process.env.PATH = `${folder}:${path}`;
});
afterAll(() => {
  process.env.PATH = path;
  removeFolder(folder);
});

function fake(name: string, body: string) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, name), 0o755);
}

async function take(pids: readonly number[], facts = {}) {
  const body = boxScript(pids, 1);
  const transport = createLocalTransport();
  const answer = await runJob({ transport, clock: systemClock, name: 'black-box', body, timeoutMs: 20_000 });
  const context = madeContext({ facts: factsOf(facts) });
  const parts = readBox({ answer, context, at: 0, rankOf: () => 3 }).map(({ part }) => part);
  return Object.fromEntries(parts.map((part) => [part.name, part]));
}

describe('the script of a box', () => {
  test('an nvidia-smi that hangs and hears no SIGTERM is ended, and what it said is there', async () => {
    fake(
      'nvidia-smi',
      `trap '' TERM; echo "    Product Name                          : NVIDIA H200"; echo $$ >${folder}/pid; exec sleep 60`,
    );
    fake('dmesg', 'echo "dmesg: read kernel buffer failed: Operation not permitted"; exit 1');
    const sleeper = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      const parts = await take([sleeper.pid ?? 0, 999_999_999], { uid: 1000, user: 'ann' });
      expect(parts['nvidia-smi']).toMatchObject({
        lines: ['  Product Name: NVIDIA H200'],
        failure: 'nvidia-smi did not end in time, as when a GPU is lost: it was ended.',
      });
      expect(parts['kernel log']?.failure).toMatch(/may not be read by ann \(dmesg: read kernel.*not permitted\)/);
      expect(parts['kernel stacks']?.lines?.join('\n')).toMatch(
        /PID \d+ \(rank 3\)\n {2}S \S+, \d+ times waiting.* sleep \d+/,
      );
      const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
      await waitFor('it to be gone', () => !existsSync(`/proc/${pid}`));
    } finally {
      sleeper.kill('SIGKILL');
    }
  });

  test('lines of the kernel that tell of GPUs and memory, with their time; an end with a fault is told', async () => {
    fake('nvidia-smi', 'echo "Failed to initialize NVML: Unknown Error"; exit 255');
    fake(
      'dmesg',
      `echo "[   10.500000] NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus."; echo "[ 11.0] eth0: link up"; echo "[ 99999999999999.0] nvidia: of no time"; printf '[   12.000000] Out of memory: \\033[31mKilled process 7 (python3)\\n'`,
    );
    const parts = await take([]);
    expect(parts['kernel log']?.lines).toEqual([
      '1970-01-01T00:16:50Z NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus.',
      '[ 99999999999999.0] nvidia: of no time',
      '1970-01-01T00:16:52Z Out of memory: Killed process 7 (python3)',
    ]);
    expect(parts['nvidia-smi']?.failure).toBe(
      'nvidia-smi ended with code 255, saying: Failed to initialize NVML: Unknown Error.',
    );
  });

  test('an answer that was cut says of each part that it is missing', () => {
    const answer = { output: '@box process 7\nt 7 S 1 2 futex_do_wait a name\n', timedOut: true, lost: false };
    const parts = readBox({ answer, context: madeContext(), at: 0, rankOf: () => undefined }).map(({ part }) => part);
    expect(parts[0]?.lines).toEqual([
      'PID 7',
      '  S futex_do_wait, 1 times waiting, 2 times taken off its core  a name 7',
    ]);
    expect(parts.map(({ failure }) => failure)).toEqual([
      expect.stringMatching(/gives no stacks of threads/),
      "The kernel's log did not come: the host did not answer in time.",
      'nvidia-smi did not come: the host did not answer in time.',
    ]);
  });
});
