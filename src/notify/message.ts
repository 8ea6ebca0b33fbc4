import type { AlarmSample } from '../model/alarm-samples.ts';
import { safeText } from '../model/text.ts';

/** An alarm as it is told away from the screen: the same for every way. */
export interface Message {
  readonly alarm: AlarmSample;
  readonly target: string;
  readonly demo: boolean;
}

/** One line for people: `traintop: CRITICAL on gpu8: GPU 3 is lost.` */
export function lineOf({ alarm, target, demo }: Message): string {
  const what = alarm.state === 'resolved' ? 'resolved' : alarm.severity === 'info' ? 'note' : alarm.severity;
  const word = alarm.severity === 'critical' && alarm.state === 'ringing' ? what.toUpperCase() : what;
  return `traintop${demo ? ' (simulated)' : ''}: ${word} on ${told(target, mostName)}: ${told(alarm.text, mostText)}`;
}

/** What a webhook is sent and a command has on its standard input (docs/alarms.md). */
export function bodyOf(message: Message, unsent = 0): string {
  const { alarm, target, demo } = message;
  const line = forChats(unsent === 0 ? lineOf(message) : `${lineOf(message)} (${earlierText(unsent)})`);
  return JSON.stringify({
    // Slack, Mattermost and Rocket.Chat show the one, Discord the other.
    text: line,
    content: line,
    allowed_mentions: { parse: [] },
    title: `traintop: ${nameOf(alarm)}`,
    sentence: told(alarm.text, mostText),
    source: 'traintop',
    version: 1,
    target: told(target, mostName),
    ...(demo && { demo: true }),
    id: told(alarm.id, mostName),
    alarm: alarm.alarm,
    ...(alarm.about !== undefined && { about: told(alarm.about, mostName) }),
    state: alarm.state,
    severity: alarm.severity,
    since: isoOf(alarm.since),
    rungAt: isoOf(alarm.rungAt),
    ...(alarm.resolvedAt !== undefined && { resolvedAt: isoOf(alarm.resolvedAt) }),
    ...(alarm.value !== undefined && { value: alarm.value }),
    ...(alarm.border !== undefined && { border: alarm.border }),
    ...(alarm.unit !== undefined && { unit: alarm.unit }),
    ...(unsent > 0 && { unsent }),
  });
}

/** What a command has in its environment. */
export function environmentOf({ alarm, target, demo }: Message): Readonly<Record<string, string>> {
  return {
    TRAINTOP_ALARM: alarm.alarm,
    TRAINTOP_ABOUT: told(alarm.about ?? '', mostName),
    TRAINTOP_STATE: alarm.state,
    TRAINTOP_SEVERITY: alarm.severity,
    TRAINTOP_TEXT: told(alarm.text, mostText),
    TRAINTOP_TARGET: told(target, mostName),
    TRAINTOP_ID: told(alarm.id, mostName),
    TRAINTOP_SINCE: isoOf(alarm.since),
    TRAINTOP_RUNG_AT: isoOf(alarm.rungAt),
    TRAINTOP_RESOLVED_AT: alarm.resolvedAt === undefined ? '' : isoOf(alarm.resolvedAt),
    TRAINTOP_VALUE: alarm.value === undefined ? '' : String(alarm.value),
    TRAINTOP_DEMO: demo ? '1' : '',
  };
}

/** What nobody was told, as a sentence has it. */
export function earlierText(count: number): string {
  return count === 1 ? '1 earlier message was not sent' : `${count} earlier messages were not sent`;
}

const mostText = 1000;
const mostName = 200;

const nameOf = ({ alarm, about }: AlarmSample) =>
  about === undefined ? alarm : `${alarm}, ${forChats(told(about, mostName))}`;

/** Safe and short: whoever made the alarm, its text is from a host. */
function told(text: string, most: number): string {
  // The first is enough of a text without end.
  const safe = safeText(text.slice(0, 4 * most));
  return safe.length <= most ? safe : `${safe.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A host's text calls nobody (`<!channel>`, `@everyone`) and hides no link (`<https://a|b>`). */
function forChats(text: string): string {
  return text.replace(/</g, '‹').replace(/>/g, '›').replace(/@/g, '@\u200b');
}

/** A time that is none is told as it is. */
function isoOf(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time);
}
