import type { DemoThread } from '../src/demo/cast.ts';
import { ddpCast } from '../src/demo/ddp-cast.ts';
import { nativeThreads, pipelineCast, threadsOf } from '../src/demo/pipeline-cast.ts';
import { firstPid } from '../src/demo/places.ts';

/** The demo's run with more threads: `threads` in all, of which `active` run. */
export function manyThreads({ threads, active }: { readonly threads: number; readonly active: number }): DemoThread[] {
  const { threads: demoThreads } = pipelineCast(firstPid);
  const busy = demoThreads.filter(({ percent }) => percent > 0).length;
  const more = Math.max(0, threads - demoThreads.length);
  const moreActive = Math.min(more, Math.max(0, active - busy));
  return [...demoThreads, ...nativeThreads({ active: moreActive, idle: more - moreActive })];
}

/** The demo's ranks with `threads` each, of which `active` more than the demo's own run. */
export function manyRankThreads({
  threads,
  active,
}: {
  readonly threads: number;
  readonly active: number;
}): DemoThread[] {
  const { processes, threads: demoThreads } = ddpCast(firstPid);
  const ranks = processes.filter(({ gpuMinors, comm }) => gpuMinors.length > 0 && comm === 'pt_main_thread');
  return [
    ...demoThreads,
    ...ranks.flatMap(({ pid }, rank) => {
      const own = demoThreads.filter((thread) => thread.pid === pid).length;
      const more = threadsOf({ pid, first: firstPid + 1000 + rank * threads, prefix: `rank${rank}/` });
      return more(Math.max(0, threads - own), (n) => ({ comm: `OMP worker ${n}`, percent: n < active ? 3 + n : 0 }));
    }),
  ];
}
