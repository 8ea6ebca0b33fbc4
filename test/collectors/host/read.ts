import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../../src/collectors/collector.ts';
import { createHostParser } from '../../../src/collectors/host/parse.ts';
import { hostScript } from '../../../src/collectors/host/script.ts';
import type { HostSample } from '../../../src/model/samples.ts';
import { requiredTool } from '../../support/requires.ts';
import { factsOf, madeContext, readSamples } from '../made-context.ts';

/** Path of test/fixtures/host/NAME. */
export function fixturePath(name: string): string {
  return join(import.meta.dirname, '../../fixtures/host', name);
}

export const shells = ['dash', 'busybox sh', 'bash --norc'] as const;
export const awks = ['mawk', 'busybox', 'gawk'] as const;

/** A host with mawk and four cores. */
export function contextOf(more: Partial<Context> = {}): Context {
  return madeContext({ facts: factsOf({ cores: 4, awk: 'mawk' }), ...more });
}

interface Once {
  readonly shell: (typeof shells)[number];
  readonly awk: (typeof awks)[number];
  readonly root?: string;
  readonly ticks: readonly string[];
  /** What gives them, as shell text, where it is not all at once. */
  readonly by?: string;
  /** A file that takes what it prints. */
  readonly to?: string;
}

/** What the script prints for the ticks. */
export function runScript({ shell, awk, root = '', ticks, by = 'cat', to }: Once): string {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-awk-'));
  try {
    symlinkSync(requiredTool(awk), join(folder, 'awk'));
    const [command = '', ...rest] = shell.split(' ');
    return execFileSync(
      requiredTool(command),
      [
        ...rest,
        '-c',
        `ticks() { ${by}; }\n${hostScript({ awk: awk === 'busybox' ? 'busybox' : awk, pageSize: 4096 }, root)}${to === undefined ? '' : ` >${to}`}`,
      ],
      {
        input: ticks.map((tick) => `${tick}\n`).join(''),
        env: { PATH: `${folder}:${process.env.PATH ?? ''}`, LC_ALL: 'C' },
        encoding: 'utf8',
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** All Samples of the text, given in two chunks. */
export function samplesOf(text: string | Buffer, cut = 0) {
  const { samples, rejected } = readSamples(createHostParser(contextOf()), Buffer.from(text), cut, 5000);
  return { samples: samples as readonly HostSample[], rejected };
}
