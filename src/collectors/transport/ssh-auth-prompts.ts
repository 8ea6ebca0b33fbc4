import type { Prompt } from 'ssh2';
import { safeText } from '../../model/text.ts';
import type { SecretsQuestion } from './asks.ts';
import { whyNoAsking, type Attempt, type Trying } from './ssh-attempt.ts';
import { TransportFault } from './transport.ts';

/** How what is typed is called in the sentence of a refused log-in. */
export const typedLabels = { keyboard: 'keyboard-interactive', password: 'a password' } as const;

/** What the server asks for, in as many rounds as it likes: passwords, codes, a choice of second factors. */
export async function* keyboardAttempts(trying: Trying): AsyncGenerator<Attempt> {
  const { target, line, memory, peer } = trying;
  const need = `${peer} keyboard-interactive`;
  if (!line.ask) {
    trying.record.unasked.add(`${whyNoAsking(trying)} for the answers of keyboard-interactive`);
    return;
  }
  for (let attempt = 1; attempt <= target.passwordPrompts; attempt++) {
    let rounds = 0;
    memory.needs.add(need); // also where nothing is typed: it may be a push to a telephone
    const prompt = (name: string, instructions: string, _language: string, prompts: Prompt[], finish: Finish) => {
      const again = rounds++ === 0 && attempt > 1 ? [notAccepted(attempt, target.passwordPrompts)] : [];
      void answer(trying, questionOf({ peer, again, name, instructions, prompts }), finish);
    };
    yield { label: typedLabels.keyboard, method: { type: 'keyboard-interactive', username: target.user, prompt } };
    if (rounds > 0) continue;
    memory.needs.delete(need);
    return;
  }
}

/** A password, kept for the next connections once it was accepted. */
export async function* passwordAttempts(trying: Trying): AsyncGenerator<Attempt> {
  const { target, line, memory, peer } = trying;
  // By address: a name may mean another host tomorrow.
  const account = `${target.user}@${target.host}:${target.port}`;
  const need = `${account} password`;
  const withPassword = (password: string, accepted = () => {}): Attempt => ({
    label: typedLabels.password,
    method: { type: 'password', username: target.user, password },
    accepted,
  });
  const kept = memory.passwords.get(account);
  if (kept !== undefined) {
    yield withPassword(kept);
    memory.passwords.delete(account); // it was refused
  }
  if (!line.ask) {
    trying.record.unasked.add(`${whyNoAsking(trying)} for a password`);
    return;
  }
  for (let attempt = 1; attempt <= target.passwordPrompts; attempt++) {
    memory.needs.add(need);
    const answers = await line.ask({
      title: `Log in to ${peer}`,
      lines: [
        ...(attempt > 1 ? [notAccepted(attempt, target.passwordPrompts)] : []),
        'The password stays in the memory of traintop until it ends, and nowhere else.',
      ],
      fields: [{ label: 'Password', hidden: true }],
    });
    const [password] = answers ?? [];
    if (password === undefined) {
      line.giveUp(declined(peer, 'the password'));
      return;
    }
    yield withPassword(password, () => {
      memory.passwords.set(account, password);
      memory.needs.delete(need);
    });
  }
}

type Finish = (answers: string[]) => void;

/** Far more than any log-in asks for at once. */
const mostPrompts = 10;

async function answer({ line, peer }: Trying, question: SecretsQuestion, finish: Finish) {
  const { length } = question.fields;
  if (length > mostPrompts) {
    const much = `${peer} asks for ${length} answers at once to log in, which no host should: traintop gave up.`;
    line.giveUp(new TransportFault(much, true));
    return;
  }
  const answers = await line.ask?.(question);
  if (answers) finish([...answers]);
  else line.giveUp(declined(peer, question.fields.map(({ label }) => label).join(', ')));
}

interface Asked {
  readonly peer: string;
  readonly again: readonly string[];
  readonly name: string;
  readonly instructions: string;
  readonly prompts: readonly Prompt[];
}

/** The title is ours, so that a host cannot ask for the passphrase of a key as if it were traintop that asks. */
function questionOf({ peer, again, name, instructions, prompts }: Asked): SecretsQuestion {
  const asked = prompts.map(({ prompt, echo }) => {
    const rows = rowsOf(prompt);
    // Some put a menu into the prompt: its last row is the label.
    const label = (rows.at(-1) ?? '').replace(/:$/, '');
    return { before: rows.slice(0, -1), field: { label: label === '' ? 'Answer' : label, hidden: echo !== true } };
  });
  const said = [...rowsOf(name), ...rowsOf(instructions), ...asked.flatMap(({ before }) => before)];
  return {
    title: `${peer} asks, to log in`,
    lines: [...again, ...said.slice(0, mostRows)],
    fields: asked.map(({ field }) => field),
  };
}

const mostRows = 20;
const longestRow = 200;

/** A server's text, row by row, made safe and of a bearable size. */
function rowsOf(text: string): string[] {
  return text
    .slice(0, 10 * mostRows * longestRow)
    .split(/[\r\n]+/)
    .map((row) => [...safeText(row).trim()].slice(0, longestRow).join(''))
    .filter((row) => row !== '')
    .slice(-mostRows);
}

function notAccepted(attempt: number, most: number): string {
  return `That was not accepted: try ${attempt} of ${most}.`;
}

function declined(peer: string, what: string): TransportFault {
  return new TransportFault(
    `The log-in to ${peer} was given up: it wanted ${what}, which was not given; try again to give it.`,
    true,
  );
}
