import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createLogReader } from '../../../src/collectors/log/reader.ts';
import { logs as readAndPrint } from '../../../src/commands/logs/logs.ts';
import { readLogsOptions } from '../../../src/commands/logs/options.ts';
import { collectorOptions } from '../../../src/commands/session.ts';
import { UsageFault } from '../../../src/config/check-options.ts';
import { readOptions } from '../../../src/config/options.ts';
import { environment } from '../../support/terminal.ts';
import { runTraintop } from '../run-once.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { XDG_CONFIG_HOME: folder };
const file = (name: string, text: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const logs = (...args: readonly string[]) => runTraintop(['logs', ...args], env);
const objects = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const log = [
  'loading weights',
  'reading 3 shards',
  '[rank3]: step 5/100 | loss 2.5 | q_in=[9-10] | fwd 88/121ms',
  'step 6/100 | loss nan',
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB.',
  'gadget 12 frob 2.25',
].join('\n');
const path = file('train.log', log);

describe('traintop logs', () => {
  test('says a record a line what was read, what was not and why, and sums it up', async () => {
    const { code, output, errors } = await logs(path);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const rows = output.split('\n');
    expect(rows[0]).toMatch(/^ +1 +- +not read: no number in it +"loading weights"$/);
    expect(rows[1]).toMatch(/^ +2 +- +not read: numbers, but .* "reading 3 shards"$/);
    expect(rows[2]).toMatch(/^ +3 +generic +rank 3, step 5, totalSteps 100, loss 2\.5, .*queue q_in low 9 high 10/);
    expect(rows[2]).toContain('stage fwd averageSeconds 0.088 maximumSeconds 0.121');
    expect(rows[3]).toMatch(/^ +4 +generic +step 6, totalSteps 100, loss NaN, event not_finite/);
    expect(rows[4]).toMatch(/^ +5 +- +event cuda_oom/);
    expect(output).toMatch(/\n\ngeneric: 2 records\n {2}rank 1, step 2, /);
    expect(output).toMatch(/\nevents: .*cuda_oom 1/);
    expect(output).toMatch(/\nnot read: 3 records\n/);
  });

  test('--json gives one object a record: of a pipe, and of a file that is packed', async () => {
    const packed = file('train.log.gz', gzipSync(log));
    const { output } = await logs(packed, '--json');
    const records = objects(output);
    expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(records[2]).toEqual({
      line: 3,
      format: 'generic',
      rank: 3,
      step: 5,
      totalSteps: 100,
      loss: 2.5,
      queues: { q_in: { low: 9, high: 10 } },
      stages: { fwd: { averageSeconds: 0.088, maximumSeconds: 0.121 } },
    });
    expect(records[3]).toMatchObject({ loss: 'NaN', event: { kind: 'not_finite' } });
    const piped = await run(['logs', '-', '--json'], log);
    expect(piped).toBe(output);
  });

  test('tells what could be read of a packed file that is cut short, without its last half line', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => `step ${i + 100_000} loss ${(i * 7919) % 1000}`).join('\n');
    const packed = gzipSync(many);
    const { code, output, errors } = await logs(file('cut.gz', packed.subarray(0, packed.length / 2)));
    expect(code).toBe(2);
    expect(errors).toMatch(/cut\.gz was read to where it could not be read further: it is cut short\.\n$/);
    const [, records] = /\ngeneric: (\d+) records\n {2}step \1, loss \1\n/.exec(output) ?? [];
    expect(Number(records)).toBeGreaterThan(1000);
    expect(output).not.toMatch(/generic +step \d{1,5}\b/);
    const twice = await logs(file('two.gz', Buffer.concat([packed, gzipSync('\nstep 9 loss 1')])), '--json');
    expect({ code: twice.code, lines: objects(twice.output).length }).toEqual({ code: 0, lines: 5001 });
  });

  test('a line that is too long is one object', async () => {
    const { output } = await logs(file('one-line.log', 'word '.repeat(60_000)), '--json');
    expect(objects(output)).toEqual([{ line: 1 }]);
  });

  test('--try shows what a pattern would read, and how to keep it', async () => {
    const { code, output } = await logs(path, '--try', String.raw`gadget (?P<gadget>\d+) frob (?P<loss>\S+)`);
    expect(code).toBe(0);
    expect(output).toMatch(/^ +6 +loss 2\.25, gadget 12\n\n1 of 6 records is read by it\.\n/);
    expect(output).toContain('  gadget: metric gadget\n  loss: loss\n');
    expect(output).toContain(String.raw`pattern = 'gadget (?<gadget>\d+) frob (?<loss>\S+)'`);
    const none = await logs(path, '--try', String.raw`nothing (?<loss>\S+)`);
    expect(none.code).toBe(1);
    expect(none.output).toMatch(/^0 of 6 records are read by it\.\n.*\nloading weights\n/);
  });

  test('reads by the patterns of the configuration, and as a format that is pinned', async () => {
    const config = file('own.toml', `[[log]]\nname = "mine"\npattern = 'gadget \\d+ frob (?<loss>\\S+)'\n`);
    const { output } = await logs(path, '--json', '--config', config);
    expect(objects(output)[5]).toEqual({ line: 6, format: 'mine', loss: 2.25 });
    const pinned = await logs(path, '--json', '--config', config, '--format', 'generic');
    expect(objects(pinned.output)[5]).not.toHaveProperty('loss');
    expect(objects(pinned.output)[2]).toMatchObject({ format: 'generic', step: 5 });
  });

  test('a pattern that takes for ever is left out, and told', async () => {
    const long = file('long.log', `${'a'.repeat(60)}!\nstep 5 | loss 2.5\n`);
    const { code, output, errors } = await logs(long, '--json', '--try', '^(?<loss>(a+)+)$');
    expect(code).toBe(0);
    expect(errors).toMatch(
      /^traintop: The pattern try took longer than a second on a line and was asked no more; .*\.\n$/,
    );
    expect(objects(output)[1]).toMatchObject({ format: 'generic', loss: 2.5 });
  });

  test.each([
    ['/nowhere/x.log', {}, /^There is no \/nowhere\/x\.log; give the path of a log, or - for standard input\.$/],
    [folder, {}, /is a folder; give a file in it\.$/],
    ['/dev/zero', {}, /is a device; give a file, or - for standard input\.$/],
    [path, { format: 'torchtitann' }, /^--format torchtitann is no format that is known; did you mean torchtitan\?$/],
    [path, { format: 'torchtitn' }, /; did you mean torchtitan\?$/],
    [path, { format: 'zzz' }, /^--format zzz is no format that is known; there are .*generic\.$/],
    [path, { try: '(' }, /^--try is no regular expression \(.*\); see traintop logs --help\.$/],
    [path, { try: 'loss (.*)' }, /^--try has no named group, as in loss \(\?<loss>\\S\+\); see/],
    [path, { config: '/nowhere.toml' }, /^The configuration \/nowhere\.toml cannot be read: there is no such file\.$/],
  ])('%s with %j is told in one sentence', async (name, raw, message) => {
    // Nothing was printed yet.
    await expect(async () => readAndPrint(readLogsOptions(name, raw))).rejects.toThrow(message);
    await expect(async () => readAndPrint(readLogsOptions(name, raw))).rejects.toBeInstanceOf(UsageFault);
  });
});

