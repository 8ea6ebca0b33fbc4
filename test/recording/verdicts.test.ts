import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createDiagnosis } from '../../src/model/diagnosis/engine.ts';
import type { Sample } from '../../src/model/samples.ts';
import type { State } from '../../src/model/state.ts';
import { createPlayer } from '../../src/recording/player.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { demoStart, playDemo } from '../support/demo-recording.ts';
import { makeRecording } from '../support/made-recording.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-verdicts-'));
const seconds = 30;
/** Recorded live. */
let recorded: readonly Sample[];
/** Of a recording that was made before there were verdicts. */
let old: string;

beforeAll(async () => {
  const live = join(folder, 'live');
  await playDemo({ seconds, stepMs: 1000, folder: live });
  recorded = await samplesIn(live);
  const samples = recorded.filter(({ kind }) => kind !== 'verdicts');
  old = await makeRecording({ folder: join(folder, 'old'), samples });
}, 20_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a recording has the verdicts that its other Samples give', () => {
  const diagnosis = createDiagnosis();
  const found = recorded.flatMap((sample) => diagnosis.find(sample));
  const told = recorded.filter(({ kind }) => kind === 'verdicts');
  expect(told.length).toBeGreaterThan(3);
  expect(found).toStrictEqual(told);
});

test('a recording without verdicts has the same while it plays', async () => {
  const played = await stateAt(join(folder, 'live'), seconds);
  const found = await stateAt(old, seconds);
  expect(played.verdicts?.verdicts.length).toBeGreaterThan(0);
  expect(found.verdicts).toStrictEqual(played.verdicts);
  expect(found.verdictSpans).toStrictEqual(played.verdictSpans);
});

test('one that has some is not judged anew', async () => {
  const [first] = recorded.filter((sample) => sample.kind === 'verdicts');
  const samples = recorded.filter((sample) => sample.kind !== 'verdicts' || sample === first);
  const path = await makeRecording({ folder: join(folder, 'some'), samples });
  expect((await stateAt(path, seconds)).verdicts).toStrictEqual(first);
});

async function samplesIn(path: string): Promise<readonly Sample[]> {
  const recording = await openRecording(path);
  const all: Sample[] = [];
  const cursor = await recording.cursor(recording.from);
  for (let some = await cursor.next(); some; some = await cursor.next()) all.push(...some);
  await recording.close();
  return all;
}

async function stateAt(path: string, second: number): Promise<State> {
  const player = createPlayer({ recording: await openRecording(path), clock: createManualClock(0) });
  await player.seek(demoStart + 1000 * second);
  const state = player.store.getState();
  await player.close();
  return state;
}
