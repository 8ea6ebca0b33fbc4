import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keymap } from '../../src/ui/keymap.ts';
import { describeWith } from '../support/requires.ts';
import { startAskingServer } from '../support/asking-server.ts';
import { startSshd, type TestSshd } from '../support/sshd.ts';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { alarmChecks, alarmMainChecks, alarmWhyChecks } from './alarm-checks.ts';
import { boxChecks, boxMainChecks } from './box-checks.ts';
import { flameChecks, listChecks, searchChecks, stacksChecks, takeChecks } from './capture-checks.ts';
import { formChecks } from './form-checks.ts';
import {
  atThreads,
  filterChecks,
  helpChecks,
  home,
  mainChecks,
  press,
  questionChecks,
  quits,
  run,
  until,
} from './key-checks.ts';
import { pickerChecks, pickerPlace } from './picker-checks.ts';
import { findChecks, logChecks, loggedLong, loggedSteps } from './log-checks.ts';
import { makeHome, panel, removeHomes, traintop } from './program.ts';
import { signalChecks, signalMainChecks } from './signal-checks.ts';
import { eventsChecks, recordMarks, tapeChecks } from './tape-checks.ts';
import { whyChecks, whyMainChecks } from './why-checks.ts';

afterAll(async () => {
  await closeTerminals();
  removeHomes();
});

test('every key of the key map is checked here', () => {
  const mapped = keymap.flatMap(({ keys, modes, panel }) =>
    modes.flatMap((mode) => keys.map((key) => `${panel ?? mode} ${key}`)),
  );
  // Pressed on the screen and over the menu of signals.
  const alarm = { C: 0, X: 0 };
  const checked = Object.entries({
    main: {
      ...mainChecks,
      ...whyMainChecks,
      ...alarmMainChecks,
      ...boxMainChecks,
      ...takeChecks,
      ...signalMainChecks,
      ...tapeChecks,
      q: 0,
      'Ctrl-C': 0,
    },
    why: { ...whyChecks, ...alarmWhyChecks, 'Ctrl-C': 0 },
    alarms: { ...alarmChecks, 'Ctrl-C': 0 },
    box: { ...boxChecks, 'Ctrl-C': 0 },
    log: logChecks,
    find: { ...findChecks, 'Ctrl-C': 0 },
    signals: { ...signalChecks, 'Ctrl-C': 0 },
    help: { ...helpChecks, ...alarm, x: 0, 'Ctrl-C': 0 },
    events: { ...eventsChecks, ...alarm, x: 0, 'Ctrl-C': 0 },
    captures: { ...listChecks, ...alarm, 'Ctrl-C': 0 },
    flame: { ...flameChecks, ...alarm, 'Ctrl-C': 0 },
    search: { ...searchChecks, 'Ctrl-C': 0 },
    stacks: { ...stacksChecks, ...alarm, 'Ctrl-C': 0 },
    filter: { ...filterChecks, 'Ctrl-C': 0 },
    question: { ...questionChecks, 'Ctrl-C': 0 },
    form: { ...formChecks, Right: 0, Left: 0, 'Ctrl-C': 0 },
    picker: { ...pickerChecks, Enter: 0, 'Ctrl-C': 0 },
  }).flatMap(([mode, checks]) => Object.keys(checks).map((key) => `${mode} ${key}`));
  expect(checked.sort()).toEqual(mapped.sort());
});

