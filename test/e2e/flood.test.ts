import { spawn } from 'node:child_process';
import { afterAll, afterEach, expect, test } from 'vitest';
import { describeWith } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { startWorkload } from '../support/workload.ts';
import { makeHome, panel, removeHomes, traintop } from './program.ts';

afterEach(closeTerminals);
afterAll(removeHomes);

/** 20 000 lines a second for 5 s, in portions of 10 ms. */
const flood = `
import sys, time
start, n = time.monotonic(), 0
with open(sys.argv[1], "a") as out:
    while (now := time.monotonic() - start) < 5:
        due = int(now * 20000)
        out.write("".join("step=%d loss=%.4f 14.5K tok/s q_hs=[9-10]/60\\n" % (i, 2.0) for i in range(n, due)))
        out.flush()
        n = due
        time.sleep(0.01)
    out.write("the last line, %d before it\\n" % n)
`;

/** Half-drawn screens are neither. */
const help = (open: boolean) => (screen: string) =>
  screen.includes('hold the screen still') === open && screen.includes('¹GPUs') !== open;

describeWith(['python3'], 'a flood of log lines', () => {
  test('leaves the keys their answers, and shows the last line', async () => {
    const home = makeHome();
    const log = home.file('train.log');
    const workload = await startWorkload({ threads: [{ name: 'pump', percent: 10 }] });
    const writer = spawn('python3', ['-c', flood, log], { stdio: 'inherit' });
    const over = new Promise((resolve) => writer.once('exit', resolve));
    try {
      const terminal = traintop(home, ['--pid', String(workload.pid), '--log', log]);
      await terminal.waitFor((screen) => /step=\d+ loss/.test(panel(screen, 'Log').join('\n')), 20_000);
      const answers: number[] = [];
      while (writer.exitCode === null) {
        const pressed = performance.now();
        terminal.press('?');
        await terminal.waitFor(help(true), 5000);
        answers.push(performance.now() - pressed);
        terminal.press('?');
        await terminal.waitFor(help(false), 5000);
      }
      await over;
      await terminal.waitFor(/the last line, \d+ before it/);
      answers.sort((a, b) => a - b);
      process.stderr.write(
        `keys in a flood: ${answers.length} answers, median ${answers[answers.length >> 1]?.toFixed(0)} ms, worst ${answers.at(-1)?.toFixed(0)} ms\n`,
      );
      expect(answers.length).toBeGreaterThan(3);
      expect(answers.at(-1)).toBeLessThan(1000);
    } finally {
      writer.kill();
      await workload.stop();
    }
  });
});
