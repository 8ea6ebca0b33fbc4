import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLiveRunner, type LiveRunner } from '../support/live-runner.ts';
import { createNetworks, here, type Networks } from '../support/netns.ts';
import { describeWith } from '../support/requires.ts';
import { startSshd } from '../support/sshd.ts';
import { environment } from '../support/terminal.ts';
import { waitFor } from '../support/waiting.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { startEngine, type Container, type Engine } from '../support/wrappers/engine.ts';
import { leftAlone, makeCut, onHost, seeded, type Cut, type CutKind, type Ground } from './cuts.ts';
import { makeHome, removeHomes } from './program.ts';

/** `npm run soak -- MINUTES` sets it: the cuts go on for so long. */
const soakMinutes = Number(process.env['TRAINTOP_SOAK_MINUTES'] ?? 0);
const endsAt = Date.now() + soakMinutes * 60_000;
const seed = Number(process.env['TRAINTOP_SOAK_SEED'] ?? 20);
/** A busy machine takes its time to log in and to probe. */
const patientMs = 60_000;
const aliveMs = 13_500;

describeWith(['sshd', 'python3', 'ip', 'iptables', 'unshare'], `cuts at random moments (seed ${seed})`, () => {
  let networks: Networks;
  let engine: Engine;
  let workload: Workload;
  let container: Container;
  let logPath: string;
  const closings: (() => Promise<unknown>)[] = [];
  const warnings: string[] = [];
  const warn = (warning: Error) => void warnings.push(`${warning.name}: ${warning.message}`);

  beforeAll(async () => {
    process.on('warning', warn);
    networks = createNetworks([[here, 'host']]);
    engine = await startEngine();
    container = await engine.startContainer('box', { logSeconds: 0.05 });
    logPath = join(makeHome().folder, 'train.log');
    workload = await startWorkload({ threads: [{ name: 'pump', percent: 3 }], logSeconds: 0.05, logPath });
  });
  afterAll(async () => {
    process.off('warning', warn);
    for (const close of closings.reverse()) await close();
    await workload.stop();
    await engine.stop();
    await networks.remove();
    removeHomes();
  });

  /** A server of its own in the other network. */
  async function prepare(more: Pick<Ground, 'guests' | 'wrapper'> = {}): Promise<Ground> {
    const marker = `cuts${process.pid}x${Math.random().toString(36).slice(2, 8)}`;
    const sshd = await startSshd({
      config: [`SetEnv TRAINTOP_E2E=${marker}`],
      address: networks.address('host', here),
      around: () => networks.command('host'),
    });
    closings.push(() => sshd.stop());
    return { networks, node: 'host', sshd, marker, condemned: new Set(), ...more };
  }

  const throughDocker = () => `${engine.bin}/docker exec -i box`;

  async function watch(ground: Ground, wrapped: boolean): Promise<LiveRunner> {
    const live = createLiveRunner({
      sshd: ground.sshd,
      host: networks.address('host', here),
      pid: wrapped ? container.runPid : workload.pid,
      ...(wrapped && { wrap: throughDocker() }),
    });
    closings.push(() => live.stop());
    await live.start();
    await waitFor('the first lines', () => live.lines.length > 0 && live.has('threads'), patientMs);
    return live;
  }

  /** Cuts one link again and again, each time when it has been back for a random while. */
  async function cutAgain(live: LiveRunner, ground: Ground, kinds: readonly CutKind[]): Promise<readonly Cut[]> {
    const random = seeded(seed + kinds.indexOf('wrapper'));
    const cuts: Cut[] = [];
    for (let time = 0; time < kinds.length || Date.now() < endsAt; time++) {
      await pause(300 + random() * 2500);
      const kind = kinds[time % kinds.length] as CutKind;
      const cut = makeCut(kind, ground, random);
      cut.emptied.catch(() => {}); // looked at later
      cuts.push(cut);
      if (kind === 'pause') await pause(6000);
      else await lossOf(live, cut);
      const back = await waitFor(
        `the link after ${kind}`,
        () => upAfter(live, kind === 'pause' ? 0 : cut.at),
        patientMs,
      );
      const lines = live.lines.length;
      await waitFor(
        `lines and threads after ${kind}`,
        () => live.lines.length > lines && live.has('threads', back),
        patientMs,
      );
    }
    return cuts;
  }

  async function lossOf(live: LiveRunner, { at, kind }: Cut) {
    const lost = await waitFor(
      `the loss by ${kind}`,
      () => live.links().find((l) => l.time >= at && l.state === 'lost'),
      30_000,
    );
    // Keep-alive gives up after 13.5 s; 15 s are promised, and a busy machine adds something.
    expect(lost.time - at, kind).toBeLessThan(aliveMs + 3500);
  }

  const upAfter = (live: LiveRunner, at: number) => {
    const last = live.links().at(-1);
    return last?.state === 'up' && last.time >= at && last.time;
  };

  /** The numbers of the lines that a runner had, and those that stood in the file meanwhile. */
  async function compare(live: LiveRunner, path: string) {
    const written = numbersOf(readFileSync(path, 'utf8').split('\n'));
    const last = written.at(-1) ?? 0;
    await waitFor(`line ${last}`, () => numbersOf(live.lines).includes(last), patientMs);
    const had = numbersOf(live.lines);
    expect(had.slice(0, had.indexOf(last) + 1)).toEqual(written);
    return written.length;
  }

  const expectNoEnd = (live: LiveRunner) =>
    expect(live.samples.filter((s) => s.kind === 'run' && s.phase === 'ended')).toEqual([]);

  /** The real program, killed at random moments. */
  async function killClients(ground: Ground, times: number): Promise<readonly Cut[]> {
    const random = seeded(seed + times);
    const home = makeHome();
    const config = home.file('config');
    writeFileSync(
      config,
      [
        'Host trainer',
        `  HostName ${networks.address('host', here)}`,
        `  Port ${ground.sshd.port}`,
        `  User ${ground.sshd.user}`,
        `  IdentityFile ${ground.sshd.keyFile}`,
        `  UserKnownHostsFile ${home.file('known_hosts')}`,
        '  StrictHostKeyChecking no',
        '',
      ].join('\n'),
    );
    const cuts: Cut[] = [];
    for (let time = 0; time < times || Date.now() < endsAt; time++) {
      const wrap = time % 2 === 1 ? ['--wrap', throughDocker()] : [];
      const args = ['once', 'trainer', '--json', '--interval', '60', '--ssh-config', config, ...wrap];
      const child = spawn(process.execPath, [resolve('bin/traintop.js'), ...args], {
        env: environment(home.env),
        stdio: 'ignore',
      });
      const ended = new Promise((done) => child.once('exit', done));
      await waitFor('something of it on the host', () => onHost(ground).length > 0, patientMs);
      await pause(random() * 3000);
      const at = Date.now();
      child.kill('SIGKILL');
      await ended;
      const cut: Cut = {
        kind: 'client',
        at,
        emptied: leftAlone(ground, { there: onHost(ground), at, limitMs: 10_000, kind: 'client' }),
      };
      cuts.push(cut);
      await cut.emptied;
    }
    return cuts;
  }

  test(
    'lose no line and repeat none, and leave nothing on the host',
    { timeout: 240_000 + soakMinutes * 60_000 },
    async () => {
      const [plain, boxed, clients] = await Promise.all([
        prepare(),
        prepare({ guests: container.guests, wrapper: 'docker' }),
        prepare(),
      ]);
      const [direct, wrapped] = await Promise.all([watch(plain, false), watch(boxed, true)]);
      const before = process.memoryUsage().heapUsed;
      const cuts = (
        await Promise.all([
          cutAgain(direct, plain, ['drop', 'session', 'freeze', 'pause', 'session', 'drop', 'freeze']),
          cutAgain(wrapped, boxed, ['wrapper', 'freeze', 'wrapper', 'drop', 'session', 'wrapper', 'pause']),
          killClients(clients, 6),
        ])
      ).flat();
      const times = await Promise.all(cuts.map(async ({ kind, emptied }) => ({ kind, ms: await emptied })));
      const lines = await Promise.all([compare(direct, logPath), compare(wrapped, container.logPath)]);
      expectNoEnd(direct);
      expectNoEnd(wrapped);
      await Promise.all([direct.stop(), wrapped.stop()]);
      for (const ground of [plain, boxed, clients])
        await waitFor('an empty host', () => onHost(ground).length === 0, 10_000);
      expect(cuts.length).toBeGreaterThanOrEqual(20);
      // What one watch leaves behind in this process at each cut would be told so.
      expect(warnings).toEqual([]);
      report({ cuts: times, lines, grownBytes: process.memoryUsage().heapUsed - before });
    },
  );
});

function report(what: {
  readonly cuts: readonly { readonly kind: string; readonly ms: number }[];
  readonly lines: readonly number[];
  readonly grownBytes: number;
}) {
  const kinds = [...new Set(what.cuts.map(({ kind }) => kind))];
  const words = kinds.map((kind) => {
    const all = what.cuts.filter((cut) => cut.kind === kind);
    return `${kind} ${all.length} (host empty after ${(Math.max(...all.map(({ ms }) => ms)) / 1000).toFixed(1)} s)`;
  });
  process.stderr.write(
    `${what.cuts.length} cuts: ${words.join(', ')}; ${what.lines.join(' and ')} lines, each once; ` +
      `heap ${(what.grownBytes / 1e6).toFixed(1)} MB more\n`,
  );
}

function numbersOf(lines: readonly string[]): number[] {
  return lines.flatMap((line) => /^step (\d+) \|/.exec(line)?.[1] ?? []).map(Number);
}

async function pause(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms));
}