describe('in the demo', () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = traintop(home, ['demo'], { env: { PAGER: 'less', LESS: undefined } });
    await terminal.waitFor((screen) => /(?:9|10)\d\.\d/.test(panel(screen, 'Threads').join('\n')), 30_000);
    await terminal.waitFor(/q_hs .*\d+\/60/);
  });

  test.each(Object.entries({ ...mainChecks, ...whyMainChecks, ...alarmMainChecks }))('%s on the screen', (key, check) =>
    run(terminal, key, check),
  );

  test('the keys of the help', async () => {
    terminal.resize(80, 24);
    press(terminal, '?');
    await terminal.waitFor('Keys');
    for (const [key, check] of Object.entries(helpChecks)) await run(terminal, key, check);
    press(terminal, 'Esc');
    terminal.resize(120, 40);
    await terminal.waitFor('¹GPUs');
  });

  test.each(Object.entries(takeChecks))('%s takes or opens captures', (key, check) => run(terminal, key, check));

  test.each(Object.entries(signalMainChecks))('%s is about signals', (key, check) => run(terminal, key, check));

  test('the keys of the menu of signals', async () => {
    press(terminal, 'K');
    await terminal.waitFor(/SIGTERM +is caught/);
    for (const [key, check] of Object.entries(signalChecks)) await run(terminal, key, check);
  });

  test('the keys of the list of captures', async () => {
    press(terminal, 'd');
    await terminal.waitFor('─ Stacks: dump');
    press(terminal, 'S');
    await terminal.waitFor(/1 of 2 ─/);
    for (const [key, check] of Object.entries(listChecks)) await run(terminal, key, check);
  });

  test('the keys of the stacks', async () => {
    terminal.resize(100, 12);
    press(terminal, 'Enter');
    await terminal.waitFor('─ Stacks: dump');
    for (const [key, check] of Object.entries(stacksChecks)) await run(terminal, key, check);
  });

  test('the keys of the search', async () => {
    press(terminal, '/');
    await terminal.waitFor(/^ search \//m);
    for (const [key, check] of Object.entries(searchChecks)) await run(terminal, key, check);
    press(terminal, 'Esc');
    await terminal.waitFor((screen) => !screen.includes(' search /'));
  });

  test('the keys of the flame', async () => {
    terminal.resize(120, 40);
    press(terminal, 'f');
    await terminal.waitFor('─ Flame: dump');
    for (const [key, check] of Object.entries(flameChecks)) await run(terminal, key, check);
    press(terminal, 'q', 'q', 'q');
    await terminal.waitFor('¹GPUs');
  });

  test('the keys of the filter', async () => {
    await atThreads(terminal);
    press(terminal, 'H', '/');
    await terminal.waitFor(/^ filter \//m);
    for (const [key, check] of Object.entries(filterChecks)) await run(terminal, key, check);
    press(terminal, 'Esc');
    await terminal.waitFor(/^ q quit/m);
  });

  test('the keys of why', async () => {
    terminal.resize(100, 12);
    press(terminal, 'w');
    await terminal.waitFor('─ Why ─');
    for (const [key, check] of Object.entries({ ...alarmWhyChecks, ...whyChecks })) await run(terminal, key, check);
    terminal.resize(120, 40);
    press(terminal, '4');
    await terminal.waitFor('¹GPUs');
  });
});

describe('in a recording', () => {
  const ownHome = makeHome();
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = traintop(ownHome, ['replay', await recordMarks(ownHome)]);
    await terminal.waitFor(/REPLAY {2}DEMO /, 30_000);
  });

  test.each(Object.entries(tapeChecks))('%s on the screen', (key, check) => run(terminal, key, check));

  test('the keys of the events', async () => {
    press(terminal, 'E');
    await terminal.waitFor('Events and marks');
    for (const [key, check] of Object.entries(eventsChecks)) await run(terminal, key, check);
    press(terminal, 'Ctrl-C');
    await quits(terminal);
  });
});

describe('keys that quit', () => {
  test.each([
    ['', 'q'],
    ['', 'Ctrl-C'],
    ['?', 'Ctrl-C'],
    ['/', 'Ctrl-C'],
    ['d', 'Ctrl-C'],
  ])('after %s: %s', async (before, key) => {
    const terminal = traintop(makeHome(), ['demo']);
    await terminal.waitFor(/41207 +412\d\d/);
    press(terminal, '4');
    for (const each of before) press(terminal, each);
    if (before === 'd') await terminal.waitFor(/Stacks: dump of /);
    if (before === '?') await terminal.waitFor('Keys');
    if (before === '/') await terminal.waitFor(/^ filter/m);
    press(terminal, key);
    await quits(terminal);
  });
});

