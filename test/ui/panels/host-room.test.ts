import { expect, test } from 'vitest';
import type { DisksSample } from '../../../src/model/samples.ts';
import { roomLine } from '../../../src/ui/panels/host-room.ts';

const disks = (available: readonly (number | null)[], freeInodes: readonly (number | null)[] = []): DisksSample => ({
  ...{ kind: 'disks', host: 'h', source: 'host', time: 0, receivedAt: 0 },
  path: ['/dev/shm', '/tmp', '/work', '/work/ckpt'],
  use: ['shm', 'tmp', 'run', 'checkpoints'],
  mount: ['/dev/shm', '/', '/work', '/work'].map((mount, i) => (available[i] == null ? null : mount)),
  totalBytes: available.map((bytes) => bytes && 100 * 2 ** 30),
  availableBytes: available,
  totalInodes: available.map(() => 1000),
  freeInodes: available.map((_, i) => freeInodes[i] ?? 1000),
});
const text = (sample: DisksSample | undefined) =>
  roomLine(sample, 100)
    ?.line.map((segment) => segment.text)
    .join('');

test('each file system once, the fullest first', () => {
  const gib = 2 ** 30;
  expect(text(disks([99 * gib, 50 * gib, 20 * gib, 20 * gib]))).toBe(
    'ROOM  /work  80% of 100G  /  50% of 100G  /dev/shm   1% of 100G',
  );
  expect(roomLine(disks([99 * gib, 50 * gib, 20 * gib, 20 * gib]), 100)?.isUrgent).toBe(false);
  expect(roomLine(disks([9 * gib, 50 * gib, 20 * gib, 20 * gib]), 100)?.isUrgent).toBe(true);
});

test('files may end before bytes, what hangs is left out, and without any there is no line', () => {
  const gib = 2 ** 30;
  expect(text(disks([90 * gib, null, null, null], [10]))).toBe('ROOM  /dev/shm  99% of its files');
  expect(text(disks([null, null, null, null]))).toBeUndefined();
  expect(text(undefined)).toBeUndefined();
});
