import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeWith } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { twoPatterns } from './alarm-checks.ts';
import { startHost, type Host } from './on-host.ts';
import { makeHome, markedProcesses, oddBytes, removeHomes, traintop, type Home } from './program.ts';
import { endWatches, startWatch, type Watch } from './watches.ts';

const size = { cols: 150, rows: 45 };

describeWith(['setsid', 'sshd'], 'a screen that attaches to a watch', () => {
  /** The watch's machine, and the one before which somebody sits. */
  let there: Home;
  let here: Home;
  let hosts: readonly [Host, Host];
  let watch: Watch;

  const begin = async () => {
    const args = ['demo', '--headless', '--record', '--speed', '4', '--config', twoPatterns(there)];
    const begun = startWatch(args, there.env);
    await begun.says(/Recording in/);
    return begun;
  };

  beforeAll(async () => {
    there = makeHome();
    const env = `SetEnv XDG_STATE_HOME=${there.env['XDG_STATE_HOME']} TRAINTOP_E2E=${there.marker}`;
    // sshd takes the first SetEnv: the marker of startHost comes behind.
    hosts = [await startHost([env]), await startHost([env, 'AllowStreamLocalForwarding no'])];
    watch = await begin();
  });
  afterEach(closeTerminals);
  afterAll(async () => {
    await endWatches();
    await Promise.all(hosts.map((host) => host.stop()));
    removeHomes();
  });

  test('shows what it takes in, has captures taken there, and leaves it running', async () => {
    here = there;
    const terminal = traintop(here, ['attach'], size);
    await terminal.waitFor(/train_pipeline.*ATTACHED|ATTACHED.*train_pipeline/);
    await terminal.waitFor(/drafter-0/);
    expect(terminal.screen()).toMatch(/● rec/);
    terminal.press('d');
    await terminal.waitFor(/Stacks: dump of/);
    terminal.press('esc');
    await terminal.waitFor((screen) => !screen.includes('Stacks: dump of'));
    terminal.type('a');
    await terminal.waitFor(/▸ .* RINGING +critical one /);
    terminal.type('m');
    await terminal.waitFor(/▸ .* muted +critical one /);
    terminal.type('u');
    await terminal.waitFor(/▸ .* RINGING +critical one /);
    terminal.press('enter');
    await terminal.waitFor(/▸ .* seen +critical one /);
    terminal.press('esc');
    await terminal.waitFor((screen) => !screen.includes('─ Alarms'));
    terminal.press('left');
    // Back in what the watch has recorded, which is on its machine.
    await terminal.waitFor(/ PAST /);
    terminal.type('L');
    await terminal.waitFor((screen) => !screen.includes(' PAST '));
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
    expect(oddBytes(terminal.raw())).toEqual([]);
    expect(watch.said()).not.toContain('ends');
  });

  test.each([
    ['its socket', 0],
    ['a program there where sshd forwards no sockets', 1],
  ] as const)('over SSH by %s', async (_, index) => {
    const host = hosts[index];
    const home = host.home();
    const terminal = traintop(home, ['attach', host.name], size);
    await terminal.waitFor(/ATTACHED/);
    await terminal.waitFor(/drafter-0/);
    const programs = markedProcesses(there.marker).filter(({ command }) => command.includes('attach --stdio'));
    expect(programs).toHaveLength(index);
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
    const record = readFileSync(home.file('state/traintop/audit.jsonl'), 'utf8');
    expect(record).toMatch(index === 0 ? /"script":"socket","path":".*watch\.sock"/ : /"script":"attach","hash"/);
  });

  test('a screen of its own beside the watch is not refused, and says how to attach', async () => {
    const terminal = traintop(there, ['demo', '--speed', '4'], { ...size, cols: 200 });
    await terminal.waitFor(new RegExp(`watched already by traintop --headless \\(PID ${watch.pid} `));
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
  });

  test('says when the watch is gone, and goes on with the next', async () => {
    const terminal = traintop(there, ['attach'], size);
    await terminal.waitFor(/drafter-0/);
    watch.kill('SIGKILL');
    await watch.end;
    await terminal.waitFor(/link lost/);
    watch = await begin();
    await terminal.waitFor((screen) => screen.includes('● rec') && !screen.includes('link lost'));
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
  });

  test('without a watch says how one is begun', async () => {
    const terminal = traintop(makeHome(), ['attach'], size);
    expect((await terminal.exit).code).toBe(2);
    expect(terminal.screen()).toContain('No watch runs on this machine: traintop --headless');
  });
});
