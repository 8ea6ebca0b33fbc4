import type { ThreadsSample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { Context, Explanation, Off, Parser, Plan } from '../collector.ts';
import type { Exit } from '../transport/transport.ts';
import { awkCommand, noAwk } from './awk.ts';
import { createTopFrames, type TopFrame } from './top-rows.ts';
import { otherColumns, topScript } from './top-script.ts';

/** The run's threads from `top -H` (`--threads top`). */
export function planTop(context: Context, pids: readonly number[]): Plan | Off {
  const { facts, options } = context;
  const missing = topMissing(context);
  if (missing !== undefined) return { source: 'threads', off: `${missing}, or take --threads proc` };
  const awk = awkCommand(facts);
  if (awk === undefined) return { source: 'threads', off: noAwk };
  const intervalSeconds = Math.max(0.1, options.intervalMs / 1000);
  const { clockTicks } = facts;
  const leaderRowIsTotal = facts.top?.leaderRowIsTotal ?? false;
  return {
    // top takes its processes when it starts: another set is another stream.
    key: `threads top ${intervalSeconds} ${pids.join(' ')}`,
    source: 'threads',
    body: topScript({ awk, intervalSeconds, clockTicks, leaderRowIsTotal, pids }),
    parser: () => createTopParser(context, intervalSeconds),
    staleAfterMs: intervalSeconds * 3000 + 2000,
    explain: explainTop,
  };
}

/** Why top cannot be used on this host; undefined when it can. */
export function topMissing({ facts }: Context): string | undefined {
  if (!facts.top) return 'top is not on the PATH of this host: install procps there';
  if (facts.top.flavour === 'procps') return undefined;
  return `this host's top is ${facts.top.flavour === 'busybox' ? "BusyBox's" : "not procps'"}, which has no rows of threads with shares of one core: install procps there`;
}

/** A top with other columns will not change them by being started again. */
export function explainTop(_exit: Exit, stderr: string): Explanation | undefined {
  const columns = new RegExp(`${otherColumns} (.*)`).exec(stderr)?.[1];
  if (columns === undefined) return undefined;
  return {
    reason: `top shows other columns on this host (${safeText(columns)}): look at /etc/topdefaultrc there, or take --threads proc`,
    final: true,
  };
}

function createTopParser({ host, facts }: Context, nominalSeconds: number): Parser {
  const frames = createTopFrames();
  let before: number | undefined;
  let rejected = 0;

  function toSample({ uptime, rows: all }: TopFrame, receivedAt: number): ThreadsSample {
    const rows = all.flatMap((row) => (row.pid === null ? [] : { ...row, pid: row.pid }));
    const none = rows.map(() => null);
    const seconds = before === undefined ? nominalSeconds : Math.round((uptime - before) * 100) / 100;
    before = uptime;
    return {
      kind: 'threads',
      host,
      source: 'threads',
      time: Math.round(facts.bootTime + uptime * 1000),
      receivedAt,
      reader: 'top',
      intervalSeconds: seconds,
      pid: rows.map((row) => row.pid),
      tid: rows.map((row) => row.tid),
      comm: rows.map((row) => row.comm),
      state: rows.map((row) => row.state),
      core: none,
      cpuPercent: rows.map((row) => row.cpuPercent),
      userPercent: none,
      systemPercent: none,
      runQueuePercent: none,
    };
  }

  return {
    push(line, receivedAt) {
      const frame = frames.push(line);
      if (frame === false) rejected++;
      return typeof frame === 'boolean' ? [] : [toSample(frame, receivedAt)];
    },
    get rejected() {
      return rejected;
    },
  };
}
