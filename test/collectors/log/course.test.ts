import { describe, expect, it } from 'vitest';
import { planCourse, type Position } from '../../../src/collectors/log/course.ts';
import type { FileFacts, Listing } from '../../../src/collectors/log/listing.ts';

const file = (ref: string, inode: number, size: number, changed: number): FileFacts => ({
  ref: ref === '@' || ref === '=' ? ref : `/runs/${ref}`,
  inode: String(inode),
  size,
  changed,
});
/** 100 bytes of the file 7 were read; beside it stood an older one. */
const position: Position = {
  inode: '7',
  offset: 100,
  seen: { text: 'step 9', end: 99 },
  neighbours: [file('log.1', 5, 900, 40)],
  since: 50,
};
const same = { inode: '7', hex: Buffer.from('step 9').toString('hex') };
const listed = (more: Partial<Listing>): Listing => ({ files: [], more: false, now: 90, ...more });

/** What is read, and what is said before: `7 100` from 100 to the end of the file 7; `7 100+` follows it. */
function course(more: Partial<Listing>, at: Position | undefined = position): readonly string[] {
  return planCourse(at, listed(more)).flatMap(({ file: { inode }, from, follow, notes }) => [
    ...notes.flatMap(({ gap, text }) => (gap ? [gap.reason] : text.includes('rotated') ? [] : [text])),
    `${inode} ${from}${follow ? '+' : ''}`,
  ]);
}

describe('what is read next', () => {
  it('is the end of the file at first, and the rest of it later', () => {
    expect(planCourse(undefined, listed({}))).toEqual([]);
    expect(planCourse(undefined, listed({ path: file('@', 7, 300_000, 60) }))).toMatchObject([
      { from: 300_000 - 262_144, align: true },
    ]);
    expect(course({ path: file('@', 7, 200, 60), text: same })).toEqual(['7 100+']);
  });

  it('is all of a file that is shorter, or has other bytes where the last ones were read', () => {
    expect(course({ path: file('@', 7, 99, 60) })).toEqual(['truncated', '7 0+']);
    expect(course({ path: file('@', 7, 200, 60), text: { ...same, hex: '61' } })).toEqual(['truncated', '7 0+']);
    // Its writer went on at its own place: before it there is nothing now.
    expect(course({ path: file('@', 7, 200, 60), text: { ...same, hex: '000000' } })).toEqual(['truncated', '7 100+']);
  });

  it('is the rest of a renamed file, and what followed it', () => {
    const old = [file('log.2', 7, 200, 60), file('log.3', 5, 900, 40)];
    const path = file('@', 9, 10, 80);
    expect(course({ path, files: [file('log.1', 8, 50, 70), ...old], text: same })).toEqual(['7 100', '8 0', '9 0+']);
    expect(course({ files: [file('log.1', 8, 50, 70), ...old], text: same })).toEqual(['7 100', '8 0+']);
    expect(course({ files: [file('log.1', 7, 200, 60)], text: same })).toEqual(['7 100+']);
    expect(course({ path: file('@', 9, 0, 80), files: [file('log.1', 7, 200, 60)], text: same })).toEqual(['7 100+']);
    const dated = ['log-20261128', 'log-20261129'].map((name, i) => file(name, 10 + i, 50, 70 + i));
    expect(course({ path, files: [...dated, file('log-20261127', 7, 200, 60)], text: same })).toEqual([
      ...['7 100', '10 0', '11 0', '9 0+'],
    ]);
  });

  it('is not a file that may not have followed', () => {
    const path = file('@', 9, 10, 80);
    // Another log of the folder that was given the inode of the one that was removed: it is found by that.
    expect(course({ path, found: file('other.log.1', 7, 200, 70), text: { ...same, hex: '61' } })).toEqual([
      'lost',
      '9 0+',
    ]);
    const own = file('log.1', 7, 200, 60);
    // It was there before; a rank writes it; it is packed; it was renamed from elsewhere.
    expect(course({ path, files: [file('log.2', 5, 900, 40), own] })).toEqual(['7 100', '9 0+']);
    expect(course({ path, files: [own, file('log.4', 12, 9, 85)] })).toEqual(['7 100', 'lost', '9 0+']);
    expect(course({ path, files: [file('log.1.gz', 12, 9, 70), file('log.2', 7, 200, 60)] })).toEqual([
      ...['7 100', 'lost', '9 0+'],
    ]);
    expect(course({ path, files: [file('log.bak', 12, 9, 70), own] })).toEqual(['7 100', '9 0+']);
    // One of three is missing.
    expect(course({ path, files: [file('log.1', 8, 50, 70), file('log.3', 7, 200, 60)] })).toEqual([
      ...['7 100', 'lost', '8 0', '9 0+'],
    ]);
  });

  it('says that a file is lost, and reads what surely followed', () => {
    const path = file('@', 9, 10, 80);
    expect(course({ path })).toEqual(['lost', '9 0+']);
    expect(course({ path, files: [file('log.1', 8, 50, 70)] })).toEqual(['lost', '8 0', '9 0+']);
    // The same inode under another name with other bytes is another file.
    expect(course({ path, files: [file('log.1', 7, 200, 70)], text: { ...same, hex: '61' } })).toEqual([
      ...['lost', '7 0', '9 0+'],
    ]);
    // Nor is one that is shorter, wherever it is: a checkpoint that was begun when the log was removed.
    expect(course({ path, files: [file('state', 7, 20, 70)] })).toEqual(['lost', '9 0+']);
    expect(course({ path, files: [file('log.1', 7, 20, 70)] })).toEqual(['lost', '7 0', '9 0+']);
    // Nor one of which nothing was read that could be compared, but for a name that rotation gives.
    const unread: Position = { inode: '7', offset: 0, neighbours: [], since: 50 };
    expect(course({ path, files: [file('state', 7, 20, 70)] }, unread)).toEqual(['lost', '9 0+']);
    expect(course({ path, files: [file('log.1', 7, 20, 70)] }, unread)).toEqual(['7 0', '9 0+']);
    expect(course({})).toEqual([]);
  });

  it('leaves out the oldest of what is too much', () => {
    const mega = 1024 * 1024;
    const path = file('@', 9, 3 * mega, 80);
    const steps = planCourse(position, listed({ path, files: [file('log.1', 7, 100 + 5 * mega, 60)], text: same }));
    expect(steps).toMatchObject([
      { from: 100 + 4 * mega, align: true, notes: [{ gap: { reason: 'skipped', fromOffset: 100, bytes: 4 * mega } }] },
      { from: 0, align: false },
    ]);
  });
});
