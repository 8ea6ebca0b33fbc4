import { momentOf, type TapeEvent } from '../../model/tape.ts';
import type { Severity } from '../../model/alarm-samples.ts';
import type { Tone } from '../parts/line.ts';
import { timeOfDay } from '../parts/times.ts';

/** How an event or a mark looks: its shape says what its colour says. Of several in one place the highest rank is shown. */
export interface EventSign {
  readonly text: string;
  readonly tone: Tone;
  readonly rank: number;
}

const mark: EventSign = { text: '■', tone: 'series7', rank: 3 };
const bad: EventSign = { text: '▲', tone: 'bad', rank: 4 };
const warning: EventSign = { text: '▼', tone: 'warn', rank: 2 };
const usual: EventSign = { text: '┴', tone: 'plain', rank: 1 };

/** An alarm by how much it matters. */
const rings: Readonly<Record<Severity, EventSign>> = { info: usual, warning, critical: { ...bad, rank: 5 } };

const signs: Readonly<Record<string, EventSign>> = {
  'link lost': bad,
  'source failed': bad,
  'log error': bad,
  'loss not finite': bad,
  'out of memory': bad,
  'NCCL timeout': bad,
  'gpu error': bad,
  'job cancelled': bad,
  'rank exit': bad,
  'norm not finite': bad,
  'loss spike': warning,
  'steps skipped': warning,
  'training end': warning,
  'gpu lost': bad,
  'oom kill': bad,
  'alarm untold': warning,
  'host rebooted': bad,
  'run restarted': warning,
  'recording gap': warning,
  'run ended': warning,
  'log gap': warning,
  signal: warning,
};

/** The sign of an event or a mark. */
export function signOf(event: TapeEvent): EventSign {
  if (event.kind === 'alarm') return rings[event.severity];
  return event.kind === 'mark' ? mark : (signs[event.event] ?? usual);
}

/** What kind it is, in a word or two. */
export function kindOf(event: TapeEvent): string {
  if (event.kind === 'alarm') return `alarm ${event.alarm}`;
  return event.kind === 'mark' ? 'mark' : event.event;
}

/** When and what, as one says it: `03:12:07 link lost: no answer for 14 s`. */
export function eventWords(event: TapeEvent): string {
  return `${timeOfDay(momentOf(event))} ${whatWords(event)}`;
}

/** What, without when. */
export function whatWords(event: TapeEvent): string {
  return event.text === '' ? kindOf(event) : `${kindOf(event)}: ${event.text}`;
}
