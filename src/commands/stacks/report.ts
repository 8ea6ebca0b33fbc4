import type { CaptureResult, CaptureSample } from '../../model/samples.ts';
import { roleFinder } from '../../model/roles/finder.ts';
import { foldResults } from '../../model/stacks/fold.ts';
import type { State } from '../../model/store.ts';
import type { OpenTarget } from '../open-target.ts';
import { stacksObject } from './json.ts';
import { stacksText } from './text.ts';
import type { StacksWish } from './wish.ts';

/** A capture that is over. */
export interface Taken {
  readonly capture: CaptureSample;
  readonly results: readonly CaptureResult[];
  /** What is known of the run. */
  readonly state: State;
  readonly target: Pick<OpenTarget, 'name' | 'demo'>;
  readonly wish: Pick<StacksWish, 'form' | 'request' | 'options'>;
}

/** Prints what was taken, and on standard error what is missing of it. True when there was a result. */
export async function report(taken: Taken): Promise<boolean> {
  const { capture, results, state, wish } = taken;
  const folded = foldResults(results, {
    run: state.run?.run,
    threadNames: state.threadNames,
    threads: state.threads,
    roleOf: roleFinder(state),
  });
  const has = folded.stacks.length > 0 || results.some((result) => result.kind === 'profile' && result.samples > 0);
  const say = (text: string) => void process.stderr.write(`traintop: ${text.replace(/\.?$/, '.')}\n`);
  if (capture.state === 'partial') say('The capture ended early: this is the part that there is');
  for (const sentence of [...capture.notes, ...(capture.failure === undefined ? [] : [capture.failure])]) say(sentence);
  for (const pid of capture.stoppedPids ?? [])
    say(
      `Process ${pid} is stopped (state T) since the capture: send it SIGCONT (kill -CONT ${pid}) on ${taken.target.name}`,
    );
  if (wish.form === 'json') await print(stacksObject(taken, folded));
  else if (has) await print(stacksText(taken, folded));
  return has;
}

async function print(text: string): Promise<void> {
  await new Promise((resolve) => process.stdout.write(text, resolve));
}