test('a format that the watch is to pin is looked at before a host is', async () => {
  const { code, errors } = await runTraintop(['once', 'nowhere.invalid', '--json', '--log-format', 'zzz'], env);
  expect(code).toBe(2);
  expect(errors).toMatch(/^traintop: --log-format zzz is no format that is known; there are .*generic\.\n$/);
});

test('a record that may go on is told when nothing more comes', async () => {
  const child = spawn(process.execPath, [resolve('bin/traintop.js'), 'logs', '-', '--json'], {
    env: environment(env),
  });
  try {
    const first = new Promise<string>((done) => child.stdout.once('data', (chunk: Buffer) => done(chunk.toString())));
    // The block of a private trainer: lines that are indented may follow.
    child.stdin.write('[batch=1/10]:\n         Train loss/train/total: 11.6154\n');
    expect(objects(await first)[0]).toMatchObject({ line: 1, step: 1, totalSteps: 10, loss: 11.6154 });
  } finally {
    const closed = new Promise((done) => child.once('close', done));
    child.stdin.end();
    await closed;
  }
});

/** What it prints for what comes by standard input. */
async function run(args: readonly string[], input: string): Promise<string> {
  const child = spawn(process.execPath, [resolve('bin/traintop.js'), ...args], { env: environment(env) });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(input);
  await new Promise((done) => child.once('close', done));
  return output;
}

test('the watch reads logs by the patterns of the configuration', () => {
  const config = file('watch.toml', `[[log]]\nname = "mine"\npattern = 'gadget (?<step>\\d+) frob (?<loss>\\S+)'\n`);
  const { reading } = collectorOptions(readOptions('local', { config, logFormat: 'mine' }));
  expect(reading).toMatchObject({ pinned: 'mine', taught: [{ name: 'mine' }] });
  const reader = createLogReader(reading);
  const [record] = [...reader.push({ text: 'gadget 7 frob 2.25' }), ...reader.flush()];
  expect(record).toMatchObject({
    format: 'mine',
    values: { step: 7, loss: 2.25 },
  });
});
