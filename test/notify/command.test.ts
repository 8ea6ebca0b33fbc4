import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { waitFor } from '../support/waiting.ts';
import { alarm, hostile, notifierOf, strictClock } from './made.ts';

let folder = '';
const folders: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traintop-command-'));
  folders.push(folder);
});
afterAll(() => folders.forEach((each) => rmSync(each, { recursive: true, force: true })));

/** A program that writes what it was given, each time into a file of its own. */
const writer = `
  const { readFileSync, writeFileSync, renameSync } = require('node:fs');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('TRAINTOP_')));
  const path = process.argv[1] + '/' + process.pid;
  writeFileSync(path + '.part', JSON.stringify({ argv: process.argv.slice(1), env, input: JSON.parse(readFileSync(0, 'utf8')) }));
  renameSync(path + '.part', path + '.json');
`;
const written = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map(
      (name) =>
        JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<
          'argv' | 'env' | 'input',
          Record<string, string>
        >,
    );
const pidIn = (name: string) =>
  existsSync(join(folder, name)) && /^\d+\n$/.test(readFileSync(join(folder, name), 'utf8'))
    ? Number(readFileSync(join(folder, name), 'utf8'))
    : undefined;

describe('a command', () => {
  it('has what rings in its environment and on its standard input, and its own arguments alone', async () => {
    const { notifier, told } = notifierOf({ commands: [{ argv: [process.execPath, '-e', writer, folder, '$HOME'] }] });
    notifier.tell(alarm());
    await waitFor('it', () => written().length === 1);
    await notifier.close();
    const [one] = written();
    expect(one?.argv).toEqual([folder, '$HOME']);
    expect(one?.env).toEqual({
      ...{
        TRAINTOP_ALARM: 'gpu-hot',
        TRAINTOP_ABOUT: 'GPU 3',
        TRAINTOP_STATE: 'ringing',
        TRAINTOP_SEVERITY: 'critical',
      },
      ...{ TRAINTOP_TEXT: 'GPU 3 is at 93 °C, above 90 °C for 2m 0s.', TRAINTOP_TARGET: 'gpu8', TRAINTOP_VALUE: '93' },
      ...{ TRAINTOP_SINCE: '1970-01-01T00:00:01.000Z', TRAINTOP_RUNG_AT: '1970-01-01T00:00:02.000Z' },
      ...{ TRAINTOP_RESOLVED_AT: '', TRAINTOP_DEMO: '', TRAINTOP_ID: expect.stringMatching(/^made-/) as string },
    });
    expect(one?.input).toMatchObject({ alarm: 'gpu-hot', text: expect.stringContaining('CRITICAL on gpu8') as string });
    expect(told).toEqual([]);
  });

  it('gets hostile text as text: nothing else is run', async () => {
    const script = join(folder, 'hook.sh');
    // As a user would write it: what is in the variables is not read again by the shell.
    writeFileSync(
      script,
      `cd "${folder}" || exit 1\nprintf '%s\\n' "$TRAINTOP_TEXT $TRAINTOP_ABOUT $TRAINTOP_TARGET" >> seen\n`,
    );
    const { notifier, told } = notifierOf(
      { commands: [{ argv: ['sh', script] }] },
      { target: hostile.slice(0, -1).join('') },
    );
    for (const text of hostile) notifier.tell(alarm({ text, about: text }));
    const lines = () =>
      existsSync(join(folder, 'seen')) ? readFileSync(join(folder, 'seen'), 'utf8').split('\n') : [];
    await waitFor('all', () => lines().length === hostile.length + 1);
    await notifier.close();
    expect(told).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['hook.sh', 'seen']);
    expect(existsSync('pwned')).toBe(false);
    for (const line of lines()) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });

  it.each([
    [
      ['/nowhere/hook'],
      /^\/nowhere\/hook, which is run for alarms, could not be started: there is no such program, or not what its first line names\.$/,
    ],
    [['sh', '-c', 'exit 3'], /^sh, which is run for alarms, failed with exit code 3\.$/],
    [['sh', '-c', 'kill -9 $$'], /was ended by SIGKILL\.$/],
    [['a\0b'], /could not be started: .*null bytes/],
  ])('that fails is told of, once: %j', async (argv, why) => {
    const { notifier, told } = notifierOf({ commands: [{ argv }] });
    for (let i = 0; i < 4; i++) notifier.tell(alarm());
    await notifier.close();
    expect(told).toEqual([expect.stringMatching(why)]);
    expect(notifier.ways()).toEqual(told);
  });

  it('that hangs is killed with all that it started, two at once at most', async () => {
    const script = `sleep 600 & echo $! > "${folder}/child"; echo $$ > "${folder}/own"; echo >> "${folder}/runs"; wait`;
    const { notifier, told } = notifierOf({ commands: [{ argv: ['sh', '-c', script] }] }, { clock: strictClock });
    for (let i = 0; i < 3; i++) notifier.tell(alarm());
    const pids = await waitFor('its processes', () => {
      const [child, own] = [pidIn('child'), pidIn('own')];
      return child !== undefined && own !== undefined && { child, own };
    });
    await waitFor('the fault', () => told.length > 0);
    expect(told).toEqual([expect.stringMatching(/had not ended after 30 s, and was killed\.$/)]);
    await notifier.close();
    await waitFor('their end', () => !isRunning(pids.child) && !isRunning(pids.own));
    const runs = readFileSync(join(folder, 'runs'), 'utf8').length;
    expect(runs).toBeLessThanOrEqual(3);
  });

  it('that sends in the background has the time for it, and what stays is killed', async () => {
    const script = `(sleep .3; echo 1 > "${folder}/sent") & echo $$ > "${folder}/own"; exit 0`;
    const sends = notifierOf({ commands: [{ argv: ['sh', '-c', script] }] });
    sends.notifier.tell(alarm());
    await waitFor('its end', () => pidIn('own') !== undefined);
    await sends.notifier.close();
    expect(pidIn('sent')).toBe(1);
    expect(sends.told).toEqual([]);

    const stays = `sleep 600 & echo $! > "${folder}/child"; exit 0`;
    const { notifier, told } = notifierOf({ commands: [{ argv: ['sh', '-c', stays] }] }, { clock: strictClock });
    notifier.tell(alarm());
    await waitFor('the fault', () => told.length > 0);
    expect(told).toEqual([expect.stringMatching(/left a process behind, which was killed after 30 s\.$/)]);
    await notifier.close();
    const child = pidIn('child') ?? 0;
    await waitFor('its end', () => !isRunning(child));
  });
});
