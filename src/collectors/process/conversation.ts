import type { Sample } from '../../model/samples.ts';
import type { Context, Parser } from '../collector.ts';
import { readAnswer } from './answer.ts';
import type { Talk } from './learn.ts';

/** The client's half of the talk: a Parser, and the line that a tick sends. */
export interface Conversation {
  readonly parser: Parser;
  /** Begins a round; undefined while the last one has not ended (a slow host). */
  line(context: Context): string | undefined;
}

/** Runs one round of talk a tick; each answer ends with a line `.`. */
export function createConversation(round: (context: Context) => Talk<(at: number) => readonly Sample[]>): Conversation {
  let talk: ReturnType<typeof round> | undefined;
  let question: string | undefined;
  let lines: string[] = [];
  let rejected = 0;
  return {
    line(context) {
      if (talk) return undefined;
      const begun = round(context);
      const first = begun.next();
      if (first.done) return undefined;
      talk = begun;
      return first.value;
    },
    parser: {
      push(line, at) {
        if (line !== '.') {
          lines.push(line);
          return [];
        }
        const answer = readAnswer(lines);
        lines = [];
        rejected += answer.rejected;
        const step = talk?.next({ answer, at });
        if (!step) return [];
        if (!step.done) {
          question = step.value;
          return [];
        }
        talk = undefined;
        return step.value(at);
      },
      ask() {
        const asked = question;
        question = undefined;
        return asked;
      },
      get rejected() {
        return rejected;
      },
    },
  };
}
