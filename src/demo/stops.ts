import type { Effect } from './scenario.ts';

/** Processes that were sent SIGSTOP, and when. */
export function createStops(startUp: number) {
  const stops: { readonly pid: number; readonly from: number; until: number; readonly holdsGpu: boolean }[] = [];
  const isStopped = (pid: number, up: number) =>
    stops.some((each) => each.pid === pid && up >= each.from && up < each.until);
  return {
    isStopped,
    stop(pid: number, up: number, holdsGpu: boolean) {
      if (!isStopped(pid, up)) stops.push({ pid, from: up, until: Infinity, holdsGpu });
    },
    resume(pid: number, up: number) {
      for (const each of stops) if (each.pid === pid) each.until = Math.min(each.until, up);
    },
    /** What comes of it for the run: who holds GPUs gives them no more work, and the others wait for it. */
    effects: (): readonly Effect[] =>
      stops
        .filter(({ holdsGpu }) => holdsGpu)
        .map(({ from, until }) => ({
          from: from - startUp,
          until: until - startUp,
          pace: 0,
          gpus: [{ of: 'all', utilization: 0, work: 0 }],
        })),
  };
}
