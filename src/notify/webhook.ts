import type { Clock } from '../clock.ts';
import type { Webhook } from '../model/alarms/notify-settings.ts';
import { bodyOf, earlierText, type Message } from './message.ts';
import { post, type Posted } from './post.ts';
import { createFaults, isFrom, type Way } from './way.ts';

interface Init {
  readonly webhook: Webhook;
  readonly clock: Clock;
  readonly report: (text: string) => void;
}

/** How long an attempt may take. */
const limitMs = 10_000;
/** Between the attempts at one message. */
const pausesMs: readonly number[] = [2000, 8000, 30_000];
/** However long the receiver asks to be left alone. */
const longestPauseMs = 120_000;
/** What waits to be sent: the newest. */
const mostWaiting = 50;

/** Sends each alarm as JSON, one after the other. */
export function createWebhook({ webhook, clock, report }: Init): Way {
  const url = new URL(webhook.url);
  const faults = createFaults({ clock, report });
  // The rest of an address is often a secret.
  const place = `The webhook at ${url.host}`;
  const ended = new AbortController();
  const waiting: Message[] = [];
  let unsent = 0;
  let isClosing = false;
  let wake = () => {};
  let sending: Promise<void> | undefined;

  async function sendAll() {
    for (let next = waiting.shift(); next && !ended.signal.aborted; next = waiting.shift()) {
      const lost = unsent;
      const { failure } = await sendOne(bodyOf(next, lost));
      if (failure === undefined) {
        unsent -= lost;
        faults.worked();
      } else {
        unsent++;
        if (!ended.signal.aborted) faults.failed(`${place} was not told of an alarm: ${failure}.`);
      }
    }
  }

  async function sendOne(body: string): Promise<Posted> {
    for (let attempt = 0; ; attempt++) {
      const posted = await post({
        ...{ url, body, clock, limitMs, headers: webhook.headers ?? {}, signal: ended.signal },
      });
      const pause = pausesMs[attempt];
      if (!posted.again || pause === undefined || isClosing) return posted;
      await rest(Math.min(longestPauseMs, Math.max(pause, posted.pauseMs ?? 0)));
      if (isClosing) return posted;
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }

  return {
    tell(message) {
      if (isClosing || !isFrom(message.alarm.severity, webhook.from)) return;
      waiting.push(message);
      if (waiting.length > mostWaiting) {
        waiting.shift();
        unsent++;
        faults.failed(`${place} is too slow for all alarms: the oldest that wait are not sent.`);
      }
      sending ??= sendAll().finally(() => (sending = undefined));
    },
    about() {
      const from = webhook.from === undefined ? '' : `, from ${webhook.from} on`;
      const lost = unsent === 0 ? '' : ` ${earlierText(unsent)}.`;
      const fault = faults.last();
      return fault === undefined ? `Webhook at ${url.host}${from}.${lost}` : `${fault}${lost}`;
    },
    async close() {
      isClosing = true;
      wake();
      await sending;
    },
    abort: () => ended.abort(),
  };
}
