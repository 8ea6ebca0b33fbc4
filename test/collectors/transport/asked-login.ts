import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../../src/clock.ts';
import type { SecretsQuestion } from '../../../src/collectors/transport/asks.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';

/** An answer to the question that is asked then; undefined declines, `wait` stands until the question is withdrawn. */
export type Answer = readonly (string | (() => string))[] | undefined | 'wait';

/** A transport whose questions are answered by a list. */
export interface AskedTransport {
  readonly transport: Transport;
  /** What was asked so far. */
  readonly questions: SecretsQuestion[];
  /** Questions that were taken away. */
  readonly withdrawn: SecretsQuestion[];
  /** More answers. */
  answer(...more: readonly Answer[]): void;
  /** Connects; gives the fault's sentence, or undefined. */
  connect(told?: (reason: string) => void): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Where, as whom, and what is answered; without answers there is no terminal. */
export interface AskedOptions {
  readonly port: number;
  readonly user: string;
  readonly knownHostsFile: string;
  readonly identityFiles?: readonly string[];
  /** Lines of ssh_config. */
  readonly config?: readonly string[];
  readonly answers?: readonly Answer[];
  readonly clock?: Clock;
}

export function askedTransport({
  port,
  user,
  knownHostsFile,
  identityFiles = [],
  ...more
}: AskedOptions): AskedTransport {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-asked-'));
  const configFile = join(folder, 'config');
  const lines = more.config ?? [];
  writeFileSync(configFile, ['Host *', ...[...lines, 'IdentityAgent none'].map((line) => `  ${line}`), ''].join('\n'));
  const questions: SecretsQuestion[] = [];
  const withdrawn: SecretsQuestion[] = [];
  const waiting = [...(more.answers ?? [])];
  const transport = createSshTransport({
    target: { kind: 'ssh', host: '127.0.0.1', port, user },
    clock: more.clock ?? systemClock,
    configFile,
    knownHostsFiles: [knownHostsFile],
    ...(lines.some((line) => line.startsWith('IdentityFile')) ? {} : { identityFiles }),
    ...(more.answers && { askSecrets: ask }),
  });

  async function ask(question: SecretsQuestion, signal?: AbortSignal) {
    questions.push(question);
    if (waiting.length === 0) throw new Error(`nobody expected a question: ${JSON.stringify(question)}`);
    const answer = waiting.shift();
    if (answer !== 'wait') return answer?.map((part) => (typeof part === 'string' ? part : part()));
    await new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      else signal?.addEventListener('abort', () => resolve());
    });
    withdrawn.push(question);
    return undefined;
  }

  return {
    transport,
    questions,
    withdrawn,
    answer: (...answers) => void waiting.push(...answers),
    async connect(told) {
      try {
        await transport.connect(told);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    async close() {
      await transport.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
