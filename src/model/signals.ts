/** The signals that the menu offers, in its order, with Linux's numbers (x86 and ARM): what the masks of /proc are counted by. */
const signalNumbers = { SIGINT: 2, SIGTERM: 15, SIGKILL: 9, SIGUSR1: 10, SIGCONT: 18 } as const;

/** Their names, in the menu's order. */
export const signalNames = Object.keys(signalNumbers) as readonly SignalName[];

/** A signal that can be sent. */
export type SignalName = keyof typeof signalNumbers;

/** A process as it is before it is sent anything, read from /proc. */
export interface SignalTarget {
  readonly pid: number;
  /** The kernel's name of it. */
  readonly comm: string;
  readonly commandLine: string;
  /** Field 22 of /proc/PID/stat: with the PID it is this process and no other. */
  readonly startTicks: string;
  /** Epoch ms on our time axis. */
  readonly startedAt: number;
  /** R S D T t Z. */
  readonly state: string;
  /** Masks of signals: bit N - 1 is signal N. */
  readonly ignored: bigint;
  readonly caught: bigint;
  /** Blocked in every thread. */
  readonly blocked: bigint;
  /** Sent to it, and not taken yet. */
  readonly pending: bigint;
  /** It is PID 1 of a PID namespace: `own`, as seen from inside, `inner` from outside. */
  readonly init?: 'own' | 'inner';
  /** Who is its child: the signal does not reach them. */
  readonly children: number;
  /** Why this user may send it nothing: one sentence. */
  readonly refused?: string;
}

/** What a signal does to a process. */
export interface SignalEffect {
  readonly is: 'caught' | 'ignored' | 'default' | 'blocked' | 'nothing';
  /** Few words behind the signal's name: `is ignored: started under nohup`. */
  readonly text: string;
  /** It is not sent: one sentence says why. */
  readonly refused?: string;
}

/** What the sending and the watch tell, in order. */
export interface SignalNews {
  /** One sentence. */
  readonly text: string;
  readonly tone: 'plain' | 'warn' | 'bad' | 'ok';
  /** The watch goes on. */
  readonly goesOn: boolean;
}

/** What the signal does to this process, from its masks and its state. */
export function signalEffect(target: SignalTarget, signal: SignalName): SignalEffect {
  const effect = withoutRights(target, signal);
  return target.refused === undefined ? effect : { ...effect, refused: target.refused };
}

function withoutRights(target: SignalTarget, signal: SignalName): SignalEffect {
  const { pid, state, init } = target;
  if (/^[ZX]$/.test(state)) {
    const why = `process ${pid} has ended; its parent has not asked for its exit status (a zombie)`;
    return { is: 'nothing', text: 'does nothing: it has ended (a zombie)', refused: `${signal} is not sent: ${why}.` };
  }
  if (signal === 'SIGKILL') {
    if (init === 'own')
      return { is: 'nothing', text: 'does nothing: it is PID 1 here, which the kernel keeps from it' };
    if (state === 'D')
      return { is: 'default', text: 'ends it when its wait in the kernel is over (state D); nothing is saved' };
    return { is: 'default', text: 'ends it at once; nothing is saved' };
  }
  const disposition = dispositionOf(target, signal);
  if (signal === 'SIGCONT') {
    const then = disposition.is === 'caught' ? '; it also catches it' : '';
    if (state === 'T') return { is: 'default', text: `lets it go on: it is stopped (state T)${then}` };
    if (state === 't')
      return { is: 'nothing', text: `changes nothing: a debugger or profiler holds it (state t)${then}` };
    return { is: 'nothing', text: `changes nothing: it is not stopped${then}` };
  }
  const effect =
    signal === 'SIGUSR1' && disposition.is !== 'caught' ? withoutHandler(target, disposition) : disposition;
  const waits = /^[Tt]$/.test(state) ? '; it is stopped, and takes it when it goes on' : '';
  return { ...effect, text: effect.text + waits };
}

/** Who sends SIGUSR1 means a handler: a trainer that writes a checkpoint, faulthandler. Without one it ends the process. */
function withoutHandler({ pid }: SignalTarget, { is }: SignalEffect): SignalEffect {
  const why = is === 'default' ? 'is not caught, and would end it' : 'has no handler, and would do nothing';
  return { is, text: `${why}: not sent`, refused: `SIGUSR1 is not sent: in process ${pid} it ${why}.` };
}

function dispositionOf(target: SignalTarget, signal: SignalName): SignalEffect {
  if (has(target.ignored, signal)) return { is: 'ignored', text: `is ignored${whyIgnored(target, signal)}` };
  if (has(target.caught, signal)) {
    if (has(target.blocked, signal))
      return { is: 'blocked', text: 'is caught, but all its threads block it: it waits' };
    // A handler of Python runs between two bytecodes of the main thread: a call that does not come back keeps it waiting.
    const own = signal === 'SIGINT' ? ' (Python: KeyboardInterrupt, if it has no other)' : '';
    return { is: 'caught', text: `is caught: its own handler decides${own}` };
  }
  if (target.init) return { is: 'nothing', text: 'does nothing: it is PID 1 of its container and does not catch it' };
  if (has(target.blocked, signal)) return { is: 'blocked', text: 'is blocked in all its threads: it waits' };
  return { is: 'default', text: 'is not caught: ends it at once, without clean-up' };
}

/**
 * Who started it, by what else is ignored: nohup ignores SIGHUP (1), a shell without job control SIGINT and SIGQUIT (3) for what it
 * puts behind `&`. Python leaves an ignored SIGINT ignored.
 */
function whyIgnored({ ignored }: SignalTarget, signal: SignalName): string {
  if (signal !== 'SIGINT') return '';
  const [hangUp, quit] = [1, 3].map((number) => bit(ignored, number));
  if (hangUp) return `: started under nohup${quit ? ', behind & of a script' : ''}`;
  return quit ? ': started behind & of a script' : '';
}

function has(mask: bigint, signal: SignalName): boolean {
  return bit(mask, signalNumbers[signal]);
}

function bit(mask: bigint, number: number): boolean {
  return ((mask >> BigInt(number - 1)) & 1n) === 1n;
}

/** How a process is called in sentences about signals. */
export function targetName({ pid, comm }: Pick<SignalTarget, 'pid' | 'comm'>): string {
  return `PID ${pid} (${comm})`;
}

/** Why it still runs after the signal, as the end of a sentence. */
export function whyStill(target: SignalTarget, signal: SignalName): string {
  if (target.state === 'D') return 'it waits in the kernel (state D), where no signal reaches it';
  const { is } = signalEffect(target, signal);
  if (/^[Tt]$/.test(target.state) && signal !== 'SIGKILL' && signal !== 'SIGCONT')
    return 'it is stopped; SIGCONT lets it go on';
  if (is === 'caught') return `it caught ${signal}`;
  if (is === 'ignored') return `it ignores ${signal}`;
  if (is === 'blocked') return `its threads block ${signal}`;
  if (target.init) return 'it is PID 1 of its container';
  return `${signal} has not ended it`;
}
