import type { DemoThread } from '../src/demo/cast.ts';
import { nativeThreads, pipelineCast } from '../src/demo/pipeline-cast.ts';
import { firstPid } from '../src/demo/places.ts';

/** The demo's run with more threads: `threads` in all, of which `active` run. */
export function manyThreads({ threads, active }: { readonly threads: number; readonly active: number }): DemoThread[] {
  const { threads: demoThreads } = pipelineCast(firstPid);
  const busy = demoThreads.filter(({ percent }) => percent > 0).length;
  const more = Math.max(0, threads - demoThreads.length);
  const moreActive = Math.min(more, Math.max(0, active - busy));
  return [...demoThreads, ...nativeThreads({ active: moreActive, idle: more - moreActive })];
}
