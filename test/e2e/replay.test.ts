import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { runTraintop } from '../commands/run-once.ts';
import { closeTerminals } from '../support/terminal.ts';
import { makeHome, panel, removeHomes, traintop } from './program.ts';

afterEach(closeTerminals);
afterAll(removeHomes);

describe('a recording of the demo', () => {
  test('is made in one terminal and played in another, moved by keys, and printed', async () => {
    const home = makeHome();
    const env = { ...home.env, XDG_STATE_HOME: home.file('state'), TZ: 'UTC' };
    const size = { cols: 140, rows: 44, env };
    const runs = home.file('runs');

    const live = traintop(home, ['demo', '--record', runs], size);
    await live.waitFor(/step +578[3-9]|step +579/, 60_000);
    const gpusThen = (screen: string) => panel(screen, 'GPUs').length;
    const rows = gpusThen(live.screen());
    live.press('q');
    expect((await live.exit).code).toBe(0);
    const [name = ''] = readdirSync(runs);
    const folder = join(runs, name);
    expect(readdirSync(folder).some((file) => file.endsWith('.jsonl.gz'))).toBe(true);

    const tape = traintop(home, ['replay', folder, '--at', 'end'], size);
    const end = await tape.waitFor(
      (screen) => screen.includes('REPLAY') && panel(screen, 'GPUs').length === rows,
      60_000,
    );
    expect(end).toContain('DEMO');
    // Who names the end sees it: it does not begin anew.
    expect(end).toMatch(/^ ■ /m);
    expect(end).toMatch(/step +57(?:8[3-9]|9)/);
    tape.type('0');
    await tape.waitFor((screen) => !/step +57(?:8[3-9]|9)/.test(screen), 60_000);
    tape.type('$');
    await tape.waitFor(/step +57(?:8[3-9]|9)/, 60_000);
    tape.press('q');
    expect((await tape.exit).code).toBe(0);

    const { code, output, errors } = await runTraintop(['once', folder], env);
    expect([code, errors]).toEqual([0, '']);
    const object = JSON.parse(output) as Record<string, unknown>;
    expect(object).toMatchObject({
      target: 'demo',
      demo: true,
      recording: { path: folder },
      run: { phase: 'running' },
    });
  }, 240_000);

  test('without a path, where nothing was recorded yet, a sentence says so', async () => {
    const home = makeHome();
    const terminal = traintop(home, ['replay'], { env: { ...home.env, XDG_STATE_HOME: home.file('state') } });
    const { code } = await terminal.exit;
    expect(code).toBe(2);
    expect(terminal.screen()).toContain('Nothing was recorded yet');
  }, 60_000);
});
