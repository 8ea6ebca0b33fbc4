import type { Clock } from '../../clock.ts';
import type { StacksSample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { Context } from '../collector.ts';
import type { Runner } from '../run.ts';
import { explainFailure } from './failures.ts';
import { parseDump } from './parse.ts';
import { saveCapture } from './save.ts';
import { dumpScript, dumpSeconds } from './script.ts';
import { formatStacks } from './text.ts';

/** Of which process to take the stacks, and where to keep them. */
export interface CaptureOptions {
  /** The runner's way to run a script on the host. */
  readonly job: Runner['job'];
  readonly context: Context;
  readonly pid: number;
  /** See defaultDataFolder; `captures` is made in it. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly save: boolean;
}

/**
 * Takes the stacks of one process with py-spy, without pausing it. Never rejects: a failure, also of saving, is the sample's `failure`,
 * one sentence that says what to do.
 */
export async function captureStacks({
  job,
  context,
  pid,
  dataDir,
  clock,
  save,
}: CaptureOptions): Promise<StacksSample> {
  const sentAt = clock.now();
  const { threads, failure } = await dump({ job, context, pid });
  const receivedAt = clock.now();
  const command = context.run?.processes.find((p) => p.pid === pid)?.commandLine.join(' ') ?? '';
  const base = { kind: 'stacks', host: context.host, source: 'stacks', pid, command, threads } as const;
  const sample: StacksSample = { ...base, time: sentAt, receivedAt, ...(failure !== undefined && { failure }) };
  if (!save || threads.length === 0) return sample;
  try {
    const savedTo = await saveCapture({ dataDir, time: sentAt, host: context.host, pid, text: formatStacks(sample) });
    return { ...sample, savedTo };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ...sample,
      failure: [failure, `the capture could not be saved: ${safeText(reason)}`].filter(Boolean).join('; '),
    };
  }
}

type DumpOptions = Pick<CaptureOptions, 'job' | 'context' | 'pid'>;

async function dump({ job, context, pid }: DumpOptions): Promise<Pick<StacksSample, 'threads' | 'failure'>> {
  try {
    const result = await job('stacks', dumpScript(context, pid), dumpSeconds * 1000);
    const answer = parseDump(result.output);
    const shellText = result.bodyCode === undefined ? safeText(result.errorText.trim()) : '';
    const failure = explainFailure({ answer, pid, context, timedOut: result.timedOut, shellText });
    return { threads: answer.threads ?? [], ...(failure !== undefined && { failure }) };
  } catch (error) {
    return {
      threads: [],
      failure: `No dump from ${context.host}: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
