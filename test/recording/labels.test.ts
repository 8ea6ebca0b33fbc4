import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { roleFinder } from '../../src/model/roles/finder.ts';
import type { Sample, ThreadsSample } from '../../src/model/samples.ts';
import { createStore, type State } from '../../src/model/store.ts';
import { threadRows } from '../../src/model/thread-rows.ts';
import { createPlayer } from '../../src/recording/player.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { head, madeStart, makeRecording } from '../support/made-recording.ts';

let folder: string | undefined;
afterEach(() => void (folder && rmSync(folder, { recursive: true, force: true })));

const run = {
  id: '10:1',
  rootPid: 10,
  outputs: [],
  processes: [{ pid: 10, commandLine: ['python3', 't.py'], gpuMinors: [] }],
};

/** A thread 13 is there from second 20 to 40. */
function frame(second: number): ThreadsSample {
  const tid = [10, 11, 12, ...(second >= 20 && second < 40 ? [13] : [])];
  const all = <T>(value: T) => tid.map(() => value);
  return {
    ...{ ...head('threads', second), reader: 'proc', intervalSeconds: 1, pid: all(10), tid, comm: all('python3') },
    ...{ state: all('R'), core: all(0), cpuPercent: tid.map((each) => each - 5), userPercent: all(null) },
    ...{ systemPercent: all(null), runQueuePercent: all(1) },
  };
}

const samples: readonly Sample[] = [
  { ...head('run', 0), phase: 'running', run, candidates: [run] },
  { ...head('gpuRoles', 0, 'user'), gpu: [0, 1], role: ['target', 'drafter'] },
  ...Array.from({ length: 90 }, (_, second): readonly Sample[] => [
    frame(second),
    ...(second === 5
      ? [
          {
            ...head('stacks', 5),
            ...{ pid: 10, command: 't.py', auto: true as const },
            threads: [10, 11].map((tid) => ({
              tid,
              name: tid === 10 ? 'MainThread' : 'x-1',
              active: true,
              ownsGil: false,
              frames: [],
            })),
          },
          { ...head('labels', 5, 'rules'), pid: [10], tid: [11], name: [null], rule: ['loader'], stack: [null] },
        ]
      : []),
  ]).flat(),
];

/** What the screen makes of a state, grouped by role with all groups open. */
function shown(state: State, history: ReturnType<typeof createStore>['history']) {
  const { threads, threadNames: names, threadLives: lives, gpuRoles } = state;
  const toggled = new Set(['main', 'loader', 'native', ''].map((role) => `role ${role}`));
  const how = { filter: '', sort: undefined, showIdle: true, grouping: 'role', toggled } as const;
  const { rows } = threadRows({
    threads,
    names,
    lives,
    roleOf: roleFinder(state),
    run: state.run?.run,
    history,
    ...how,
  });
  return { rows, gpus: gpuRoles?.role };
}

test('a recording shows the roles, groups and lives of threads as they were shown live', async () => {
  folder = mkdtempSync(join(tmpdir(), 'traintop-labels-'));
  await makeRecording({ folder, samples });
  const player = createPlayer({ recording: await openRecording(folder), clock: createManualClock(madeStart) });
  const seen: string[][] = [];
  for (const second of [4, 10, 22, 42, 80]) {
    const clock = createManualClock(madeStart);
    const live = createStore(clock, 1000);
    for (const sample of samples.filter(({ receivedAt }) => receivedAt <= madeStart + second * 1000)) {
      clock.advance(Math.max(0, sample.receivedAt - clock.now()));
      live.push(sample);
    }
    clock.advance(900);
    await player.seek(madeStart + second * 1000 + 900);
    const [then, now] = [shown(live.getState(), live.history), shown(player.store.getState(), player.store.history)];
    expect(now).toEqual(then);
    seen.push(now.rows.map(({ group, tid, life }) => (group ? group.title : `${tid}${life ? ` ${life}` : ''}`)));
    live.stop();
  }
  await player.close();
  expect(seen).toEqual([
    ['unnamed', '12', '11', 'main', '10'],
    ['native', '12', 'loader', '11', 'main', '10'],
    ['unnamed', '13 new', 'native', '12', 'loader', '11', 'main', '10'],
    ['native', '12', 'loader', '11', 'main', '10', 'unnamed', '13 gone'],
    ['native', '12', 'loader', '11', 'main', '10'],
  ]);
});
