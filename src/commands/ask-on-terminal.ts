import { closeSync, openSync } from 'node:fs';
import type { ConfirmHostKey, HostKeyQuestion } from '../collectors/transport/host-key-check.ts';
import type { AskSecrets, SecretsQuestion } from '../collectors/transport/asks.ts';
import type { Asks } from './open-target.ts';
import { openLineReader, type LineReader } from './line-reader.ts';

/**
 * Asks what a log-in needs on the terminal of the command, as ssh does: not by standard input and output, which may be pipes. Without
 * a terminal nothing is asked.
 */
export function asksOnTerminal(): Asks {
  if (!hasTerminal()) return {};
  let last: Promise<unknown> = Promise.resolve();
  /** One question at a time. */
  const inTurn = <T>(ask: (reader: LineReader) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const asked = last.then(async () => {
      const reader = openLineReader(signal);
      try {
        return await ask(reader);
      } finally {
        reader.close();
      }
    });
    last = asked.catch(() => {});
    return asked;
  };
  const confirmHostKey: ConfirmHostKey = (question) => inTurn((reader) => confirm(reader, question));
  const askSecrets: AskSecrets = (question, signal) => inTurn((reader) => askFields(reader, question), signal);
  return { confirmHostKey, askSecrets };
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false; // ENXIO: a cron job, a service, a container without one
  }
}

async function confirm(reader: LineReader, { host, keyType, fingerprint, keptIn }: HostKeyQuestion): Promise<boolean> {
  reader.say(`The host ${host} is not known yet.`, `Its ${keyType} key is ${fingerprint}.`);
  const where = keptIn === undefined ? 'until traintop ends' : `in ${keptIn}`;
  for (let prompt = `Connect, and remember the key ${where} (yes/no)? `; ; prompt = 'Please type yes or no: ') {
    const answer = await reader.line(prompt, false);
    if (answer === undefined) return false;
    if (/^\s*y(?:es)?\s*$/i.test(answer)) return true;
    if (/^\s*no?\s*$/i.test(answer)) return false;
  }
}

async function askFields(
  reader: LineReader,
  { title, lines, fields }: SecretsQuestion,
): Promise<readonly string[] | undefined> {
  reader.say(title, ...lines);
  if (fields.length === 0)
    return (await reader.line('Enter goes on, Ctrl-D declines. ', true)) === undefined ? undefined : [];
  const answers: string[] = [];
  for (const { label, hidden } of fields) {
    const answer = await reader.line(`${label}: `, hidden);
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers;
}
