import type { Clock } from '../../clock.ts';
import type { EventSample } from '../../model/samples.ts';
import { targetName, whyStill, type SignalName, type SignalNews, type SignalTarget } from '../../model/signals.ts';
import { safeText } from '../../model/text.ts';
import { signalEffect } from '../../model/signals.ts';
import type { Runner } from '../run.ts';
import type { Stream, StreamEnd } from '../stream.ts';
import { readTarget } from './answer.ts';
import { lookScript, mark, sendScript } from './script.ts';

/** The way to signals on one host. */
export interface Signals {
  /** What signals do to a process. Never rejects: a sentence says why that is not known. */
  look(pid: number): Promise<SignalTarget | { readonly failure: string }>;
  /** Sends one signal to the process that was looked at, and watches for its end: `told` hears how it goes on. Nothing else is ever sent. */
  send(target: SignalTarget, signal: SignalName, told: (news: SignalNews) => void): void;
  /** Ends the watches; what was sent is sent. */
  stop(): void;
}

interface Init {
  readonly runner: Pick<Runner, 'job' | 'converse' | 'context'>;
  readonly clock: Clock;
  /** What was sent to whom, and its end, are events. */
  readonly take: (event: EventSample) => void;
  /** Nothing that touches a run is done. */
  readonly readOnly: boolean;
}

const lookMs = 15_000;
/** After this time it is said that the process still runs. A checkpoint that a handler writes takes minutes: the watch goes on. */
const stillMs = 30_000;
const watchMs = 10 * 60_000;
/** These do not end a process that was not asked for it: so long is looked at what they do. */
const shortMs = 3000;

/** No signal yet. */
export function createSignals({ runner, clock, take, readOnly }: Init): Signals {
  const watches = new Set<() => void>();
  return {
    async look(pid) {
      const context = runner.context();
      if (!context) return { failure: 'There is no connection to the host now.' };
      if (pid === context.ownPid) return { failure: `PID ${pid} is traintop itself: q ends it.` };
      try {
        const { output, bodyCode, timedOut } = await runner.job('signals', lookScript(pid), lookMs);
        if (timedOut)
          return { failure: `${context.host} did not say in ${lookMs / 1000} s what PID ${pid} is: try again.` };
        if (bodyCode === undefined) return { failure: `The look at PID ${pid} was cut off: try again.` };
        return readTarget(output, { pid, context });
      } catch (error) {
        return { failure: safeText(error instanceof Error ? error.message : String(error)) };
      }
    },
    send(target, signal, told) {
      const { refused } = signalEffect(target, signal);
      if (readOnly) return told(last('Nothing was sent: --read-only sends no signals.', 'warn'));
      if (refused !== undefined) return told(last(refused, 'warn'));
      watch({ target, signal, told });
    },
    stop() {
      for (const end of watches) end();
    },
  };

  function watch({ target, signal, told }: Sending) {
    const name = targetName(target);
    let stream: Stream | undefined;
    let state = target.state;
    let sentAt: number | undefined;
    let over = false;
    const cancels: (() => void)[] = [];
    const later = (ms: number, fn: () => void) => cancels.push(clock.after(ms, fn));

    const finish = (news?: SignalNews) => {
      if (over) return;
      over = true;
      watches.delete(end);
      for (const cancel of cancels) cancel();
      stream?.stop();
      if (news) told(news);
    };
    const end = () => finish();
    watches.add(end);

    const event = (text: string) => {
      const host = runner.context()?.host ?? '';
      const now = clock.now();
      take({ kind: 'event', host, source: 'signals', time: now, receivedAt: now, event: 'signal', text });
    };
    const ended = (upAt: string, how: string) => {
      const seconds = sentAt === undefined ? NaN : Number(upAt) - sentAt;
      const after = Number.isFinite(seconds)
        ? ` ${Math.max(0, seconds).toFixed(1)} s after ${signal}`
        : ` after ${signal}`;
      event(`${name} ended${after}${how}`);
      finish(last(`${name} ended${after}${how}.`, 'ok'));
    };
    const still = (seconds: number) => {
      // As it is now: one that was stopped may go on, one that ran may wait in the kernel.
      const text = `${name} still runs ${seconds} s later: ${whyStill({ ...target, state }, signal)}.`;
      told({ text: `${text} Nothing more is sent.`, tone: 'warn', goesOn: true });
    };

    function sent(upAt: string) {
      sentAt = Number(upAt);
      event(`${signal} was sent to ${name}`);
      const isShort = signal === 'SIGCONT' || signal === 'SIGUSR1';
      told({
        text: `${signal} was sent to ${name}${isShort ? '.' : '; watching for its end …'}`,
        tone: 'plain',
        goesOn: true,
      });
      if (isShort) return later(shortMs, () => finish(last(goesOn(), 'ok')));
      later(stillMs, () => still(stillMs / 1000));
      later(watchMs, () =>
        finish(
          last(`${name} still runs ${watchMs / 60_000} min after ${signal}; it is no longer watched for.`, 'warn'),
        ),
      );
    }

    function goesOn(): string {
      if (signal === 'SIGUSR1') return `SIGUSR1 was sent to ${name}, which runs on.`;
      if (state === 'T') return `SIGCONT was sent to ${name}, and it is stopped still (state T).`;
      return `SIGCONT was sent to ${name}: it is not stopped now (state ${state}).`;
    }

    function onLine(line: string) {
      if (!line.startsWith(mark)) return;
      const [word, ...rest] = safeText(line.slice(mark.length)).trim().split(' ');
      const value = rest.join(' ');
      if (word === 'sent') sent(value);
      else if (word === 'gone') finish(last(`${name} was gone before ${signal} was sent: nothing was sent.`, 'warn'));
      else if (word === 'other')
        finish(last(`${name} was gone before; another process has the PID now: nothing was sent.`, 'warn'));
      else if (word === 'refused')
        finish(last(`${signal} was not sent to ${name}: ${value.split(': ').at(-1)}.`, 'bad'));
      else if (word === 'ended') ended(value, '');
      else if (word === 'zombie') ended(value, '; its parent has not asked for its exit status (a zombie)');
      else if (word === 'state') {
        state = value;
        if (signal === 'SIGCONT' && state !== 'T') finish(last(goesOn(), 'ok'));
      }
    }

    function onEnd({ lost }: StreamEnd) {
      if (sentAt === undefined)
        return finish(
          last(`It is not known whether ${signal} reached ${name}: the connection was cut. Look at it again.`, 'bad'),
        );
      finish(
        last(
          `${signal} was sent to ${name}; ${lost ? 'the connection was lost' : 'the watch was cut'}, and its end is not watched for.`,
          'warn',
        ),
      );
    }

    const { pid, startTicks } = target;
    runner.converse('signals', sendScript({ pid, startTicks, signal }), { onLine, onEnd }).then(
      (started) => {
        stream = started;
        if (over) started.stop();
      },
      (error: unknown) =>
        finish(
          last(`${signal} was not sent: ${safeText(error instanceof Error ? error.message : String(error))}`, 'bad'),
        ),
    );
  }
}

interface Sending {
  readonly target: SignalTarget;
  readonly signal: SignalName;
  readonly told: (news: SignalNews) => void;
}

function last(text: string, tone: SignalNews['tone']): SignalNews {
  return { text, tone, goesOn: false };
}
