import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startTerminal } from '../test/support/terminal.ts';
import { mb, median, report, say, type Figures } from './figures.ts';
import { usageOf, type Usage } from './processes.ts';
import { startRealHost } from './programs.ts';

const host = { threads: 300, active: 60, percent: 0.5, logLinesPerSecond: 50, gpus: 8, others: 100 };
/** Then the newest ten minutes of the history, and the log's lines, are full. */
const warmUpMinutes = 12;
const target = 10e6;
/** CPU of the last minutes, as a share of that of the first. */
const flat = { least: 0.75, most: 1.25 };
const atEdge = 5;

/**
 * A night in small: `minutes` of real time before a real sshd and a real run, recorded, with alarms on. Memory and CPU of the monitor
 * after each minute; what it is at the end against what it was after the warm-up.
 */
export async function measureSoak(minutes: number, args: readonly string[] = []): Promise<Figures> {
  const real = await startRealHost(host);
  const folder = mkdtempSync(join(tmpdir(), 'traintop-soak-'));
  const known = join(folder, 'known_hosts');
  const config = join(folder, 'config');
  writeFileSync(known, `[127.0.0.1]:${real.port} ${real.hostKey}\n`, { mode: 0o600 });
  writeFileSync(config, `Host *\n  UserKnownHostsFile ${known}\n`);
  const terminal = startTerminal({
    args: [
      ...[...args, `${real.user}@127.0.0.1:${real.port}`, '--identity', real.keyFile, '--ssh-config', config],
      ...['--pid', String(real.runPid), '--log', real.logPath, '--record', join(folder, 'runs')],
    ],
    env: { XDG_STATE_HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    cols: 160,
    rows: 50,
  });
  try {
    await (args.includes('--headless') ? pass(10_000) : terminal.waitFor(/\d+ of 300 /, 60_000));
    const seen: Usage[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      seen.push(await usageOf(terminal.pid, 60));
      if (minute % 10 === 9) say(`  minute ${minute + 1}: ${mb(seen.at(-1)?.rssBytes ?? NaN)}`);
    }
    const recorded = bytesIn(join(folder, 'runs'));
    return tell({ seen, minutes, recorded });
  } finally {
    await terminal.close();
    await real.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tell(about: {
  readonly seen: readonly Usage[];
  readonly minutes: number;
  readonly recorded: number;
}): Figures {
  const { seen, minutes, recorded } = about;
  const warm = seen.slice(warmUpMinutes);
  const first = warm.slice(0, atEdge);
  const last = warm.slice(-atEdge);
  const memory = (part: readonly Usage[]) => median(part.map(({ rssBytes }) => rssBytes));
  const cpu = (part: readonly Usage[]) => median(part.map(({ cpuPercent }) => cpuPercent));
  const grown = memory(last) - memory(first);
  const share = cpu(last) / cpu(first);
  say(
    `soak: ${minutes} minutes, 1 s, ${host.gpus} GPUs, ${host.threads} threads (${host.active} active), ${host.logLinesPerSecond} log lines a second, recorded, alarms on`,
  );
  report('resident, MB each minute', seen.map(({ rssBytes }) => (rssBytes / 1e6).toFixed(0)).join(' '));
  report('CPU, % of a core each minute', seen.map(({ cpuPercent }) => cpuPercent.toFixed(1)).join(' '));
  report(`resident, from minute ${warmUpMinutes} to the end (medians of ${atEdge})`, mb(grown), {
    text: `< ${mb(target)}`,
    met: grown < target,
  });
  report('CPU of the end, against that after the warm-up', share.toFixed(2), {
    text: `${flat.least} to ${flat.most}`,
    met: share >= flat.least && share <= flat.most,
  });
  report('the recording', mb(recorded));
  return { grownBytes: grown, cpuShare: share, cpuPercent: cpu(last), memoryBytes: memory(last) };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, about) => sum + (about.isFile() ? about.size : 0), 0);
}
