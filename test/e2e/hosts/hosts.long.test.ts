import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { describeWith } from '../../support/requires.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';
import { groupOf, guestsOf, startEngine, type Engine } from '../../support/wrappers/engine.ts';
import { checkWay, subjects, type Findings, type Way } from './checks.ts';
import { hostsPage, type RowFindings } from './page.ts';
import { keep, readRealHosts, type RealFindings, type RealHost } from './real.ts';
import { rows, type Row } from './rows.ts';
import { sshTo, startServerWith } from './servers.ts';

const tools = ['sshd', 'ssh', 'python3', 'py-spy', 'unshare', 'nsenter', 'setsid', 'sudo', 'fish', 'tcsh', 'bash'];
const page = new URL('../../../docs/hosts.md', import.meta.url).pathname;
const realFile = new URL('../../fixtures/hosts/real.json', import.meta.url);
/** Ways at once: they mostly wait. */
const width = 10;
const realHosts = readRealHosts(process.env.TRAINTOP_REAL_HOSTS);

/** All at once, `width` at a time; each result is awaited by its own test. */
async function checkAll<T>(ways: readonly T[], check: (way: T) => Promise<Findings>) {
  const results = new Map<T, Promise<Findings>>();
  const queue = [...ways];
  const next = async (): Promise<void> => {
    for (let way = queue.shift(); way; way = queue.shift()) {
      const result = check(way);
      results.set(way, result);
      await result.catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: width }, next));
  return results;
}

if (realHosts) {
  describeWith(tools, 'a run through real engines', () => {
    test('what is found is kept', async () => {
      const results = await checkAll(realHosts, checkReal);
      const found = await Promise.all([...results].map(([host, result]) => keep(host, result)));
      const old = readReal().filter(({ shown }) => !found.some((each) => each.shown === shown));
      const all = [...old, ...found].sort((a, b) => (a.shown < b.shown ? -1 : 1));
      writeFileSync(realFile, `${JSON.stringify(all, undefined, 2)}\n`);
      expect(found.filter(({ works }) => !works)).toEqual([]);
    }, 300_000);

    const checkReal = async ({ wrap, pid, runPid, logPath }: RealHost) =>
      checkWay({
        ...{ transport: () => createLocalTransport(wrap), commandLine: wrap, env: process.env },
        run: { pid: runPid, logPath },
        left: pid === undefined ? (shells) => shells.flatMap(groupOf) : guestsOf(pid),
      });
  });
} else {
  describeWith(tools, 'the same run through every wrapper', () => {
    let engine: Engine;
    let folder: string;
    let workload: Workload;
    const path = process.env.PATH ?? '';
    const servers = new Map<string, TestSshd>();
    let results = new Map<Row, Promise<Findings>>();

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'traintop-hosts-'));
      engine = await startEngine();
      engine.addNode('node');
      process.env.PATH = `${engine.bin}:${path}`;
      const log = { logSeconds: 0.5, logPath: join(folder, 'train.log') };
      workload = await startWorkload({ threads: [{ name: 'pump', percent: 3 }], ...log });
      for (const shell of ['bash', 'fish', 'tcsh'])
        servers.set(shell, await startServerWith(shell, { folder, path: process.env.PATH }));
      results = await checkAll(rows, check);
    }, 400_000);

    afterAll(async () => {
      process.env.PATH = path;
      await workload.stop();
      await Promise.all([...servers.values()].map((server) => server.stop()));
      await engine.stop();
      removeFolder(folder);
    });

    async function check(row: Row): Promise<Findings> {
      const container = row.inside ? await engine.startContainer(`box${rows.indexOf(row)}`) : undefined;
      const server = row.shell && servers.get(row.shell);
      const node = servers.get('bash') as TestSshd;
      const { name: box = '', pid = 0 } = container ?? {};
      const wrap = row.wrap?.({ bin: engine.bin, box, pid, ssh: sshTo(node) });
      const hostRun = { pid: workload.pid, logPath: join(folder, 'train.log') };
      const way: Way = {
        transport: () => (server ? overSsh(server, wrap) : createLocalTransport(wrap)),
        commandLine: server ? `${sshTo(server)} ${(wrap ?? '').replace(/[^\w ]/g, '\\$&')}` : (wrap ?? ''),
        env: process.env,
        run: container ? { pid: container.runPid, logPath: container.logPath } : hostRun,
        left: container?.guests ?? ((shells) => shells.flatMap(groupOf)),
      };
      return checkWay(way);
    }

    const overSsh = (server: TestSshd, wrap: string | undefined) =>
      createSshTransport({
        ...{ target: { kind: 'ssh', host: '127.0.0.1', port: server.port, user: 'root' }, wrap, clock: systemClock },
        ...{ configFile: 'none', knownHostsFiles: [server.knownHostsFile], identityFiles: [server.keyFile] },
      });

    test.each(rows.map((row) => ({ row, title: `${row.shell ?? 'here'}: ${row.shown || 'no wrapper'}` })))(
      '$title',
      async ({ row }) => {
        expect(await results.get(row)).toEqual({
          sources: Object.fromEntries(subjects.map((subject) => [subject, true])),
          afterEnd: 'at once',
          afterKill: row.afterKill ?? 'at once',
          afterSilence: 'by the lease',
        });
      },
    );

    test('docs/hosts.md is what npx vitest run test/e2e/hosts --update makes of this', async () => {
      const found: RowFindings[] = [];
      for (const [row, result] of results) found.push({ row, findings: await result });
      const order = (each: RowFindings) => rows.indexOf(each.row);
      const text = hostsPage(
        found.sort((a, b) => order(a) - order(b)),
        readReal(),
      );
      await expect(text).toMatchFileSnapshot(page);
    });
  });
}

function readReal(): readonly RealFindings[] {
  return existsSync(realFile) ? (JSON.parse(readFileSync(realFile, 'utf8')) as RealFindings[]) : [];
}
