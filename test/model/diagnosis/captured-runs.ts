import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiagnosis } from '../../../src/model/diagnosis/engine.ts';
import { judge } from '../../../src/model/diagnosis/judge.ts';
import type { Judgement, Rule } from '../../../src/model/diagnosis/rule.ts';
import { rules } from '../../../src/model/diagnosis/rules/index.ts';
import type { Subject } from '../../../src/model/diagnosis/subjects.ts';
import type { Sample } from '../../../src/model/samples.ts';
import type { Situation } from '../../../src/model/situations.ts';
import type { Verdict, VerdictScope } from '../../../src/model/verdict-samples.ts';
import { captureText } from '../classes/h200.ts';
import { samplesOf } from './gather/saved.ts';

const inline = { cause: 'preprocessing in the training thread' };
const waiting = { cause: 'waiting for data, nobody computes' };

/** What really happened in the runs of test/fixtures/import/h200, and what of its scope the files tell. */
export const truths: readonly (readonly [string, Situation, VerdictScope])[] = [
  ['alloc_churn', 'allocator-churn', {}],
  ['compute_bound', 'compute-bound', {}],
  ['ddp_healthy', 'compute-bound', {}],
  ['gil_bound', 'gil-contention', {}],
  ['input_starved_inline', 'input-bound', inline],
  ['input_starved_sleep', 'input-bound', waiting],
  ['launch_bound', 'launch-bound', {}],
  ['nccl_hang', 'collective-hang', { ranks: [1] }],
  ['queue_full', 'consumer-bound', { side: 'consumer', gpus: [1] }],
];

/** How a captured run is read. */
interface Reading {
  readonly stacks?: boolean;
  readonly without?: readonly string[];
  /** Of a file that py-spy wrote. */
  readonly textOf?: typeof captureText;
}

/** The Samples of a captured run of test/fixtures/import/h200, with what py-spy found where `stacks` is set and it was asked. */
export async function samplesOfCapture(
  name: string,
  { stacks = false, without = [], textOf = captureText }: Reading = {},
): Promise<readonly Sample[]> {
  if (!stacks) return samplesOf(name, without);
  const folder = await mkdtemp(join(tmpdir(), 'traintop-diagnosis-'));
  try {
    return await samplesOf(name, without, await stacksIn({ folder, name, textOf }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether py-spy was asked of it. */
export function hasStacks(name: string): boolean {
  return readdirSync('test/fixtures/classes/h200').includes(name);
}

interface Stacks {
  readonly folder: string;
  readonly name: string;
  readonly textOf: typeof captureText;
}

async function stacksIn({ folder, name, textOf }: Stacks): Promise<string> {
  const path = join(folder, 'stacks');
  await mkdir(path);
  for (const packed of readdirSync(join('test/fixtures/classes/h200', name))) {
    const file = packed.replace(/\.gz$/, '');
    await writeFile(join(path, file), textOf(name, file));
  }
  return path;
}

const isAsked = (rule: Rule, { kind }: Subject) => rule.of === kind;

/** What the rules say at the end of them by the signals of that moment alone. */
export function judgementsOf(samples: readonly Sample[]): readonly Judgement[] {
  const diagnosis = createDiagnosis();
  for (const sample of samples) diagnosis.find(sample);
  return diagnosis
    .signals()
    .flatMap(({ subject, readings }) =>
      rules.flatMap((rule) => (isAsked(rule, subject) ? (judge(rule, subject, readings) ?? []) : [])),
    );
}

/** The verdicts at their end. */
export function verdictsOf(samples: readonly Sample[]): readonly Verdict[] {
  const diagnosis = createDiagnosis();
  for (const sample of samples) diagnosis.find(sample);
  return diagnosis.now()?.verdicts ?? [];
}
