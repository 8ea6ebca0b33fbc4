import type { Clock } from '../clock.ts';
import { packMember, type MemberHead } from './member.ts';
import type { Lost } from './losses.ts';
import type { PartFile, RunFolder } from './run-folder.ts';

/**
 * Members to the disk, in order and off the screen's way: one write is under way at a time, and takes what waits by then; beside it one
 * fdatasync, so that a disk that is slow does not keep from the file what a kill would take. A fault takes with it all that wait, for
 * they lean on what was lost.
 */
export interface PartWriter {
  /** False: too much waits already, and this is lost. */
  add(member: Draft): boolean;
  /** Bytes in the newest part, without what waits. */
  partBytes(): number;
  /** Of all parts. */
  bytes(): number;
  /** The part that is written. */
  path(): string | undefined;
  /** Resolves when what was added is in the file, or when the file system has not answered by then. Never rejects. */
  flushed(): Promise<void>;
  /** Resolves when all is written and closed, with true; or with false when the file system has not answered by then. */
  close(): Promise<boolean>;
}

/** Lines that will be a member. */
export interface Draft extends Omit<MemberHead, 'length'> {
  readonly text: string;
  readonly samples: number;
  /** A new part begins with it. */
  readonly isPart: boolean;
}

interface Init {
  readonly folder: RunFolder;
  /** The first line of a part. */
  readonly header: (part: number) => string;
  /** Of this machine: disks know no other. */
  readonly clock: Clock;
  readonly onWritten: () => void;
  /** All that waited by then is lost. */
  readonly onLost: (error: unknown, lost: Lost) => void;
  /** The file system does not answer; `onWritten` or `onLost` follows if it ever does. */
  readonly onSlow: () => void;
}

/** Of text: some minutes of eight GPUs. With what is under way, a bound on what a disk that hangs costs in memory. */
const mostWaiting = 16 * 1024 * 1024;
/** Of text at once: 6 ms at level 6. */
const mostPacked = 256 * 1024;
const slowMs = 10_000;
/** Who leaves, or looks back, waits so long at most. */
const closeMs = 2000;

/** A writer whose first member must begin a part, as the next one after each fault. */
export function createPartWriter({ folder, header, clock, onWritten, onLost, onSlow }: Init): PartWriter {
  let waiting: Draft[] = [];
  let waitingBytes = 0;
  let part: PartFile | undefined;
  let partBytes = 0;
  let partsAsked = 0;
  let bytes = 0;
  let running: Promise<void> | undefined;
  let unsynced: PartFile | undefined;
  let syncing: Promise<void> | undefined;

  async function run() {
    while (waiting.length > 0) {
      const batch = takeBatch();
      const cancelSlow = clock.after(slowMs, onSlow);
      try {
        await write(batch);
        onWritten();
      } catch (error) {
        await drop(error, batch);
      } finally {
        cancelSlow();
      }
    }
    running = undefined;
  }

  async function drop(error: unknown, batch: readonly Draft[] = []) {
    const lost = [...batch, ...waiting];
    const broken = part;
    part = undefined;
    waiting = [];
    waitingBytes = partsAsked = 0;
    onLost(error, { samples: samplesOf(lost), from: Math.min(...lost.map(({ from }) => from)) });
    await broken?.close().catch(() => {});
  }

  async function sync() {
    while (unsynced) {
      const file = unsynced;
      unsynced = undefined;
      try {
        await file.sync();
      } catch (error) {
        if (file === part) await drop(error);
      }
    }
    syncing = undefined;
  }

  /** What goes into the same part, and is packed fast enough for a key not to wait. */
  function takeBatch(): readonly Draft[] {
    let size = 0;
    const isOver = (member: Draft) => (size += member.text.length) > mostPacked || member.isPart;
    const next = waiting.findIndex((member, i) => isOver(member) && i > 0);
    const batch = waiting.splice(0, next < 0 ? waiting.length : next);
    waitingBytes -= sizeOf(batch);
    return batch;
  }

  async function write(batch: readonly Draft[]) {
    if (batch[0]?.isPart) {
      const done = part;
      // An fdatasync that finds it closed is no fault: closing brings it to the disk.
      part = undefined;
      await done?.close().catch(() => {});
      part = await folder.openPart();
      partBytes = 0;
      partsAsked--;
    }
    if (!part) throw new Error('a part that was not begun');
    const { number } = part;
    const block = Buffer.concat(
      batch.map((member) => packMember(member.isPart ? `${header(number)}\n${member.text}` : member.text, member)),
    );
    await part.append(block);
    unsynced = part;
    syncing ??= sync();
    partBytes += block.length;
    bytes += block.length;
  }

  async function end() {
    await running;
    await folder.release().catch(() => {});
    await syncing;
    await part?.close().catch(() => {});
  }

  /** False where it takes too long. */
  async function inTime(done: Promise<unknown>): Promise<boolean> {
    let cancel = () => {};
    const late = new Promise<boolean>((resolve) => (cancel = clock.after(closeMs, () => resolve(false))));
    const isDone = await Promise.race([done.then(() => true), late]);
    cancel();
    return isDone;
  }

  return {
    add(member) {
      // A member of any size is taken where none waits: else no write would follow, and none be taken ever again.
      if (waitingBytes > 0 && waitingBytes + member.text.length > mostWaiting) return false;
      waiting.push(member);
      waitingBytes += member.text.length;
      if (member.isPart) partsAsked++;
      running ??= run();
      return true;
    },
    partBytes: () => (partsAsked > 0 ? 0 : partBytes),
    bytes: () => bytes,
    path: () => part?.path,
    flushed: async () => void (await inTime(running ?? Promise.resolve())),
    close: () => inTime(end()),
  };
}

function sizeOf(members: readonly Draft[]): number {
  return members.reduce((sum, { text }) => sum + text.length, 0);
}

function samplesOf(members: readonly Draft[]): number {
  return members.reduce((sum, { samples }) => sum + samples, 0);
}
