import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openRecording } from '../../src/recording/recording.ts';
import { describeWith } from '../support/requires.ts';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { makeHome, removeHomes, traintop } from './program.ts';

/** A busy machine, and ten seconds until a disk is tried again. */
const patientMs = 60_000;

describeWith(['root', 'mount', 'umount'], 'a disk that takes no recording', () => {
  let disk: string;
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'traintop-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
  });
  afterEach(async () => {
    await closeTerminals();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });
  afterAll(removeHomes);

  test('because it is full: the monitor goes on, says so once, and records on when there is room', async () => {
    const terminal = traintop(makeHome(), ['demo', '--record', disk]);
    await terminal.waitFor('● rec', patientMs);
    await terminal.waitFor(/step \d+\/20000/, patientMs);
    await hasFile(terminal);
    fill();
    await terminal.waitFor('not recorded: disk full', patientMs);
    await terminal.waitFor('Nothing is recorded: the disk is full. It is tried again by itself, in /', patientMs);
    await terminal.waitFor((screen) => !screen.includes('Nothing is recorded'), patientMs);
    // Data comes, keys work, and it is not said again when it is tried again in vain.
    const step = stepOf(terminal.screen());
    await terminal.waitFor((screen) => stepOf(screen) > step + 3, patientMs);
    terminal.press('?');
    await terminal.waitFor(/Esc|esc/, patientMs);
    terminal.press('esc');
    await terminal.waitFor((screen) => stepOf(screen) > step + 8, patientMs);
    expect(terminal.raw().split('Nothing is recorded').length - 1).toBe(1);
    rmSync(join(disk, 'filler'));
    await terminal.waitFor('● rec', patientMs);
    terminal.press('q');
    expect(await terminal.exit).toMatchObject({ code: 0 });
    const [run = ''] = readdirSync(disk);
    expect(readdirSync(join(disk, run))).toEqual(['0001.jsonl.gz', '0002.jsonl.gz']);
    const recording = await openRecording(join(disk, run));
    expect(recording.faults()).toEqual({ brokenLines: 0, withheldLines: 0, brokenBytes: 0 });
    expect(recording.events.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Nothing was recorded for \d+ s \(disk full\): \d+ Samples are missing here\.$/),
    ]);
    await recording.close();
  }, 180_000);

  test('because it is read-only: the monitor goes on and says so once', async () => {
    mkdirSync(join(disk, 'runs'));
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const terminal = traintop(makeHome(), ['demo', '--record', join(disk, 'runs')], { cols: 80, rows: 24 });
    await terminal.waitFor('not recorded: read-only disk', patientMs);
    await terminal.waitFor('Nothing is recorded: the file system is read-only.', patientMs);
    await terminal.waitFor((screen) => !screen.includes('Nothing is recorded') && stepOf(screen) > 0, patientMs);
    const step = stepOf(terminal.screen());
    await terminal.waitFor((screen) => stepOf(screen) > step + 8, patientMs);
    expect(terminal.raw().split('Nothing is recorded').length - 1).toBe(1);
    terminal.press('q');
    expect(await terminal.exit).toMatchObject({ code: 0 });
  }, 180_000);

  async function hasFile(terminal: Terminal) {
    await terminal.waitFor(
      () => readdirSync(disk).some((run) => readdirSync(join(disk, run)).includes('0001.jsonl.gz')),
      patientMs,
    );
  }

  function fill() {
    for (let blocks = statfsSync(disk).bavail; blocks > 0; blocks = statfsSync(disk).bavail)
      writeFileSync(join(disk, 'filler'), Buffer.alloc(blocks * statfsSync(disk).bsize), { flag: 'a' });
  }
});

/** The newest step of the log. */
function stepOf(screen: string): number {
  return Math.max(0, ...[...screen.matchAll(/step (\d+)\/20000/g)].map(([, step]) => Number(step)));
}
