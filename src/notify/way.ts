import type { Clock } from '../clock.ts';
import type { Severity } from '../model/alarm-samples.ts';
import { severities } from '../model/alarm-samples.ts';
import type { Message } from './message.ts';

/** One of the ways in which alarms are told. */
export interface Way {
  /** Returns at once, and never throws. */
  tell(message: Message): void;
  /** What it does, and what went wrong last: a sentence. */
  about(): string;
  /** Tells no more; resolves when what is under way has ended. */
  close(): Promise<void>;
  /** Ends it now. */
  abort(): void;
}

/** Whether a severity is as high as the user wants to hear of. */
export function isFrom(severity: Severity, from: Severity = 'info'): boolean {
  return severities.indexOf(severity) >= severities.indexOf(from);
}

/** What a way says of its faults: not the same again while it goes on. */
export interface Faults {
  failed(sentence: string): void;
  worked(): void;
  last(): string | undefined;
}

/** A fault that goes on is told again after this. */
const againMs = 30 * 60_000;

/** Hands faults to `report`, each once until it was well again or a long time has gone by. */
export function createFaults({
  clock,
  report,
}: {
  readonly clock: Clock;
  readonly report: (text: string) => void;
}): Faults {
  let fault: { readonly sentence: string; readonly toldAt: number } | undefined;
  return {
    failed(sentence) {
      const now = clock.now();
      const isNew = fault?.sentence !== sentence || now - fault.toldAt >= againMs;
      fault = { sentence, toldAt: isNew ? now : (fault?.toldAt ?? now) };
      if (isNew) report(sentence);
    },
    worked: () => (fault = undefined),
    last: () => fault?.sentence,
  };
}

/** How long a burst is gathered after its first. */
const gatherMs = 2000;

/** The first comes through at once, those that follow soon together: a hundred alarms are no hundred bells. */
export function createGathering(clock: Clock, tell: (messages: readonly Message[]) => void) {
  let waiting: Message[] = [];
  let count = 0;
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    if (count === 0) return;
    const newest = waiting;
    waiting = [];
    count = 0;
    cancel = clock.after(gatherMs, flush);
    tell(newest);
  };
  return {
    add(message: Message) {
      waiting = [...waiting.slice(-(mostGathered - 1)), message];
      count++;
      if (!cancel) flush();
    },
    stop() {
      cancel?.();
      cancel = undefined;
      count = 0;
    },
  };
}

const mostGathered = 100;
