import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { gilShares } from '../../src/model/classes/gil.ts';
import type { WaitsSample } from '../../src/model/samples.ts';
import { foldResults } from '../../src/model/stacks/fold.ts';
import { readWaits } from '../../src/import/wait-read.ts';
import { createPlayer } from '../../src/recording/player.ts';
import { captureText } from '../model/classes/h200.ts';
import { imported, ownFolder, situation, type Imported } from './imported.ts';

const { file } = ownFolder();

/** Of 400 looks each, what py-spy said that it counted. */
const held: Readonly<Record<string, number>> = {
  alloc_churn: 27,
  compute_bound: 24,
  gil_bound: 393,
  input_starved_inline: 369,
  input_starved_sleep: 2,
  launch_bound: 71,
};

test.each(Object.entries(held))('all captures of %s are shown in its replay', (name, count) =>
  withStacks(name, allOf(name), async (stacks) => {
    await imported({ ...situation(name), stacks }, async ({ recording, text }) => {
      expect(recording.faults()).toMatchObject({ brokenLines: 0 });
      expect(text).not.toContain('not read');
      const { state, close } = await played({ recording });
      const kinds = state.captures.map(({ what, state: how }) => `${what} ${how}`).toSorted();
      const failed = name === 'compute_bound' ? 1 : 0;
      expect(kinds).toEqual([
        ...Array.from({ length: 5 - failed }, () => 'dump done'),
        ...Array.from({ length: failed }, () => 'dump failed'),
        'gil done',
        'native done',
        'record done',
      ]);
      for (const { id, what } of state.captures) {
        const results = state.results.filter(({ capture }) => capture === id);
        expect([id, results.length]).toEqual([id, 1]);
        expect(results[0]?.kind).toBe(what === 'record' || what === 'gil' ? 'profile' : 'stacks');
      }
      const command = state.results.find(({ kind }) => kind === 'profile')?.command;
      expect(command).toBe(`python3 -u scenarios.py ${name} 40`);

      const gil = state.results.filter(({ capture }) => capture?.startsWith('gil-'));
      const [share] = gilShares(foldResults(gil, { run: undefined, threadNames: new Map(), roleOf: () => undefined }));
      expect(share).toMatchObject({ looks: 400 });
      expect(share?.share).toBeCloseTo(count / 400, 10);
      expect(share?.threads.reduce((sum, each) => sum + each.count, 0)).toBe(count);
      await close();
    });
  }),
);

test('of a run that the GIL binds, each thread has the part that it held it', () =>
  withStacks('gil_bound', ['gil-2045.txt', 'gil-out.txt'], (stacks) =>
    imported({ stacks }, async ({ recording }) => {
      const { state, close } = await played({ recording });
      const roleOf = ({ name }: { readonly name?: string }) =>
        name?.startsWith('tokenizer') ? 'tokenizer' : undefined;
      const [share] = gilShares(foldResults(state.results, { run: undefined, threadNames: new Map(), roleOf }));
      // Counted in the file with awk.
      expect(share?.threads.map(({ thread, count }) => [thread, count])).toEqual([
        ['tokenizer-2', 142],
        ['tokenizer-0', 115],
        ['tokenizer-1', 110],
        ['MainThread', 26],
      ]);
      expect(share?.roles.map(({ role, count }) => [role, count])).toEqual([
        ['tokenizer', 367],
        ['unnamed', 26],
      ]);
      expect(share?.unread).toBe(2);
      await close();
    }),
  ));

