import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogFiles } from '../../../src/collectors/process/log-files.ts';
import { describeWith } from '../../support/requires.ts';
import { createBench, userlands, type Bench } from './live.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.end());

describeWith(['python3', 'dash', 'bash', 'busybox', 'mawk', 'grep'], 'the logs of a run on a real host', () => {
  for (const userland of ['dash, mawk', 'busybox'] as const satisfies readonly (keyof typeof userlands)[])
    it(`are found by what its ranks have open (${userland})`, async () => {
      const at = (name: string) => join(bench.folder, name);
      mkdirSync(at('wandb ü'));
      writeFileSync(at('vocab.txt'), '');
      const start = (rank: number) =>
        bench.start({
          gpus: [rank],
          stdout: at(`rank${rank}.out`),
          env: { RANK: `${rank}`, WORLD_SIZE: '2', MASTER_ADDR: '10.0.0.1', MASTER_PORT: '29500' },
          files: [
            [at('vocab.txt'), 'r'],
            [at(`weights${rank}.txt`), 'w'],
            [at(`metrics${rank}.jsonl`), 'a'],
            [at('shared.log'), 'a'],
            ...(rank === 0 ? [[at('wandb ü/output.log'), 'w'] as const, [at('model.bin'), 'w'] as const] : []),
          ],
        });
      const first = await start(0);
      const second = await start(1);
      const monitor = await bench.monitor({}, userland);
      const { run } = await monitor.run('both ranks', (s) => s.phase === 'running' && s.run?.processes.length === 2);
      const files = run?.outputs.map(({ fd, pid, rank, path }) => ({ isOutput: fd <= 2, pid, rank, path }));
      const own = (pid: number, rank: number | undefined, name: string) => ({
        isOutput: false,
        pid,
        rank,
        path: at(name),
      });
      const output = { isOutput: true, rank: 0, path: at('rank0.out') };
      expect(files).toEqual([
        ...[output, output],
        { isOutput: true, pid: second.pid, rank: 1, path: at('rank1.out') },
        own(first.pid, 0, 'metrics0.jsonl'),
        own(first.pid, undefined, 'shared.log'),
        own(first.pid, 0, 'wandb ü/output.log'),
        own(second.pid, 1, 'metrics1.jsonl'),
      ]);
    });
});

describe('the files of a run', () => {
  const writer = (pid: number, rank: number | undefined, ...files: readonly [fd: number, path: string][]) => ({
    pid,
    rank,
    outputs: new Map(files),
  });
  const paths = (outputs: readonly { readonly path?: string }[]) => outputs.map(({ path }) => path);

  it('keep their places when others come, when they are renamed, and when their process has ended', () => {
    const { of } = createLogFiles();
    const first = writer(1, 0, [1, '/a.log']);
    expect(paths(of('1:1', [first, writer(3, 2, [1, '/c.log'])]))).toEqual(['/a.log', '/c.log']);
    expect(paths(of('1:1', [first, writer(2, 1, [1, '/b.log']), writer(3, 2, [1, '/c.log.1'])]))).toEqual([
      '/a.log',
      '/c.log.1',
      '/b.log',
    ]);
    expect(of('1:1', [first, writer(2, 1, [1, '/b.log'])])[1]).toMatchObject({ path: '/c.log.1', rank: 2, pid: 3 });
    expect(paths(of('2:2', [first]))).toEqual(['/a.log']);
  });

  it('are none of those that rotation left, and none twice', () => {
    const { of } = createLogFiles();
    expect(paths(of('1:1', [writer(1, 0, [1, '/a.log'], [2, '/a.log'], [7, '/x.log'])]))).toEqual([
      '/a.log',
      '/a.log',
      '/x.log',
    ]);
    const later = of('1:1', [
      writer(1, 0, [1, '/a.log'], [2, '/a.log'], [7, '/x.log.1'], [8, '/x.log']),
      writer(2, 1, [9, '/x.log.2']),
    ]);
    expect(paths(later)).toEqual(['/a.log', '/a.log', '/x.log']);
  });

  it('are told apart where their names only count the ranks', () => {
    const { of } = createLogFiles();
    const members = [0, 1, 2].map((rank) => writer(rank + 1, rank, [1, `/logs/out.${rank}`]));
    expect(paths(of('1:1', members.slice(0, 2)))).toEqual(['/logs/out.0', '/logs/out.1']);
    expect(of('1:1', members).map(({ rank }) => rank)).toEqual([0, 1, 2]);
  });
});
