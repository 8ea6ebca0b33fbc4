import type { Clock } from '../clock.ts';
import { lastWords } from '../model/text.ts';
import type { SignalNews } from '../model/signals.ts';
import { createBoundedLines } from './lines.ts';
import { lineLimits, protocolVersion, readMessage, type AskBody, type Message, type WatchHeader } from './protocol.ts';
import type { Wire } from './wire.ts';

/** What is said over one wire, from its header to its end. */
export interface Conversation {
  readonly header: WatchHeader;
  /** Resolves with the answer; rejects with a sentence. `news` hears what comes before it. */
  ask(body: AskBody, news?: (news: SignalNews) => void): Promise<{ readonly id: number; readonly value: unknown }>;
  close(): void;
}

interface Init {
  readonly wire: Wire;
  readonly clock: Clock;
  /** Before anything else. */
  readonly onHeader: (header: WatchHeader) => void;
  /** Lines of Samples, keyframes and news, in order. */
  readonly onMessage: (message: Extract<Message, { attach: 'keyframe' | 'about' }>) => void;
  readonly onSample: (line: string) => void;
  /** Once: why nothing more comes. `ended`: the watch itself is over. */
  readonly onEnd: (reason: string, ended: boolean) => void;
}

/** A watch says something each second. */
const silentMs = 15_000;
/** Until the header: a wrapper, or a program that is started there, may take its time. */
const headerMs = 20_000;
/** What a shell may say before it (banners of rc files). */
const mostBanner = 200;

/** Waits for the header, behind which the rest comes. Rejects with a sentence. */
export function converse({ wire, clock, onHeader, onMessage, onSample, onEnd }: Init): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const lines = createBoundedLines(lineLimits.fromWatch);
    const waiting = new Map<number, Waiting>();
    let count = 0;
    let banner: string[] = [];
    let isOpen = false;
    let isOver = false;
    let cancelSilence = clock.after(headerMs, () =>
      finish(`the watch said nothing in ${headerMs / 1000} s${saying(banner.at(-1) ?? '')}`),
    );

    function finish(reason: string, ended = false) {
      if (isOver) return;
      isOver = true;
      cancelSilence();
      wire.close();
      for (const each of waiting.values()) each.reject(new Error(`The watch did not answer: ${reason}.`));
      waiting.clear();
      if (isOpen) onEnd(reason, ended);
      else reject(new Error(reason));
    }

    function heard() {
      cancelSilence();
      cancelSilence = clock.after(silentMs, () => finish(`nothing came from the watch for ${silentMs / 1000} s`));
    }

    function begin(header: WatchHeader) {
      if (header.protocol !== protocolVersion)
        return finish(
          `it is of traintop ${header.traintop}, which this one does not understand: use the same version on both sides`,
        );
      isOpen = true;
      banner = [];
      onHeader(header);
      resolve({
        header,
        ask: (body, news) =>
          new Promise((answered, refused) => {
            if (isOver) return refused(new Error('There is no connection to the watch now.'));
            const id = ++count;
            waiting.set(id, { resolve: (value) => answered({ id, value }), reject: refused, ...(news && { news }) });
            wire.write(`${JSON.stringify({ id, ...body })}\n`);
          }),
        close: () => finish('it was left'),
      });
    }

    function take(message: Message) {
      if (message.attach === 'watch') return begin(message.header);
      if (message.attach === 'end') return finish(message.reason.replace(/\.$/, ''), true);
      if (message.attach === 'keyframe' || message.attach === 'about') return onMessage(message);
      const asked = waiting.get(message.id);
      if (message.attach === 'news')
        return asked ? asked.news?.(message.news) : lateNews.get(message.id)?.(message.news);
      waiting.delete(message.id);
      if (message.failure !== undefined) return asked?.reject(new Error(message.failure));
      if (asked?.news) keepNews(message.id, asked.news);
      asked?.resolve(message.value);
    }

    /** How a signal's watch goes on is told behind its answer. */
    const lateNews = new Map<number, (news: SignalNews) => void>();
    function keepNews(id: number, news: (news: SignalNews) => void) {
      lateNews.set(id, news);
      for (const oldest of lateNews.keys()) if (lateNews.size > 50) lateNews.delete(oldest);
    }

    wire.onEnd((words) => finish(`the connection to it ended${saying(words)}`));
    wire.onData((chunk) => {
      if (isOver) return;
      heard();
      const found = lines.push(chunk);
      if (!found) return finish('it sent a line that is too long');
      for (const line of found) {
        if (isOver) return;
        try {
          const message = readMessage(line);
          if (message) take(message);
          else if (isOpen) onSample(line);
          else if (banner.push(line) > mostBanner) finish('what answered there is no watch');
        } catch {
          finish('it sent something that cannot be read');
        }
      }
    });
  });
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly news?: (news: SignalNews) => void;
}

function saying(words: string): string {
  const text = lastWords(words);
  return text ? `, saying: ${text}` : '';
}
