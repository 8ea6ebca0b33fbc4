import { spawnSync } from 'node:child_process';
import { chmod, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { memorySource } from '../../src/recording/byte-source.ts';
import { writeLine } from '../../src/recording/json-line.ts';
import { packMember, readHead, unpackMember } from '../../src/recording/member.ts';
import { indexMembers } from '../../src/recording/member-index.ts';
import { openRecording, RecordingFault } from '../../src/recording/recording.ts';
import { createScene } from '../../src/recording/scene.ts';
import { createDice } from './made-samples.ts';
import { folders, headerLine, packLines, readFileWhole, samplesOf, start, write } from './written.ts';

const newFolder = folders();
const noFaults = { brokenLines: 0, withheldLines: 0, brokenBytes: 0 };

async function file(bytes: Buffer | string, name = '0001.jsonl.gz') {
  const path = join(await newFolder(), name);
  await writeFile(path, bytes);
  return path;
}

/** The sentence of a fault. */
async function refusal(path: string): Promise<string> {
  const error: unknown = await readFileWhole(path).catch((why: unknown) => why);
  expect(error).toBeInstanceOf(RecordingFault);
  const { message } = error as Error;
  expect(message).toMatch(/^[^\n]+\.$/);
  return message;
}

describe('a broken file', () => {
  const samples = samplesOf(24);
  const { bytes, members, samples: perMember } = write(samples);
  const ends = members.map((_, n) => members.slice(0, n + 1).reduce((sum, { length }) => sum + length, 0));

  test('cut at every byte gives all that stands whole before the cut', async () => {
    const all = samplesOf(6);
    const small = write(all, { perMember: 2, keyframeEvery: 9 });
    const borders = small.members.map((_, n) => Buffer.concat(small.members.slice(0, n + 1)).length);
    const path = await file(small.bytes);
    for (let length = small.bytes.length - 1; length >= 0; length--) {
      await truncate(path, length);
      const whole = borders.filter((end) => end <= length).length;
      const found = await readFileWhole(path).catch((error: unknown) => error);
      if (found instanceof Error) {
        expect(found).toBeInstanceOf(RecordingFault);
        expect(whole).toBe(0);
        continue;
      }
      const { samples: given, faults } = found as Awaited<ReturnType<typeof readFileWhole>>;
      // What is left of the only member may still have the header, and some lines.
      const expected = whole > 0 ? small.samples.slice(0, whole).flat() : all.slice(0, given.length);
      if (!isDeepStrictEqual(given, expected)) expect(given).toEqual(expected);
      if (whole > 0) expect(faults).toEqual({ ...noFaults, brokenBytes: length - (borders[whole - 1] ?? 0) });
    }
  });

  test('whatever bytes change, what is given is what was written, in order', async () => {
    const dice = createDice(4);
    for (let round = 0; round < 300; round++) {
      const changed = Buffer.from(bytes);
      for (let flips = Math.ceil(dice() * 12); flips > 0; flips--)
        changed[Math.floor(dice() * changed.length)] = Math.floor(dice() * 256);
      const found = await readFileWhole(await file(changed)).catch((error: unknown) => error);
      if (found instanceof Error) {
        expect(found).toBeInstanceOf(RecordingFault);
        continue;
      }
      let at = -1;
      for (const sample of (found as Awaited<ReturnType<typeof readFileWhole>>).samples) {
        at = samples.findIndex((each, n) => n > at && isDeepStrictEqual(each, sample));
        expect(at).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test('garbage between members is skipped and counted', async () => {
    const garbage = Buffer.from([0x1f, 0x8b, 8, 4, ...Array.from({ length: 996 }, (_, n) => (n * 7) % 256)]);
    const whole = Buffer.concat([...members.slice(0, 2), garbage, ...members.slice(2), garbage]);
    const found = await readFileWhole(await file(whole));
    expect(found).toMatchObject({ samples, faults: { ...noFaults, brokenBytes: 2000 } });
  });

  test('more garbage than a block does not hide what follows', async () => {
    const garbage = Buffer.alloc(3 * 2 ** 20 - 17, 0x1f);
    const found = await readFileWhole(
      await file(Buffer.concat([...members.slice(0, 3), garbage, ...members.slice(3)])),
    );
    expect(found).toMatchObject({ samples, faults: { ...noFaults, brokenBytes: garbage.length } });
  });

  test('a page of zeros takes the members that it hits, and what leans on them', async () => {
    const zeroed = Buffer.from(bytes);
    zeroed.fill(0, (ends[0] ?? 0) + 60, (ends[0] ?? 0) + 120);
    const found = await readFileWhole(await file(zeroed));
    // The third member leans on the second; the fourth begins with a keyframe.
    expect(found.samples.filter(({ kind }) => kind !== 'event')).toEqual([
      ...(perMember[0] ?? []),
      ...perMember.slice(3).flat(),
    ]);
    expect(found.faults).toEqual({ brokenLines: 0, withheldLines: 8, brokenBytes: members[1]?.length });
  });

  test('a lost beginning takes the header, and no more than leans on it', async () => {
    const zeroed = Buffer.from(bytes);
    zeroed.fill(0, 0, 200);
    const { recording, samples: found } = await readFileWhole(await file(zeroed));
    expect(recording.header.target).toBe('a host whose name was lost');
    expect(found.filter(({ kind }) => kind !== 'event')).toEqual(perMember.slice(3).flat());
  });

  test('a head that lies about its length hides nothing', async () => {
    for (const length of [60, (members[1]?.length ?? 0) + 5, 100_000]) {
      const second = Buffer.from(members[1] as Buffer);
      lie(second, length);
      const found = await readFileWhole(await file(Buffer.concat([members[0] as Buffer, second, ...members.slice(2)])));
      expect(found.samples.slice(-perMember.slice(3).flat().length)).toEqual(perMember.slice(3).flat());
      if (length > second.length) expect(found.samples).toEqual(samples);
    }
  });

  test('a keyframe that says nothing sensible is passed over for the one before', async () => {
    const state = { committedAt: 'yesterday' };
    const bad = [writeLine({ kind: 'keyframe', time: start + 24_000, state })];
    const last = packLines(bad, { from: start + 24_000, to: start + 24_000, keyframe: true });
    const recording = await openRecording(await file(Buffer.concat([bytes, last])));
    expect((await recording.cursor(start + 30_000)).saved?.time).toBe(start + 12_000);
    expect(recording.faults().brokenLines).toBe(1);
    await recording.close();
  });
});

describe('a hostile file is refused in a sentence', () => {
  test('a bomb', async () => {
    const zeros = packMember(`${headerLine()}\n${'0'.repeat(70 * 2 ** 20)}`, {
      from: 0,
      to: 1,
      keyframe: false,
      event: false,
    });
    expect(zeros.length).toBeLessThan(200_000);
    expect(() => unpackMember(zeros)).toThrow();
    // It is one member of many: the others are read.
    const found = await readFileWhole(await file(Buffer.concat([packLines([headerLine()]), zeros])));
    expect(found).toMatchObject({ samples: [], faults: { ...noFaults, brokenBytes: zeros.length } });
    expect(await refusal(await file(gzipSync(`${headerLine()}\n${'0'.repeat(70 * 2 ** 20)}`)))).toContain('line');
  });

  test('a bomb of empty lines', async () => {
    const empty = packMember('\n'.repeat(60 * 2 ** 20), { from: start, to: start, keyframe: false, event: true });
    expect(empty.length).toBeLessThan(100_000);
    const found = await readFileWhole(await file(Buffer.concat([packLines([headerLine()]), empty])));
    expect(found).toMatchObject({ samples: [], faults: { ...noFaults, brokenBytes: empty.length } });
  });

  test('a bomb of events gives the newest', async () => {
    const event = (n: number) =>
      `{"kind":"event","source":"run","receivedAt":${start + n},"host":"h","event":"run ended","text":"over"}`;
    const all = (n: number) => packLines(Array<string>(90_000).fill(event(n)), { event: true });
    const bytes = Buffer.concat([packLines([headerLine()]), ...[1, 2, 3, 4].map(all), packLines([event(5)])]);
    const { events } = await readFileWhole(await file(bytes));
    expect(events).toHaveLength(100_000);
    expect(events[0]?.receivedAt).toBe(start + 3);
    expect(events.at(-1)?.receivedAt).toBe(start + 4);
  });

  test('a member that spans all times is not walked through second by second', async () => {
    const link = (time: number) =>
      `{"kind":"link","source":"link","n":0,"whole":true,"receivedAt":${time},"host":"h","state":"lost"}`;
    const far = start + 1e14;
    const recording = await openRecording(await file(packLines([headerLine(), link(start), link(far)], { to: far })));
    const scene = createScene({ recording, openAt: start, clock: systemClock });
    await scene.playTo(far, () => true);
    expect(scene.store.getState().link?.receivedAt).toBe(far);
    expect(scene.store.commits()).toBeLessThan(10);
    await recording.close();
  });

  test('a huge first line, and one that is nested deeply', async () => {
    expect(await refusal(await file(packLines([`{"kind":"header","x":"${'x'.repeat(17 * 2 ** 20)}"}`])))).toContain(
      'header',
    );
    const deep = `{"kind":"header","x":${'['.repeat(5_000_000)}`;
    expect(await refusal(await file(packLines([deep])))).toContain('header');
  });

  test('two weeks in one file are none: it opens', async () => {
    const one = packLines(['{"kind":"later"}']);
    const all = Buffer.concat([packLines([headerLine()]), ...Array<Buffer>(300_000).fill(one)]);
    const recording = await openRecording(await file(all));
    expect(recording.header.target).toBe('node7');
    await recording.close();
  });

  test('more members than a recording has', async () => {
    const members = Buffer.concat(Array.from({ length: 4 }, () => packLines([headerLine()])));
    expect(await indexMembers(memorySource(members), { most: 3 })).toBe('too many');
    expect(await indexMembers(memorySource(members), { most: 5 })).toMatchObject({ brokenBytes: 0, tornBytes: 0 });
  });

  test.each([
    ['nothing at all', '', 'is empty'],
    ['a text', 'hello\n', 'is no recording of traintop'],
    ['a text that is packed', gzipSync('hello\n'), 'is no recording of traintop'],
    ['another JSON file', '{"kind":"package"}\n', 'is no recording of traintop'],
    ['a broken pack', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255]), 'cannot be read'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'), 'is no recording of traintop'],
    ['members without a header', packLines(['{"kind":"mark"}']), 'is no recording of traintop'],
    ['a header that lacks its parts', packLines(['{"kind":"header","format":1}']), 'lacks what one has'],
    ['a header with a list for a name', packLines([headerLine({ target: [] })]), 'lacks what one has'],
    ['a header without a version', packLines([headerLine({ format: '1' })]), 'is no recording of traintop'],
    [
      'a newer format',
      packLines([headerLine({ format: 2, traintop: '9.0\u001b[2J' })]),
      'was written by a newer traintop (9.0, format 2; this one reads up to 1): update traintop.',
    ],
  ])('%s', async (_, bytes, sentence) => {
    expect(await refusal(await file(bytes))).toContain(sentence);
  });

  test('links, pipes, sockets, devices, folders and what is not there', async () => {
    const folder = await newFolder();
    const good = await file(packLines([headerLine()]));
    const at = (name: string) => join(folder, name);
    await symlink(good, at('link.jsonl.gz'));
    expect(await refusal(at('link.jsonl.gz'))).toContain('is a symbolic link');
    await mkdir(at('run'));
    await symlink(good, at('run/0001.jsonl.gz'));
    expect(await refusal(at('run'))).toContain('is a symbolic link');
    spawnSync('mkfifo', [at('pipe'), at('run/0000.jsonl')]);
    expect(await refusal(at('pipe'))).toContain('is a pipe');
    expect(await refusal(at('run'))).toContain('is a pipe');
    const server = createServer().listen(at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await refusal(at('socket'))).toContain('is a socket');
    server.close();
    expect(await refusal('/dev/zero')).toContain('is a device');
    expect(await refusal(at('nowhere'))).toContain('There is no');
    expect(await refusal(join(good, 'x'))).toContain('is a file, not a folder');
    await mkdir(at('empty'));
    expect(await refusal(at('empty'))).toContain('has no recording in it');
  });

  test('a file of somebody else', async () => {
    const path = await file(packLines([headerLine()]));
    await chmod(path, 0);
    const isRoot = process.getuid?.() === 0;
    // Root may read everything: for a moment this process is nobody.
    await chmod(join(path, '..'), 0o755);
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await refusal(path)).toContain('may not be read');
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});

describe('a head', () => {
  const member = packMember('x\n', { from: 1, to: 2, keyframe: true, event: false, minute: true });

  test('says what was packed', () => {
    expect(readHead(member)).toEqual({
      length: member.length,
      from: 1,
      to: 2,
      keyframe: true,
      event: false,
      minute: true,
    });
    expect(unpackMember(member)).toEqual(['x']);
  });

  test('is none with any bit of its own changed', () => {
    for (let at = 12; at < 41; at++)
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(member);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect(readHead(changed)).toBeUndefined();
      }
  });

  test('whose text is not what it says fails', () => {
    const changed = Buffer.from(member);
    changed.writeUInt32LE(1, member.length - 8);
    expect(() => unpackMember(changed)).toThrow();
    expect(() => unpackMember(member.subarray(0, -1))).toThrow();
  });
});

/** Writes another length into a head, and its CRC, as who means harm does. */
function lie(member: Buffer, length: number) {
  member.writeUInt32LE(length, 16);
  member.writeUInt32LE(crc32(member.subarray(16, 37)), 37);
}
