import type { Clock } from '../clock.ts';
import { ChannelRefused, TransportFault } from './transport/transport.ts';

/**
 * The sessions of one connection. sshd may allow fewer (MaxSessions) than there are sources: the first refusal teaches how many.
 * From then on nothing more is opened than that; what is opened for the user waits until a source has made room.
 */
export interface Sessions {
  /** How many the connection allows; undefined while it refused none. */
  readonly limit: number | undefined;
  /** How many of them are for sources now; Infinity while none was refused. */
  readonly forSources: number;
  /** Opens for a source, when there is room and it is still wanted. */
  openSource<T extends Ending>(open: () => Promise<T>, isWanted: () => boolean): Promise<T>;
  /** Opens for the user (a dump, a probe, a shell): before any source. */
  openJob<T extends Ending>(open: () => Promise<T>): Promise<T>;
  /** The connection is gone; the next one may allow another number. What waits is told, and no timer is left. */
  renew(): void;
}

/** What holds a session until it ends. */
export interface Ending {
  readonly exit: Promise<unknown>;
}

interface Waiting {
  readonly isJob: boolean;
  readonly isWanted: () => boolean;
  readonly go: (number: number) => void;
  readonly giveUp: (fault: TransportFault) => void;
}

/** sshd frees a session at its next turn after the end was told (OpenSSH 9.2): an open in the same packet would be refused. */
const settleMs = 150;
/** A busy host may take longer. */
const recentMs = 2000;
const pauseMs = 500;
const mostPauses = 2;

/** `onChange`: there is room for more sources, or for fewer. */
export function createSessions(init: {
  readonly target: string;
  readonly clock: Clock;
  readonly onChange: () => void;
}): Sessions {
  const { target, clock, onChange } = init;
  let limit = Infinity;
  /** What the last connection allowed: beyond it, one is tried at a time, so that a host that allows few refuses once. */
  let trusted = Infinity;
  let connection = 0;
  let opened = 0;
  /** Of those opened: they have ended just now. */
  let settling = 0;
  /** That ended not long ago. */
  let recent = 0;
  let everOpened = false;
  /** Opens without an answer yet, by their numbers. */
  const pending = new Set<number>();
  let opens = 0;
  let jobs = 0;
  let queue: Waiting[] = [];
  const cancels = new Set<() => void>();

  function hasRoom() {
    const all = opened + pending.size;
    return all < limit && (all < trusted || (pending.size === 0 && settling === 0));
  }

  function pump() {
    for (const unwanted of queue.filter(({ isWanted }) => !isWanted()))
      unwanted.giveUp(new TransportFault('It is not wanted any more.', false));
    queue = queue.filter(({ isWanted }) => isWanted());
    while (queue.length > 0 && hasRoom()) {
      const next = queue.find(({ isJob }) => isJob) ?? queue[0];
      queue = queue.filter((each) => each !== next);
      pending.add(++opens);
      next?.go(opens);
    }
  }

  async function open<T extends Ending>(job: Omit<Waiting, 'go' | 'giveUp'>, start: () => Promise<T>): Promise<T> {
    const mine = connection;
    let pauses = 0;
    for (;;) {
      const number = await new Promise<number>((go, giveUp) => {
        queue.push({ ...job, go, giveUp });
        pump();
      });
      try {
        const channel = await start();
        if (mine === connection) {
          pending.delete(number);
          opened++;
          everOpened = true;
          void channel.exit.then(() => ended(mine));
          pump();
        }
        return channel;
      } catch (error) {
        if (mine !== connection) throw error;
        pending.delete(number);
        // Answers come in order, but a session is told as opened only when its command runs: what was asked for before is open.
        const open = opened + [...pending].filter((each) => each < number).length;
        if (!(error instanceof ChannelRefused) || (open === 0 && (recent === 0 || pauses >= mostPauses))) {
          pump();
          throw error instanceof ChannelRefused && !everOpened ? noneAtAll(target) : error;
        }
        if (recent > 0 && pauses < mostPauses && open < (Number.isFinite(limit) ? limit : 1)) {
          pauses++;
          await pause(mine);
        } else {
          limit = Math.min(limit, open);
          onChange();
        }
      }
    }
  }

  /** A busy host has not freed yet what ended just now: that teaches nothing. */
  async function pause(on: number) {
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    if (on !== connection) throw gone(target);
  }

  function ended(on: number) {
    if (on !== connection) return;
    settling++;
    recent++;
    later(settleMs, () => {
      settling--;
      opened--;
      pump();
    });
    later(recentMs, () => recent--);
  }

  function later(ms: number, fn: () => void) {
    const cancel = clock.after(ms, () => {
      cancels.delete(cancel);
      fn();
    });
    cancels.add(cancel);
  }

  return {
    get limit() {
      return Number.isFinite(limit) ? limit : undefined;
    },
    get forSources() {
      return Math.max(0, limit - jobs);
    },
    openSource: (start, isWanted) => open({ isJob: false, isWanted }, start),
    async openJob(start) {
      const mine = connection;
      const done = () => {
        if (mine !== connection) return;
        jobs--;
        if (Number.isFinite(limit)) onChange();
      };
      jobs++;
      if (Number.isFinite(limit)) onChange();
      try {
        const channel = await open({ isJob: true, isWanted: () => true }, start);
        void channel.exit.then(done);
        return channel;
      } catch (error) {
        done();
        throw error;
      }
    },
    renew() {
      connection++;
      for (const cancel of cancels) cancel();
      cancels.clear();
      if (Number.isFinite(limit)) trusted = limit;
      limit = Infinity;
      opened = settling = recent = jobs = 0;
      everOpened = false;
      pending.clear();
      for (const each of queue) each.giveUp(gone(target));
      queue = [];
    },
  };
}

const gone = (target: string) => new TransportFault(`The connection to ${target} went.`, false);

const noneAtAll = (target: string) =>
  new TransportFault(`${target} allows no session at all: set MaxSessions 10 in its sshd_config.`, false);
