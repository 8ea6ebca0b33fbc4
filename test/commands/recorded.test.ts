import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnose } from '../../src/commands/diagnose.ts';
import { readDiagnoseOptions } from '../../src/commands/diagnose-options.ts';
import type { Situation } from '../../src/model/situations.ts';

/**
 * Runs of scripts/gpu-situations.py on a host with two H200, recorded by scripts/gpu-situations.sh: made when the rules were, and read by
 * who wrote these only after that. docs/diagnosis.md tells which were told wrongly then.
 */
const truths: readonly (readonly [string, Situation])[] = [
  ['alloc-a', 'allocator-churn'],
  ['alloc-b', 'allocator-churn'],
  ['bandwidth-a', 'bandwidth-bound'],
  ['compute-a', 'compute-bound'],
  ['compute-b', 'compute-bound'],
  ['compute-c', 'compute-bound'],
  ['compute-mix', 'compute-bound'],
  ['compute-rare', 'compute-bound'],
  ['copy-a', 'copy-bound'],
  ['ddp-healthy', 'compute-bound'],
  ['gil-a', 'gil-contention'],
  ['gil-b', 'gil-contention'],
  ['hang-a', 'collective-hang'],
  ['hang-b', 'collective-hang'],
  ['input_inline-a', 'input-bound'],
  ['input_inline-b', 'input-bound'],
  ['input_inline-c', 'input-bound'],
  ['input_sleep-a', 'input-bound'],
  ['input_sleep-b', 'input-bound'],
  ['launch-a', 'launch-bound'],
  ['launch-b', 'launch-bound'],
  ['launch-c', 'launch-bound'],
  ['loader-a', 'input-bound'],
  ['loader-b', 'input-bound'],
  ['queue-empty', 'producer-bound'],
  ['queue-full', 'consumer-bound'],
  ['straggler-a', 'collective-wait'],
  ['straggler-b', 'collective-wait'],
  ['sync-a', 'sync-bound'],
  ['sync-b', 'sync-bound'],
];

const folder = mkdtempSync(join(tmpdir(), 'traintop-recorded-'));
beforeAll(() => void execFileSync('tar', ['xzf', 'test/fixtures/diagnosis/recorded.tar.gz', '-C', folder]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly verdicts: readonly { readonly situation: string; readonly since: string }[];
  readonly timeline: readonly { readonly situation: string }[];
}

async function said(name: string, more: Record<string, unknown> = {}): Promise<Said> {
  const at = (file: string) => join(folder, name, file);
  const files = { top: at('top.txt'), nvidiaSmi: at('smi250.csv'), dmon: at('gpm.txt'), stat: at('stat.txt.gz') };
  let text = '';
  const options = readDiagnoseOptions(undefined, { ...files, log: [at('train.log')], json: true, ...more });
  await diagnose(options, async (part) => void (text += part));
  return JSON.parse(text) as Said;
}

test.each(truths)('%s is %s', async (name, situation) => {
  expect((await said(name)).verdicts[0]?.situation).toBe(situation);
  const stacks = join(folder, name, 'stacks');
  if (existsSync(stacks)) expect((await said(name, { stacks })).verdicts[0]?.situation).toBe(situation);
});

test.each([
  ['hang-a', '2026-11-30T19:30:03Z'],
  ['hang-b', '2026-11-30T19:34:36Z'],
])('the hang of %s is told within ten seconds', async (name, began) => {
  const at = new Date(Date.parse(began) + 10_000);
  const { verdicts } = await said(name, { at: at.toISOString().slice(11, 19) });
  expect(verdicts[0]?.situation).toBe('collective-hang');
  expect(Math.abs(Date.parse(verdicts[0]?.since ?? '') - Date.parse(began))).toBeLessThan(2000);
});

test('a healthy run with saves and evaluations is told as these', async () => {
  const { timeline } = await said('compute-ckpt');
  const told = new Set(timeline.map(({ situation }) => situation));
  expect([...told].filter((situation) => situation !== 'unknown').sort()).toEqual([
    'checkpointing',
    'compute-bound',
    'evaluating',
  ]);
});