test('what threads waited in stands in the replay by TID', () =>
  withStacks('gil_bound', ['wait.txt'], (stacks) =>
    imported({ stacks }, ({ samples, text }) => {
      expect(text).toContain('what 36 threads waited in');
      const waits = samples.find((sample): sample is WaitsSample => sample.kind === 'waits');
      const row = (tid: number) => {
        const i = waits?.tid.indexOf(tid) ?? -1;
        return [waits?.pid[i], waits?.state[i], waits?.call[i], waits?.where[i], waits?.futex[i]];
      };
      expect(row(2045)).toEqual([2045, 'S', 'futex', 'futex_do_wait', '0xb49280']);
      expect(row(2066)).toEqual([2045, null, 'restart_syscall', 'poll_schedule_timeout.constprop.0', null]);
      expect(row(2070)).toEqual([2045, null, 'poll', 'poll_schedule_timeout.constprop.0', null]);
      expect(row(2073)).toEqual([2045, 'R', null, null, null]);
      expect(waits?.since.every((since) => since === null)).toBe(true);
    }),
  ));

test('a record without what py-spy printed is named, and why it is left', () =>
  withStacks('launch_bound', ['record-1286.txt', 'gil-1286.txt', 'gil-out.txt'], (stacks) =>
    imported({ stacks }, ({ samples, text }) => {
      expect(samples.filter(({ kind }) => kind === 'profile')).toHaveLength(1);
      expect(text).toContain('who held the GIL of PID 1286 in 400 looks (4 s at 100 a second)');
      expect(text).toContain(
        'not read: record-1286.txt (what py-spy printed is not there, which tells rate and time: save it as record-out.txt)',
      );
    }),
  ));

test('a dump as text and one as JSON are two captures, also by one name', () =>
  withStacks('launch_bound', ['dump-1286-1.json', 'native-1286.txt'], async (stacks) => {
    await writeFile(join(stacks, 'native-1286.json'), captureText('launch_bound', 'dump-1286-2.json'));
    await imported({ stacks }, ({ samples }) => {
      const ids = samples.flatMap((sample) => (sample.kind === 'capture' ? sample.id : []));
      expect(new Set(ids).size).toBe(3);
    });
  }));

test("a line that is no thread's costs nothing, however long it is", () => {
  // 100 kB took 19 s: of this, it would be hours.
  const found = readWaits(`1 ${'a'.repeat(4_000_000)}\n7 python3 futex_wait 202 0x1\n`, 0);
  expect(found).toMatchObject({ pid: 7, rejected: 1 });
});

test('a folder of nothing else is refused with that sentence', async () => {
  await withStacks('launch_bound', ['gil-1286.txt'], async (stacks) => {
    await expect(imported({ stacks }, () => undefined)).rejects.toThrow(
      /nothing that can be read: gil-1286\.txt \(what py-spy/,
    );
  });
});

test('files that hold something else are named, and spoil nothing', () =>
  withStacks('launch_bound', ['native-1286.txt', 'record-out.txt', 'gil-out.txt'], async (stacks) => {
    await writeFile(join(stacks, 'record-1286.txt'), '\u001b[2J<svg>\n');
    await writeFile(join(stacks, 'gil-1286.txt'), '');
    await writeFile(join(stacks, 'wait.txt'), 'nothing of the kind\n');
    await writeFile(join(stacks, 'flame.svg'), '<svg/>');
    await imported({ stacks }, ({ samples, text }) => {
      expect(text).toMatch(
        /not read: flame\.svg, record-1286\.txt \(has no line of py-spy record -f raw\), wait\.txt \(has no/,
      );
      // An empty record of who held the GIL is an answer: nobody did.
      const gil = samples.find((sample) => sample.kind === 'profile');
      expect(gil).toMatchObject({ what: 'gil', samples: 400, stacks: [] });
    });
  }));

async function played({ recording }: Pick<Imported, 'recording'>) {
  const player = createPlayer({ recording, clock: createManualClock(0) });
  await player.seek(recording.to);
  return { state: player.store.getState(), close: () => player.close() };
}

function allOf(name: string): readonly string[] {
  return readdirSync(`test/fixtures/classes/h200/${name}`).map((packed) => packed.replace(/\.gz$/, ''));
}

async function withStacks<T>(name: string, files: readonly string[], use: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(dirname(await file('here', '')), 'stacks');
  await mkdir(folder);
  for (const each of files) await writeFile(join(folder, each), captureText(name, each));
  return use(folder);
}
