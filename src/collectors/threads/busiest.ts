import { busiestSeconds } from '../../model/facts.ts';
import type { BusiestSample } from '../../model/samples.ts';
import type { Collector, Context, Parser } from '../collector.ts';
import { awkCommand, noAwk } from './awk.ts';
import { createTopFrames, type TopFrame } from './top-rows.ts';
import { explainTop, topMissing } from './top.ts';
import { topScript } from './top-script.ts';

const limit = 15;

/** The host's busiest threads that are not the run's, so that a neighbour who takes cores is seen: he does so for longer. */
export const busiest: Collector = {
  id: 'busiest',
  plans(context) {
    const { facts, run } = context;
    const awk = awkCommand(facts);
    if (awk === undefined) return [{ source: 'busiest', off: noAwk }];
    const missing = topMissing(context);
    if (missing !== undefined) return [{ source: 'busiest', off: missing }];
    const intervalSeconds = busiestSeconds(facts);
    const leaderRowIsTotal = facts.top?.leaderRowIsTotal ?? false;
    return [
      {
        key: `busiest ${run?.id ?? ''}`,
        source: 'busiest',
        body: topScript({
          awk,
          intervalSeconds,
          clockTicks: facts.clockTicks,
          leaderRowIsTotal,
          // A busy run would fill the list. Workers that come later do so too, until the run changes.
          without: run?.processes.map(({ pid }) => pid) ?? [],
          limit,
        }),
        parser: () => createBusiestParser(context),
        staleAfterMs: intervalSeconds * 3000,
        explain: explainTop,
      },
    ];
  },
};

function createBusiestParser({ host, facts }: Context): Parser {
  const frames = createTopFrames();
  let rejected = 0;
  return {
    push(line, receivedAt) {
      const frame = frames.push(line);
      if (frame === false) rejected++;
      if (typeof frame === 'boolean') return [];
      return [toSample({ host, time: Math.round(facts.bootTime + frame.uptime * 1000), receivedAt }, frame)];
    },
    get rejected() {
      return rejected;
    },
  };
}

/** top sorted by what it showed; a repaired row may belong further down. */
function toSample(base: { host: string; time: number; receivedAt: number }, frame: TopFrame): BusiestSample {
  const rows = frame.rows.toSorted((a, b) => (b.cpuPercent ?? -1) - (a.cpuPercent ?? -1));
  return {
    kind: 'busiest',
    source: 'busiest',
    ...base,
    pid: rows.map((row) => row.pid),
    tid: rows.map((row) => row.tid),
    user: rows.map((row) => row.user),
    comm: rows.map((row) => row.comm),
    state: rows.map((row) => row.state),
    cpuPercent: rows.map((row) => row.cpuPercent),
    threadsTotal: frame.threadsTotal,
  };
}