describeWith(['python3'], 'two logs', () => {
  let workload: Workload;
  beforeAll(async () => void (workload = await startWorkload({ threads: [{ name: 'logged', percent: 2 }] })));
  afterAll(() => workload.stop());

  test('the keys of the log, and of its search', async () => {
    const home = makeHome();
    writeFileSync(home.file('out.log'), `${loggedSteps.join('\n')}\n`);
    writeFileSync(home.file('err.log'), `${loggedLong}\n`);
    const logs = ['out.log', 'err.log'].flatMap((name) => ['--log', home.file(name)]);
    const terminal = traintop(home, ['--pid', String(workload.pid), ...logs]);
    await terminal.waitFor((screen) => /a long line/.test(screen) && /step 59/.test(screen), 30_000);
    press(terminal, '5', 'z');
    await terminal.waitFor((screen) => panel(screen, 'Log').length > 30 && /1 error/.test(screen));
    for (const [key, check] of Object.entries(logChecks)) await run(terminal, key, check);
    press(terminal, '/');
    await terminal.waitFor(/^ search \//m);
    for (const [key, check] of Object.entries(findChecks)) await run(terminal, key, check);
    press(terminal, 'Ctrl-C');
    await quits(terminal);
  });
});

describeWith(['python3'], 'several runs', () => {
  const mark = `pick${process.pid}`;
  const workloads: Workload[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 3; i++)
      workloads.push(await startWorkload({ threads: [{ name: `${mark}-${i}`, percent: 2 }] }));
  });
  afterAll(() => Promise.all(workloads.map((workload) => workload.stop())));

  test('the keys of the picker, which comes by itself', async () => {
    const terminal = traintop(makeHome(), ['--match', mark]);
    await terminal.waitFor('Which one is it?', 30_000);
    for (const [key, check] of Object.entries(pickerChecks)) await run(terminal, key, check);
    press(terminal, 'g', 'j');
    await until(() => pickerPlace(terminal)).toBe(1);
    const pid = /▸ +(\d+)/.exec(terminal.screen())?.[1];
    press(terminal, 'Enter');
    await terminal.waitFor(`PID ${pid}`, 20_000);
    await terminal.close();
    const second = traintop(makeHome(), ['--match', mark]);
    await second.waitFor('Which one is it?', 30_000);
    press(second, 'Ctrl-C');
    await quits(second);
  });
});

describeWith(['sshd'], 'a question', () => {
  let sshd: TestSshd;
  beforeAll(async () => void (sshd = await startSshd()));
  afterAll(() => sshd.stop());

  test.each(Object.entries({ ...questionChecks, 'Ctrl-C': quits }))('answered by %s', async (key, check) => {
    const terminal = traintop(makeHome(), [`${sshd.user}@127.0.0.1:${sshd.port}`, '--identity', sshd.keyFile]);
    await terminal.waitFor(/The host \S+ is not known yet/);
    await terminal.waitFor(/Its ssh-ed25519 key is SHA256:\S{43}/);
    press(terminal, key);
    await check(terminal);
    await terminal.close();
  });
});

test('the keys of a log-in that asks', async () => {
  const prompts = [{ prompt: 'Which device: ', echo: true }, { prompt: 'Code: ' }];
  const server = await startAskingServer({ round: (n) => ({ instructions: `Round ${n + 1}`, prompts }) });
  const home = makeHome();
  writeFileSync(home.file('.ssh/known_hosts'), `${server.hostKeyLine}\n`);
  const start = async () => {
    const terminal = traintop(home, [`me@127.0.0.1:${server.port}`]);
    await terminal.waitFor('Round 1');
    return terminal;
  };
  const terminal = await start();
  for (const [key, check] of Object.entries(formChecks)) await run(terminal, key, check);
  const second = await start();
  press(second, 'Ctrl-C');
  await quits(second);
  await server.stop();
});
