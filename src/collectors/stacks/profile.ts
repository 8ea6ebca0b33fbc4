import { captureDefaults } from '../../model/capture-plan.ts';
import type { ProfileSample } from '../../model/capture-samples.ts';
import type { StackFrame } from '../../model/stacks.ts';
import { safeText } from '../../model/text.ts';
import type { SpyAnswer } from './answer.ts';
import { boundFrame } from './bound.ts';
import { createStackFolder } from './fold-stacks.ts';
import type { SpyJob } from './guard.ts';
import { readThreads } from './parse.ts';

/** What a profile is made of, before it is known of which process and capture. */
export type Profile = Pick<
  ProfileSample,
  'rate' | 'seconds' | 'samples' | 'errors' | 'threads' | 'frames' | 'stacks' | 'leftOut'
>;

/** Folds the dumps of `many`: each stack with how often it was seen. Undefined when there is not one. */
export function foldDumps(
  answer: Pick<SpyAnswer, 'outputs' | 'over' | 'tookSeconds'>,
  { everySeconds = captureDefaults.everySeconds }: Pick<SpyJob, 'everySeconds'>,
): Profile | undefined {
  const { outputs, tookSeconds } = answer;
  const folder = createStackFolder();
  let samples = 0;
  // One after the other: together they may be larger than the memory.
  for (const output of outputs) {
    const threads = readThreads(output.text);
    if (!threads) continue;
    samples++;
    for (const thread of threads)
      folder.add(thread, { count: 1, active: thread.active ? 1 : 0, gil: thread.ownsGil ? 1 : 0 });
  }
  if (samples === 0) return undefined;
  const seconds = tookSeconds ?? (outputs.length - 1) * everySeconds;
  return { ...folder.folded(), seconds, samples, errors: outputs.length - samples - (isLastCut(answer) ? 1 : 0) };
}

/** The last dump was ended with the capture: py-spy did not fail at it. */
export function isLastCut({ outputs, over }: Pick<SpyAnswer, 'outputs' | 'over'>): boolean {
  const code = outputs.at(-1)?.code;
  return outputs.length > 0 && code !== 0 && (over || code === undefined);
}

/** A record, and what does not fit in it. */
export interface RawRecord {
  readonly profile: Profile;
  /** py-spy says it took so many stacks, and its file has fewer: something was lost on the way. */
  readonly missing?: number;
}

/**
 * Reads what `py-spy record -f raw -t` (0.4.2) wrote: `thread (TID): NAME;outermost (file:line);…;innermost (file:line) COUNT` a line.
 * Undefined when it did not end well; no line is no fault of a record of what was idle.
 */
export function readRaw(
  { outputs, progress, tookSeconds, noFile }: Pick<SpyAnswer, 'outputs' | 'progress' | 'tookSeconds' | 'noFile'>,
  job: Pick<SpyJob, 'what' | 'rate' | 'seconds'>,
): RawRecord | undefined {
  const last = outputs.at(-1);
  if (last?.code !== 0 || noFile) return undefined;
  const { rate, seconds: planned } = { ...captureDefaults, ...job };
  const { counted, most, ...tables } = foldRaw(last.text);
  const [, told = String(counted), errors = '0'] = /Samples: (\d+) Errors: (\d+)/.exec(progress.join('\n')) ?? [];
  const seconds = Math.min(planned, tookSeconds ?? planned);
  // With --idle each look counts a thread once: one that was there all the time tells how many there were; no thread, no look.
  const looks = job.what === 'record' ? most : Math.round(rate * (wasCut(progress) ? seconds : planned));
  const missing = Number(told) - counted;
  return {
    profile: { ...tables, rate, seconds, samples: looks, errors: Number(errors) },
    ...(missing > 0 && { missing }),
  };
}

/** py-spy (0.4.2) looks so often as rate and time make, at random moments: it may have done sooner, or later, and that is no cut. */
function wasCut(progress: readonly string[]): boolean {
  return progress.some((line) => line.includes('Stopped sampling because'));
}

/** What a text of a record has. */
export interface FoldedRaw extends Pick<Profile, 'threads' | 'frames' | 'stacks' | 'leftOut'> {
  /** Stacks of all threads. */
  readonly counted: number;
  /** Of the thread that has most. */
  readonly most: number;
}

/** Folds the text of a record (`-f raw -t`). */
export function foldRaw(text: string): FoldedRaw {
  const folder = createStackFolder();
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, body, figure] = /^(.*) (\d+)$/.exec(line) ?? [];
    if (body === undefined) continue;
    const [head = '', ...frames] = body.split(';');
    const [, tid, name] = /^thread \((\d+)\)(?:: (.*))?$/.exec(head) ?? [];
    const thread = {
      ...(tid !== undefined && { tid: Number(tid) }),
      ...(name !== undefined && { name: safeText(name) }),
    };
    const count = Number(figure);
    counts.set(head, (counts.get(head) ?? 0) + count);
    folder.add({ ...thread, frames: frames.map(readFrame).reverse() }, { count });
  }
  const all = [...counts.values()];
  const counted = all.reduce((sum, count) => sum + count, 0);
  const most = all.reduce((highest, count) => Math.max(highest, count), 0);
  return { ...folder.folded(), counted, most };
}

/** `function (file:line)` or, of a library, `symbol (file)`: symbols of C++ have parentheses of their own. */
function readFrame(text: string): StackFrame {
  const [, name, place = '?'] = /^(.*) \(([^()]*)\)$/.exec(text) ?? [];
  const [, file, line] = /^(.*):(\d+)$/.exec(place) ?? [];
  return boundFrame({
    function: safeText(name ?? text),
    file: safeText(file ?? place),
    ...(line !== undefined ? { line: Number(line) } : { native: true as const }),
  });
}
