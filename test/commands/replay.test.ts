import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordDemo } from '../support/demo-recording.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { runTraintop } from './run-once.ts';

const home = mkdtempSync(join(tmpdir(), 'traintop-replay-'));
const folder = join(home, 'night');
const env = { HOME: home, XDG_STATE_HOME: join(home, 'state'), XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC' };
const run = (...args: readonly string[]) => runTraintop(args, env);
let file = '';

beforeAll(async () => {
  file = await recordDemo({ seconds: 30, folder });
}, 60_000);
afterAll(() => removeFolder(home));

interface Printed extends Record<string, unknown> {
  readonly time: string;
  readonly recording: Record<string, unknown>;
  readonly threads: readonly unknown[];
  readonly sources: Record<string, { status: string; ageSeconds?: number }>;
  readonly run: Record<string, unknown>;
}

async function printed(...args: readonly string[]): Promise<Printed> {
  const { code, output, errors } = await run('once', ...args);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(output) as Printed;
}

describe('once on a recording', () => {
  test('prints its end, as the monitor would have, and says that it is one', async () => {
    const object = await printed(file, '--json');
    expect(object).toMatchObject({
      target: 'demo',
      demo: true,
      time: object.recording['to'],
      recording: { path: file, from: expect.stringMatching(/^2026-06-12T09:41:0/), recordedBy: '0.0.0' },
      run: { phase: 'running', pid: 41207 },
    });
    expect(object.time).toMatch(/^2026-06-12T09:41:(?:29|30)/);
    expect(object.threads.length).toBeGreaterThan(50);
  }, 60_000);

  test('prints the moment that --at names, with the ages of then', async () => {
    const object = await printed(folder, '--at', '09:41:12');
    expect(object.time).toBe('2026-06-12T09:41:12.000Z');
    expect(object.recording).toMatchObject({ path: folder, time: object.time });
    const ages = Object.values(object.sources).flatMap(({ ageSeconds }) => ageSeconds ?? []);
    expect(ages.length).toBeGreaterThan(3);
    expect(Math.max(...ages)).toBeLessThan(12);
  }, 60_000);
});

describe('one sentence says why not', () => {
  test.each([
    [
      'a time outside',
      ['once', '--at', '12:00'],
      '--at: "12:00" is not in the recording, which is from 2026-06-12 09:41:',
    ],
    ['no time', ['once', '--at', 'noon'], '--at: "noon" is no time: write 03:12'],
    ['options of a host', ['once', '--wrap', 'docker exec -i x'], '--wrap is about a host, and '],
    ['no recording wanted', ['--no-record'], '--no-record is about a host, and '],
    ['a shell', ['shell'], 'is a recording: no shell can be opened in it; traintop replay plays it.'],
    ['no terminal', ['replay'], 'A replay needs a terminal; for scripts there are traintop once FILE --at TIME --json'],
    ['a speed that is none', ['replay', '--speed', '3'], '--speed is 0.25, 0.5, 1, 2, 4, 8, 16, 32 or 64'],
  ])(
    '%s',
    async (_, args, sentence) => {
      const { code, output, errors } = await run(...args, file);
      expect([code, output]).toEqual([2, '']);
      expect(errors).toMatch(/^traintop: /);
      expect(errors).toContain(sentence);
      expect(errors.trim().split('\n')).toHaveLength(1);
    },
    60_000,
  );

  test.each([
    ['a moment of a host', ['once', 'local', '--at', '03:12'], '--at is about a recording'],
    ['a path that is not there', ['once', './nothing'], 'There is no ./nothing'],
  ])(
    '%s',
    async (_, args, sentence) => {
      const { code, errors } = await run(...args);
      expect(code).toBe(2);
      expect(errors).toContain(sentence);
    },
    60_000,
  );
});
